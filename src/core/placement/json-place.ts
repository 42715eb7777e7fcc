import { apostrophesIn } from '../text/closing-quote.ts';
import { wordSet } from '../text/words.ts';

/**
 * A JSON text that no literal of a statement or a program can be left in: behind its first quote
 * stands a name, which is an error there, and so it is behind the first apostrophe, if there is one.
 */
export function isDeadJson(text: string, start: number, isStatement: boolean): boolean {
  const [, name = ''] = firstName.exec(text) ?? [];
  if (name === '' || isOperator(name)) return false;
  const at = text.search(apostrophe);
  if (at < 0 || at > start) return true;
  const [, quoted = ''] = quotedWord.exec(text.slice(at, at + quotedMax)) ?? [];
  if (quoted !== '' && !isOperator(quoted)) return true;
  return isStatement && apostrophesIn(text, at, start) % 2 === 0;
}

const firstName = /^[\s[{]{1,40}"([\w$@.-]{1,64})"\s{0,8}:/;
const apostrophe = /(?<![A-Za-z](?='(?:s|t|m|d|re|ve|ll)[^A-Za-z0-9_('"]))'/;
const quotedWord = /^'([A-Za-z]\w{2,40})'/;
const quotedMax = 48;

/** What goes on behind a literal in any of the languages, and what another literal of Python's begins with. */
function isOperator(name: string): boolean {
  return noName.test(name) || operators.has(name.toLowerCase());
}

const noName = /^[\d_]|[.$@-]/;
const operators: ReadonlySet<string> = wordSet(
  'or xor and not in is isnull notnull instanceof isa like ilike rlike regexp glob match between',
  'contains starts ends sounds similar overlaps div mod collate escape at eq ne lt gt le ge cmp',
  'union except intersect minus having where from as order group limit into procedure returning',
  'if else unless while until for then do end rescue with using b f r t u x rb br fr rf tr rt',
  'select insert update delete drop exec execute declare set waitfor print',
);
