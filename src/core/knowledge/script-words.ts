import { wordList, wordSet } from '../text/words.ts';
import { dialogs, evaluators, pageFunctions, timers, unpackers } from './page.ts';

/** Functions of a page with names that other languages and prose have, too. */
export const commonFunctions: ReadonlySet<string> = wordSet(
  'open write writeln assign replace call apply fetch import',
);

/** Trigger of the rules for script without markup: a piece of it holds at least one of these. */
export const scriptWords: readonly string[] = [
  ...[...dialogs, ...evaluators, ...timers, ...unpackers],
  ...[...pageFunctions].filter((name) => !commonFunctions.has(name)),
  ...wordList('fetch( fetch` import( open( constructor document location cookie onerror innerhtml'),
  ...wordList('outerhtml open. geturl getscript window .action self?. onhashchange'),
  'import (',
  'import\n(',
];
