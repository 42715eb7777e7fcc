import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { indexWithin, shellChar } from './shell-character.ts';
import { valueMax } from './shell-expansion.ts';
import type { WordReader } from './shell-word.ts';

/** Remembers `name=value`, so that `$name` can be read later in the text; true for such a word. */
export function assign(reader: WordReader): boolean {
  const { text } = reader;
  const equals = reader.word.indexOf('=');
  if (equals < 1 || equals > 32 || !assignment.test(reader.word)) return false;
  const name = reader.word.slice(0, equals);
  let value = reader.word.slice(equals + 1);
  const next = text.charCodeAt(reader.end);
  if (value === '' && next === shellChar.openParen) return assignArray(reader, name);
  const isQuoted = next === shellChar.singleQuote || next === shellChar.doubleQuote;
  if (value === '' && isQuoted) {
    const close = indexWithin(text, text.charAt(reader.end), reader.end + 1, valueMax);
    if (close >= 0) {
      value = text.slice(reader.end + 1, close);
      reader.end = close + 1;
    }
  }
  if (value !== '') reader.set(name, value);
  return true;
}

const assignment = /^[A-Za-z_]\w{0,31}=/;

/** `a=(ps -ef)` */
function assignArray(reader: WordReader, name: string): boolean {
  const close = indexWithin(reader.text, ')', reader.end, valueMax);
  if (close < 0) return true;
  reader.isCode = true;
  const words = reader.text.slice(reader.end + 1, close).trim();
  reader.set(name, words);
  for (const [index, word] of words.split(blanks, 4).entries()) {
    reader.set(`${name}[${index}]`, word);
  }
  reader.end = close + 1;
  return true;
}

const blanks = /\s+/;

/** `for n in id`: the first word of a loop. */
export function setLoopVariable(reader: WordReader, start: number, end: number): void {
  loopForm.lastIndex = start;
  const parts = loopForm.exec(reader.text);
  if (parts !== null && loopForm.lastIndex <= end) reader.set(parts[1] ?? '', parts[2] ?? '');
}

const loopForm =
  /(?:for|foreach|select)[ \t]{1,8}([A-Za-z_]\w{0,31})[ \t]{1,8}(?:in[ \t]{1,8}|\([ \t]{0,4})['"]?([\w./-]{1,64})/y;

/** `set -- ps -ef`, `alias n=ls`, `read n`: parameters and names that come later. */
export function setParameters(reader: WordReader, start: number, end: number): void {
  const { text } = reader;
  const name = parameterWords.wordBetween(text, start, end);
  const form = parameterForms.get(name);
  if (form === undefined || !text.startsWith(name, start)) return;
  form.lastIndex = end;
  const parts = form.exec(text);
  if (parts === null) return;
  reader.isCode = true;
  if (name === 'read') {
    reader.set(parts[1] ?? '', '');
    return;
  }
  if (declarers.has(name)) {
    reader.set(parts[1] ?? '', parts[2] ?? '');
    return;
  }
  if (name === 'alias') {
    reader.setAlias(parts[1] ?? '', parts[2] ?? '');
    return;
  }
  const words = (parts[1] ?? '').replace(quotes, '');
  for (const parameter of ['@', '*']) reader.set(parameter, words);
  for (const [index, word] of words.split(blanks, 9).entries()) {
    reader.set(String(index + 1), word);
  }
}

const quotes = /['"\\]/g;
const setForm = /[ \t]{1,8}(?:['"]?--['"]?|\$\([^)\n]{1,80}\))[ \t]{1,8}([^;&|\n]{1,200})/y;
const aliasForm = /[ \t]{1,8}(\w{1,32})=['"]?([\w./-]{1,64})/y;
const readForm = /[ \t]{1,8}(?:-r[ \t]{1,8})?([A-Za-z_]\w{0,31})(?=[ \t;<\n])/y;
/** `export a=id`, `declare -x a=id` */
const declareForm =
  /[ \t]{1,8}(?:-{1,2}\w{0,4}[ \t]{1,8}){0,3}([A-Za-z_]\w{0,31})=['"]?([\w./-]{1,64})/y;
const declarers: ReadonlySet<string> = new Set([
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
]);
const parameterForms: ReadonlyMap<string, RegExp> = new Map([
  ...[...declarers].map((name) => [name, declareForm] as const),
  ['set', setForm],
  ['alias', aliasForm],
  ['read', readForm],
]);

/** Commands that set parameters or names. */
export const parameterNames: readonly string[] = [...parameterForms.keys()];
const parameterWords: WordTable = createWordTable(parameterNames);
