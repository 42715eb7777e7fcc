import { parseArgs } from 'node:util';
import { wholeNumber } from '../lib/command.ts';
import type { SearchBudget } from './judge/search.ts';

/** What the command line asks for. */
export interface Options {
  /** Names of oracles; all that are installed when undefined. */
  readonly only: readonly string[] | undefined;
  /** Attacks that work, for each oracle, before rewriting. */
  readonly attacks: number;
  readonly seed: number;
  /** How long each oracle is searched after the campaign; not at all when undefined. */
  readonly search: SearchBudget | undefined;
  readonly jobs: number;
  /** Benign texts of each origin, which are screened instead of attacks; 0 for none. */
  readonly benign: number;
  /** Tools attack the range instead. */
  readonly range: boolean;
  /** Names of tools; all that are installed when undefined. */
  readonly tools: readonly string[] | undefined;
  /** For each run of a tool. */
  readonly toolSeconds: number;
  readonly smoke: boolean;
  /** Where the record goes; no record when undefined. */
  readonly out: string | undefined;
  readonly list: boolean;
  readonly help: boolean;
}

export const usage = `usage: npm run bench:redteam -- [options]

  --only A,B     oracles or categories; all that are installed without it
  --attacks N    attacks that work, for each oracle, before rewriting; at least one for
                 each context (1000)
  --seed S       a whole number: the same seed makes the same attacks (1)
  --search N     seconds of search against each oracle afterwards (0)
  --tries N      in place of seconds: a search of 40 attacks with N tries each
  --jobs N       oracles at the same time (2)
  --benign N     no attacks: up to N different benign texts of each of nine origins, drawn by
                 --seed from what is installed here (documentation, manual pages, sources,
                 packages ...) and made (forms, reports, events). Prints how many the default
                 policy blocks, and how many of these no interpreter of their category calls
                 effective: suspected false positives, per million texts. --only chooses the
                 interpreters, --record writes the families with examples, cut short
  --range        no attacks of ours: sqlmap, wapiti and wfuzz against vulnerable routes
  --tools A,B    which of them; all that are installed without it
  --tool-seconds N  the most that one run of a tool may take (20)
  --record       write bench/record/redteam-<date>-<commit>.json and .md
  --out D        write them to D
  --smoke        20 attacks for each oracle, or one of each tool: only shows that everything works
  --list         the oracles, with their categories and the programs that they need
`;

/** Reads the command line; throws with advice. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      attacks: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      search: { type: 'string', default: '0' },
      tries: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '2' },
      benign: { type: 'string', default: '0' },
      range: { type: 'boolean', default: false },
      tools: { type: 'string' },
      'tool-seconds': { type: 'string', default: '20' },
      record: { type: 'boolean', default: false },
      out: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    only: listOf(values.only),
    attacks: values.smoke ? 20 : wholeNumber('--attacks', values.attacks, 1),
    seed: wholeNumber('--seed', values.seed),
    search: budgetOf(wholeNumber('--search', values.search), wholeNumber('--tries', values.tries)),
    jobs: wholeNumber('--jobs', values.jobs, 1),
    benign: wholeNumber('--benign', values.benign),
    range: values.range,
    tools: listOf(values.tools),
    toolSeconds: wholeNumber('--tool-seconds', values['tool-seconds'], 1),
    smoke: values.smoke,
    out: values.out ?? (values.record ? 'bench/record' : undefined),
    list: values.list,
    help: values.help,
  };
}

function budgetOf(seconds: number, tries: number): SearchBudget | undefined {
  if (seconds > 0 && tries > 0) throw new Error('--search and --tries: choose one of them.');
  if (tries > 0) return { tries };
  return seconds > 0 ? { seconds } : undefined;
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((one) => one.trim());
}
