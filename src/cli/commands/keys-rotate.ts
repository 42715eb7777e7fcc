import { type Command, CommandError, UsageError } from '../command.ts';
import { formatMoment, parseMoment } from '../moment.ts';

const graceDefault = '7d';

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Give a key a new secret and print the new key, alone, on standard output.',
  operands: '<id>',
  operandsMin: 1,
  operandsMax: 1,
  options: [
    {
      name: 'grace',
      value: '<when>',
      help: `how long the old secret stays good: a time span, a date, or 0 [${graceDefault}]`,
    },
  ],
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  notes: 'Use --grace 0 when the old secret has leaked: it then stops at once.',
  async run(input, terminal) {
    const now = Date.now();
    const grace = input.text('grace') ?? graceDefault;
    const sunsetAt = grace === '0' ? now : parseMoment('grace', grace, now);
    if (sunsetAt < now)
      throw new UsageError(`--grace ${grace} is over already; name a time to come`);
    const { keyIdFrom, withKeyRing } = await import('../key-ring.ts');
    const { requireDatabase } = await import('../stored.ts');
    const { rotateKey } = await import('../../access/issue-key.ts');
    const id = keyIdFrom(input.positionals[0] ?? '');
    requireDatabase(input.config);
    const outcome = await withKeyRing(input.config, async (keys, note) => {
      const rotated = await rotateKey(keys, { id, now, sunsetAt });
      const summary = `rotated the key ${id}; the old secret works until ${formatMoment(sunsetAt)}`;
      if (rotated.kind === 'rotated') await note({ action: 'key.rotate', target: id, summary });
      return rotated;
    });
    switch (outcome.kind) {
      case 'unknown':
        throw new CommandError(`There is no key ${id}; \`sallyport keys list\` shows them all.`);
      case 'revoked':
        throw new CommandError(
          `Key ${id} is revoked; make a new one with \`sallyport keys create\`.`,
        );
      case 'under-way':
        throw new CommandError(
          `Key ${id} has an old secret that is good until ${formatMoment(outcome.sunsetAt)}: ` +
            'wait for that, or stop both earlier secrets at once with --grace 0.',
        );
      case 'rotated':
        terminal.out(`${outcome.key}\n`);
        terminal.err(
          sunsetAt <= now
            ? `Key ${id} has a new secret; the old one has stopped.\n`
            : `Key ${id} has a new secret; the old one is good until ${formatMoment(sunsetAt)}.\n`,
        );
        return 0;
    }
  },
};
