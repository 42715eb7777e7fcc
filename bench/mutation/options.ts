import { parseArgs } from 'node:util';
import { wholeNumber } from '../lib/command.ts';

/** The folders of `src` that are mutated. */
export const folders = [
  'access',
  'client-request',
  'clients',
  'events',
  'http',
  'policies',
  'pool',
  'storage',
  'telemetry',
] as const;

/** What the command line asks for. */
export interface Options {
  readonly mutations: number;
  readonly seed: number;
  readonly folders: readonly string[];
  readonly jobs: number;
  /** No mutation is begun after so many; what was drawn later is not tried. */
  readonly minutes: number;
  /** All mutations of one line, or of one file, in the place of a sample. */
  readonly at: { readonly path: string; readonly line: number | undefined } | undefined;
  /** Where the record goes, if anywhere. */
  readonly record: string | undefined;
  readonly help: boolean;
}

export const usage = `usage: npm run bench:mutation -- [options]

  --mutations N    how many are drawn, the same number from each folder (200)
  --seed S         a number; the same seed draws the same mutations of the same sources (1)
  --folders A,B    only these folders of src: ${folders.join(', ')}
  --jobs N         mutations at the same time, each in a copy of the tree (1)
  --minutes M      begin no mutation after so long: the first of the drawn ones count then
  --at PATH:LINE   all mutations of this line, or of a whole file without :LINE
  --record FILE    also write the report to a file
`;

/** Reads the command line; throws with advice. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mutations: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      folders: { type: 'string', default: folders.join(',') },
      jobs: { type: 'string', default: '1' },
      minutes: { type: 'string' },
      at: { type: 'string' },
      record: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    mutations: wholeNumber('--mutations', values.mutations, 1),
    seed: wholeNumber('--seed', values.seed, 1),
    folders: values.folders.split(',').map(folderNamed),
    jobs: wholeNumber('--jobs', values.jobs, 1),
    minutes: values.minutes === undefined ? Infinity : wholeNumber('--minutes', values.minutes, 1),
    at: values.at === undefined ? undefined : placeOf(values.at),
    record: values.record,
    help: values.help,
  };
}

function folderNamed(text: string): string {
  const name = folders.find((folder) => folder === text.trim());
  if (name === undefined) throw new Error(`--folders ${text}: choose from ${folders.join(', ')}.`);
  return name;
}

function placeOf(text: string): NonNullable<Options['at']> {
  const [, path = '', line] = /^(src\/.+?\.ts)(?::(\d+))?$/.exec(text) ?? [];
  if (path === '') throw new Error(`--at ${text}: give a path such as src/pool/shape.ts:12.`);
  return { path, line: line === undefined ? undefined : Number(line) };
}
