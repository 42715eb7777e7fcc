import {
  dialogs,
  evaluators,
  globals,
  keywords,
  pageData,
  pageFunctions,
  timers,
  unpackers,
} from '../../knowledge/page.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import { kindAt, type ScriptTokens, scriptKind } from './script.ts';

const table = createWordTable([
  ...dialogs,
  ...evaluators,
  ...timers,
  ...unpackers,
  ...pageFunctions,
  ...globals,
  ...pageData,
  ...keywords,
  ...wordList(
    'action bind body documentelement forms history jquery serviceworker trustedtypes',
    'constructor data href innerhtml javascript name onerror outerhtml source srcdoc src',
    'script hash protocol search view',
  ),
]);

/** A word token that the judges know, in lower case; `''` for all others. Cuts no text out. */
export function knownWordAt(tokens: ScriptTokens, index: number): string {
  if (kindAt(tokens, index) !== scriptKind.word) return '';
  return table.wordBetween(
    tokens.text,
    tokens.starts[index] as number,
    tokens.ends[index] as number,
  );
}
