import { use, usesOf } from '../../knowledge/commands.ts';
import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { wordMap } from '../../text/words.ts';
import { indexWithin, shellChar } from './shell-character.ts';
import { valueMax } from './shell-expansion.ts';
import type { WordReader } from './shell-word.ts';

/** Remembers `name=value`, so that `$name` can be read later in the text; true for such a word. */
export function assign(reader: WordReader): boolean {
  const { text } = reader;
  const equals = reader.word.indexOf('=');
  if (equals < 1 || equals > 33 || !assignment.test(reader.word)) return false;
  const isAdded = reader.word.charAt(equals - 1) === '+';
  const name = reader.word.slice(0, isAdded ? equals - 1 : equals);
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
  if (value !== '') reader.set(name, isAdded ? (reader.variables?.get(name) ?? '') + value : value);
  return true;
}

const assignment = /^[A-Za-z_]\w{0,31}\+?=/;

/** `a=(ps -ef)` */
function assignArray(reader: WordReader, name: string): boolean {
  const close = indexWithin(reader.text, ')', reader.end, valueMax);
  if (close < 0) return true;
  reader.isCode = true;
  const words = reader.text.slice(reader.end + 1, close).trim();
  reader.set(name, words);
  for (const [index, item] of words.split(blanks, 4).entries()) {
    const [, place = index, word = item] = indexed.exec(item) ?? [];
    reader.set(`${name}[${place}]`, word);
  }
  reader.end = close + 1;
  return true;
}

const blanks = /\s+/;
/** `[1]=id` */
const indexed = /^\[(\d{1,3})\]=(.*)$/;

/** `for n in id`: the first word of a loop. */
export function setLoopVariable(reader: WordReader, start: number, end: number): void {
  loopForm.lastIndex = start;
  const parts = loopForm.exec(reader.text);
  if (parts !== null && loopForm.lastIndex <= end) reader.set(parts[1] ?? '', parts[2] ?? '');
}

const loopForm =
  /(?:for|foreach|select)[ \t]{1,8}([A-Za-z_]\w{0,31})[ \t]{1,8}(?:in[ \t]{1,8}|\([ \t]{0,4})['"]?([\w./-]{1,64})/y;

/** `f(){ "$@";};f id`: what a function is called with, where its definition ends at `end`. */
export function setCallParameters(reader: WordReader, start: number, end: number): void {
  const { text } = reader;
  const rest = text.slice(end, end + callMax);
  if (!rest.includes('$')) return;
  const [, name = ''] = defined.exec(text.slice(start, Math.min(end, start + 64))) ?? [];
  if (name === '') return;
  for (let at = rest.indexOf(name); at >= 0; at = rest.indexOf(name, at + name.length)) {
    const next = rest.charCodeAt(at + name.length);
    if ((next !== 32 && next !== 9) || !callStart.test(rest.slice(Math.max(0, at - 8), at)))
      continue;
    const [, words] = callEnd.exec(rest.slice(at + name.length, at + callMax)) ?? [];
    if (words === undefined) continue;
    position(reader, words.replace(quotes, '').trim().split(blanks, 9));
    return;
  }
}

const callMax = 200;
const defined = /^(?:function[ \t]{1,8})?([A-Za-z_][\w.-]{0,31})/;
const callStart = /[;\n&|]\s{0,6}$/;
const callEnd = /^[ \t]{1,8}([^\s;&|)][^;&|\n)]{0,120})/;

/** `set -- ps -ef`, `alias n=ls`, `read n`: parameters and names that come later. */
export function setParameters(
  reader: WordReader,
  start: number,
  end: number,
  isPlain: boolean,
): void {
  const { text } = reader;
  const isKnown =
    !isPlain || end - start === 1 || parameterWords.wordBetween(text, start, end) !== '';
  if (!isKnown) return;
  const name = isPlain ? text.slice(start, end) : reader.word;
  const [form, setter] = parameterForms.get(name) ?? [];
  if (form === undefined || setter === undefined) return;
  form.lastIndex = end;
  const parts = form.exec(text);
  if (parts !== null && setter(reader, parts[1] ?? '', parts[2] ?? '')) reader.isCode = true;
}

/** Takes the parts of its form; true where no sentence has them. */
type Setter = (reader: WordReader, one: string, two: string) => boolean;

const setVariable: Setter = (reader, name, value) => {
  reader.set(name, value);
  return true;
};

const setAlias: Setter = (reader, name, value) => {
  reader.setAlias(name, value);
  return true;
};

/** Without the dashes it may be a sentence: then a command stands among the words that no prose has. */
const setPositional: Setter = (reader, dashes, rest) => {
  const [given = '', isRead] = rest.split(commandEnd, 2);
  const words = given.replace(quotes, '').split(blanks, 9);
  if (dashes === '' && !words.some(isRead ? mayRun : isNoWord)) return false;
  position(reader, words);
  return dashes !== '';
};

function isNoWord(word: string): boolean {
  const uses = usesOf(word.toLowerCase());
  return uses !== 0 && (uses & use.english) === 0;
}

function mayRun(word: string): boolean {
  return mark.test(word) || usesOf(word.toLowerCase()) !== 0;
}

const mark = /\W/;

const shift: Setter = (reader, count) => {
  const words = reader.variables?.get('@')?.split(blanks, 9);
  if (words !== undefined) position(reader, words.slice(Number(count || 1)));
  return false;
};

function position(reader: WordReader, words: readonly string[]): void {
  for (const parameter of ['@', '*']) reader.set(parameter, words.join(' '));
  // One more has no value: it may have been set before.
  for (const [index, word] of [...words, ''].entries()) reader.set(String(index + 1), word);
}

/** `read -r a b`: what comes in where the text has it, else nothing that is known. */
const setRead: Setter = (reader, names, rest) => {
  const [, ...given] = input.exec(rest) ?? [];
  const line = given.find((one) => one !== undefined) ?? '';
  const list = names.trim() === '' ? ['REPLY'] : names.trim().split(blanks, 8);
  const words = list.length === 1 ? [line] : line.split(blanks, 9);
  for (const [index, name] of list.entries()) reader.set(name, words[index] ?? '');
  return true;
};

const quotes = /['"\\]/g;
/** A here-string, or the first line of a here-document. */
const input =
  /^[ \t]{0,4}(?:<<<[ \t]{0,4}(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|([^\s;&|]{1,64}))|<<-?[ \t]{0,4}['"\\]?\w{1,32}['"]?[^\n]{0,60}\n([^\n]{1,80}))/;
const setForm =
  /[ \t]{1,8}(?:[-+]\w{0,8}[ \t]{1,8}){0,3}(['"]?-(?:\\\n)?-['"]?[ \t]{1,8}|\$\([^)\n]{1,80}\)[ \t]{1,8}|)([^;&|\n]{1,200}(?:(?:;|&&|\n)(?:shift(?: \d)?(?:;|&&|\n))?"?\$[@*1-9{])?)/y;
const commandEnd = /[;&\n]+/;
const shiftForm = /[ \t]{0,8}(\d?)/y;
/** Also `hash n=/bin/ls` of zsh. */
const aliasForm = /[ \t]{1,8}['"]?(\w{1,32})=['"]?([\w./-]{1,64})/y;
const readForm =
  /(?:[ \t]{1,8}-[a-zA-Z]{1,4})?((?:[ \t]{1,8}[A-Za-z_]\w{0,31}){0,4})(?=[ \t;<\n])([ \t]{0,4}<<[^;&|]{1,200})?/y;
/** `export a=id`, `declare -x a=id` */
const declareForm =
  /[ \t]{1,8}(?:-{1,2}\w{0,4}[ \t]{1,8}){0,3}([A-Za-z_]\w{0,31})=\(?['"]?([\w./-]{1,64})/y;
/** `printf -v a '%s' id` */
const printForm =
  /[ \t]{1,8}-v[ \t]{0,8}([A-Za-z_]\w{0,31})[ \t]{1,8}(?:['"]?%s['"]?[ \t]{1,8})?['"]?([\w./-]{1,64})/y;
/** `getopts a: x -aid` */
const optionForm =
  /[ \t]{1,8}['"]?[\w:]{1,20}['"]?[ \t]{1,8}\w{1,32}[ \t]{1,8}-\w[ \t]{0,8}([\w./-]{1,64})/y;
/**
 * `: ${a:=id}` sets what has no value; `$_` is the last argument of the command before. A text that
 * begins with `echo` shows what `$_` is.
 */
const defaultForm =
  /[ \t]{1,8}(?:"?\$\{([A-Za-z_]\w{0,31}):?=|(?<!^echo[ \t]{1,8}(?=\w{1,32};\$_))(?=[\w./-]{1,64}[;\n&]{1,2}(?:eval )?"?\$_))['"]?([\w./-]{1,64})/y;
const setDefault: Setter = (reader, name, value) =>
  (name !== '' || mayRun(value)) && setVariable(reader, name || '_', value);
const setOption: Setter = (reader, value) => setVariable(reader, 'OPTARG', value);

const parameterForms: ReadonlyMap<string, readonly [form: RegExp, setter: Setter]> = wordMap<
  readonly [form: RegExp, setter: Setter]
>(
  [[declareForm, setVariable], 'export declare typeset readonly local'],
  [[setForm, setPositional], 'set'],
  [[shiftForm, shift], 'shift'],
  [[aliasForm, setAlias], 'alias hash'],
  [[readForm, setRead], 'read mapfile readarray'],
  [[printForm, setVariable], 'printf'],
  [[optionForm, setOption], 'getopts'],
  [[defaultForm, setDefault], ': true echo test'],
);

/** Commands that set parameters or names. */
export const parameterNames: readonly string[] = [...parameterForms.keys()];
const parameterWords: WordTable = createWordTable(parameterNames);
