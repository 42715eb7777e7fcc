import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../../lib/command.ts';

/** What the command line asks for. */
export interface Options {
  /** Names with commas; undefined for all that are installed. */
  readonly reader: string | undefined;
  readonly requests: number;
  readonly seed: number;
  readonly jobs: number;
  /** Undefined: the default of the product. */
  readonly onIncomplete: 'allow' | 'block' | undefined;
  /** One request, escaped, in the place of a run. */
  readonly request: string | undefined;
  readonly list: boolean;
  readonly help: boolean;
}

export const usage = `usage: npm run bench:differential -- [options]

  --reader A,B       only these readers (all that are installed)
  --requests N       requests for each reader (25000: about a million in all)
  --seed S           a number; the same seed sends the same requests (a fresh one)
  --jobs N           readers at the same time, each in a process of its own (one for each processor)
  --on-incomplete C  allow or block what could not be screened whole (the default of the product)
  --request TEXT     send this one request, escaped as in the report, and show what is seen
  --list             names of the readers, with the programs that they need
`;

/** Reads the command line; throws with advice. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      reader: { type: 'string' },
      requests: { type: 'string', default: '25000' },
      seed: { type: 'string', default: String(freshSeed()) },
      jobs: { type: 'string', default: String(availableParallelism()) },
      'on-incomplete': { type: 'string' },
      request: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    reader: values.reader,
    requests: wholeNumber('--requests', values.requests),
    seed: wholeNumber('--seed', values.seed),
    jobs: Math.max(1, wholeNumber('--jobs', values.jobs)),
    onIncomplete: choiceIn(values['on-incomplete']),
    request: values.request,
    list: values.list,
    help: values.help,
  };
}

/** A seed that no run had before, most likely. */
function freshSeed(): number {
  return randomInt(2 ** 32);
}

function choiceIn(text: string | undefined): Options['onIncomplete'] {
  if (text === undefined || text === 'allow' || text === 'block') return text;
  throw new Error(`--on-incomplete ${text}: give allow or block.`);
}
