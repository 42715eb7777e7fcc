import { acts } from '../../contract/acts.ts';
import { actors } from '../../contract/audit.ts';
import type { ChannelBody, ChannelOutcome } from '../../contract/notification.ts';
import { type Command, CommandError, UsageError } from '../command.ts';

const fileBytesMax = 65_536;

export const notificationsAdd: Command = {
  name: 'notifications add',
  summary: 'Add a channel that is notified of blocks, from a file.',
  alsoCalled: ['notifications create', 'notifications new', 'channels add'],
  operands: '<file|->',
  operandsMin: 1,
  operandsMax: 1,
  operandValues: 'files',
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'notifyPlain', 'config'],
  notes: `The file is the JSON that POST /api/notifications takes: name, kind (slack, teams, webhook, email
or syslog), target, and what the channel hears. With - it comes from standard input. No secret is
ever on the command line. Prints the id; in force within a second on running servers.
Then try: sallyport notifications test <id>`,
  async run(input, terminal) {
    const { createReadStream } = await import('node:fs');
    const { readText } = await import('../policy-file.ts');
    const { withChannels } = await import('../channels.ts');
    const path = input.positionals[0] ?? '';
    const chunks = path === '-' ? terminal.input : createReadStream(path);
    const body = await channelIn(path, await readText(path, chunks, fileBytesMax));
    const { channelWishOf } = await import('../../contract/notification.ts');
    await withChannels(input, async (channels, note) => {
      const channel = doneOr(await channels.add(channelWishOf(body), actors.commandLine));
      const { id, name } = channel;
      await note(acts.channelAdded(channel));
      terminal.out(`${id}\n`);
      terminal.err(`${name} is notified from now on. Try it: sallyport notifications test ${id}\n`);
    });
    return 0;
  },
};

async function channelIn(path: string, text: string): Promise<ChannelBody> {
  const { bodies } = await import('../../contract/schemas/api/bodies.ts');
  const { bodyValidator } = await import('../../http/api/validate.ts');
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The message would quote the file, and a secret in it.
    throw new UsageError(`${path} is not JSON.`, { cause: error });
  }
  const checked = bodyValidator(bodies.channel)(given);
  if (checked.kind === 'not-valid') throw new UsageError(faultsText(checked.errors));
  // Its schema was just checked.
  return checked.value as ChannelBody;
}

function doneOr(outcome: ChannelOutcome) {
  switch (outcome.kind) {
    case 'done':
      return outcome.channel;
    case 'not-valid':
      throw new UsageError(faultsText(outcome.problems));
    case 'name-taken':
      throw new CommandError('There is a channel of this name. Choose another one.');
    case 'full':
      throw new CommandError(`There can be ${outcome.most} channels. Remove one first.`);
    case 'gone':
      throw new CommandError('The channel was removed meanwhile.');
  }
}

function faultsText(
  faults: readonly { readonly pointer: string; readonly message: string }[],
): string {
  const lines = faults.map(({ pointer, message }) => `  - ${pointer} ${message}`);
  return `The channel is not valid. Nothing was added.\n${lines.join('\n')}`;
}
