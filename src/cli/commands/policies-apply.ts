import { acts } from '../../contract/acts.ts';
import { actors } from '../../contract/audit.ts';
import type { PolicyProblem } from '../../contract/explanation.ts';
import type { Policies, PolicyOutcome, PolicyRecord } from '../../contract/policies.ts';
import type { Policy } from '../../contract/policy.ts';
import { newWide } from '../../contract/wide-exclusion.ts';
import {
  type Command,
  CommandError,
  type CommandInput,
  type Terminal,
  UsageError,
} from '../command.ts';
import type { PolicyFile } from '../policy-file.ts';
import type { NoteAct } from '../stored.ts';

const commentCharsMax = 1_000;

export const policiesApply: Command = {
  name: 'policies apply',
  summary: 'Store a policy from a file as a new version, after showing what changes.',
  alsoCalled: ['policies import', 'policies set', 'policies edit', 'policies create'],
  operands: '<file|->',
  operandsMin: 1,
  operandsMax: 1,
  operandValues: 'files',
  options: [
    { name: 'comment', value: '<text>', help: 'why; stands in the version history' },
    { name: 'dry-run', help: 'show what would change, and change nothing' },
    { name: 'yes', help: 'do not ask' },
    {
      name: 'base',
      value: '<n|latest>',
      help: 'the version that the file was made from, in the place of the one that it names',
    },
    {
      name: 'accept-wide',
      help: 'store exclusions that name no field, path or client as well',
    },
    { name: 'create', help: 'make the policy if there is none with this id or name' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: `The file is what sallyport policies export writes. A file that was made from an older version
than the newest is refused: export again, or overwrite with --base latest. A running server
takes the new version within a second. Exit code 0: applied, or nothing to change. 1: refused.
2: the file is wrong.`,
  async run(input, terminal) {
    const { openPolicies, readPolicyFile } = await import('../policy-file.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const isDry = input.isOn('dry-run');
    const comment = commentOf(input, isDry);
    const path = input.positionals[0] ?? '';
    const file = await readPolicyFile(path, terminal);
    if (!isDry && !input.isOn('yes') && !(terminal.isInteractive.in && path !== '-')) {
      throw new UsageError(
        'Standard input is no terminal to ask: add --yes, or look first with --dry-run.',
      );
    }
    requireDatabase(input.config);
    await withDatabase(input.config, async ({ database }, note) => {
      const change = { input, terminal, policies: openPolicies(database), file, comment, isDry };
      await applyFile(change, note);
    });
    return 0;
  },
};

interface Change {
  readonly input: CommandInput;
  readonly terminal: Terminal;
  readonly policies: Policies;
  readonly file: PolicyFile;
  readonly comment: string;
  readonly isDry: boolean;
}

async function applyFile(change: Change, note: NoteAct): Promise<void> {
  const { input, policies, file } = change;
  const all = await policies.list();
  const found =
    all.find(({ id }) => id === file.policy) ?? all.find(({ name }) => name === file.policy);
  const check = await policies.check(file.document);
  if (check.kind === 'not-valid') throw new UsageError(problemsText(check.problems));
  if (change.isDry && !input.isOn('accept-wide')) {
    const problems = newWide(check.document, found === undefined ? all : [found]);
    if (problems.length > 0) throw new UsageError(problemsText(problems));
  }
  if (found !== undefined) return changePolicy(change, found, check.document, note);
  if (input.isOn('create')) return createPolicy(change, note);
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none yet';
  throw new CommandError(
    `There is no policy ${file.policy}; there are ${known}. --create makes a new one.`,
  );
}

async function changePolicy(
  change: Change,
  found: PolicyRecord,
  document: Policy,
  note: NoteAct,
): Promise<void> {
  const { input, terminal, policies, file, comment, isDry } = change;
  const { diffLines } = await import('../policy-file.ts');
  const isRenamed = file.name !== found.name && file.name !== file.policy;
  const changes = [
    ...(isRenamed
      ? [{ op: 'replace', pointer: 'name', from: found.name, to: file.name } as const]
      : []),
    ...policies.diff(found.document, document),
  ];
  if (changes.length === 0) {
    terminal.err(`Nothing to change: version ${found.version} of ${found.name} says the same.\n`);
    return;
  }
  terminal.out(diffLines(changes, terminal.paint));
  const baseVersion = baseOf(input.text('base'), file, found);
  if (baseVersion !== found.version) throw new CommandError(staleText(found.version, baseVersion));
  if (isDry) {
    terminal.err('Nothing was changed: this was a dry run.\n');
    return;
  }
  if (!(await isAgreed(change, `Store this as version ${found.version + 1} of ${found.name}?`))) {
    throw new CommandError('Nothing was changed.');
  }
  const rename = isRenamed ? { name: file.name } : {};
  const { id } = found;
  const acceptWide = input.isOn('accept-wide');
  const wish = {
    id,
    ...rename,
    document,
    baseVersion,
    comment,
    by: actors.commandLine,
    acceptWide,
  };
  const policy = doneOr(await policies.change(wish), baseVersion);
  await note(acts.policyStored(policy));
  terminal.err(
    `Version ${policy.version} of ${policy.name} is stored. Write "version": ${policy.version} ` +
      'into the file before its next change, or export it again.\n',
  );
}

async function createPolicy(change: Change, note: NoteAct): Promise<void> {
  const { input, terminal, policies, file, comment, isDry } = change;
  const { name, document } = file;
  if (isDry) {
    terminal.err(`The policy ${name} would be made. Nothing was changed: this was a dry run.\n`);
    return;
  }
  if (!(await isAgreed(change, `Make the policy ${name}?`))) {
    throw new CommandError('Nothing was changed.');
  }
  const acceptWide = input.isOn('accept-wide');
  const wish = { name, document, comment, by: actors.commandLine, acceptWide };
  const policy = doneOr(await policies.create(wish), 0);
  await note(acts.policyCreated(policy));
  terminal.err(`The policy ${policy.name} is made, with the id ${policy.id}.\n`);
}

function commentOf(input: CommandInput, isDry: boolean): string {
  const comment = input.text('comment') ?? '';
  if (comment === '' && !isDry) {
    throw new UsageError(
      '--comment is missing: say why, such as --comment "allow the new editor".',
    );
  }
  if (comment.length <= commentCharsMax) return comment;
  throw new UsageError(`--comment must be at most ${commentCharsMax} characters.`);
}

function baseOf(text: string | undefined, file: PolicyFile, found: PolicyRecord): number {
  if (text === 'latest') return found.version;
  const base =
    text === undefined ? file.version : /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (base !== undefined) return base;
  throw new UsageError(
    text === undefined
      ? 'The file names no version: export it again, or say --base latest to overwrite.'
      : `--base must be the number of a version, or latest, not ${text}.`,
  );
}

function staleText(newest: number, base: number): string {
  return (
    `Version ${newest} is the newest, and the file was made from version ${base}: export it again ` +
    'and make your change to that, or say --base latest to overwrite. Nothing was changed.'
  );
}

function doneOr(outcome: PolicyOutcome, base: number): PolicyRecord {
  switch (outcome.kind) {
    case 'done':
      return outcome.policy;
    case 'stale':
      throw new CommandError(staleText(outcome.version, base));
    case 'unknown':
      throw new CommandError('The policy was removed meanwhile. Nothing was changed.');
    case 'not-valid':
      throw new UsageError(problemsText(outcome.problems));
  }
}

function problemsText(problems: readonly PolicyProblem[]): string {
  const lines = problems.map(({ pointer, message }) => `  - /document${pointer} ${message}`);
  return `The document is not valid. Nothing was changed.\n${lines.join('\n')}`;
}

async function isAgreed({ input, terminal }: Change, question: string): Promise<boolean> {
  if (input.isOn('yes')) return true;
  terminal.err(`${question} [y/N] `);
  for await (const chunk of terminal.input) return /^y(?:es)?\s*$/i.test(String(chunk));
  return false;
}
