import { characterSet } from '../../text/runs.ts';
import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { wordList, wordMap, wordSet } from '../../text/words.ts';

/**
 * What may stand in front of the name of a command: POSIX.1-2017, Shell Command Language 2.3
 * (comments), 2.4 (reserved words), 2.7 (redirection), 2.9 (compound commands, functions), and the
 * commands whose arguments are a command.
 */

/** Where reading goes on, and whether only a shell reads what was passed. */
interface Passed {
  readonly end: number;
  readonly isStructured: boolean;
  /** The command is the next word and no more: what stands behind it is for the carrier. */
  readonly isWord?: boolean;
}

const reservedNames: readonly string[] = wordList(
  'for foreach select while until if elif case function then do else',
);
const reserved: WordTable = createWordTable(reservedNames);

/** Passes one comment, redirection, reserved word or header; undefined where there is none. */
export function passPrefix(text: string, at: number): Passed | undefined {
  const code = text.charCodeAt(at);
  if (startsPrefix[code] !== 1) return undefined;
  if (code === hash) return passed(text, at, comment);
  if (code === 60 || code === 62 || (code >= 48 && code <= 57)) {
    return passed(text, at, redirection);
  }
  if (code === bang) return passed(text, at, negation);
  if (code === openParen) return passed(text, at, unnamed);
  if (code === openBrace) return passed(text, at, group);
  const end = endOfWord(text, at);
  if (mayDefine(text, at, end)) {
    const opened = passed(text, at, definition);
    if (opened !== undefined) return opened;
  }
  return passReserved(text, at, end);
}

/** What a comment, a redirection, a negation, a group, or a name begins with. */
const startsPrefix: Uint8Array = characterSet('#<>!({0123456789_abcdefghijklmnopqrstuvwxyz');

function passReserved(text: string, at: number, end: number): Passed | undefined {
  const next = text.charCodeAt(end);
  if (!(next <= 32 || next === openParen || next === 33)) return undefined;
  switch (reserved.wordBetween(text, at, end)) {
    case '':
      return undefined;
    case 'for':
    case 'foreach':
    case 'select':
      return passed(text, at, forHeader);
    case 'case':
      return passed(text, at, caseHeader);
    case 'while':
    case 'until':
      return { end, isStructured: endsList(text, end, 'do', body) };
    case 'if':
    case 'elif':
      return { end, isStructured: endsList(text, end, 'then', branch) };
    case 'function':
      return undefined;
    default:
      return { end, isStructured: false };
  }
}

/** True when the list of a loop or a condition ends as it must. */
function endsList(text: string, from: number, word: string, form: RegExp): boolean {
  const list = text.slice(from, from + listMax);
  return list.includes(word) && form.test(list);
}

const listMax = 300;
const body = /[;\n&]\s{0,8}do\s/;
const branch = /[;\n&]\s{0,8}then\s/;

function passed(text: string, at: number, form: RegExp): Passed | undefined {
  form.lastIndex = at;
  return form.test(text) ? { end: form.lastIndex, isStructured: form !== comment } : undefined;
}

const hash = 35;
const bang = 33;
const openParen = 40;
const openBrace = 123;

const comment = /#[^\n]{0,200}\n\s{0,16}/y;
const group = /\{\s{1,8}(?=[^{}]{1,200}[;\n]\s{0,4}\})/y;
const negation = /!(?=[ \t])/y;
const redirection = /\d{0,2}(?:[<>]&|<>|>>|>\||[<>])[ \t]{0,4}[\w./~${}-]{1,64}(?=[ \t])/y;
/** Also over a sum, `for ((;;))`, and in the short forms of zsh. */
const forHeader =
  /(?:for|select)[ \t]{1,8}[A-Za-z_]\w{0,31}(?:\s{1,8}in(?:[ \t]{1,8}[^;&|\n]{0,120})?)?\s{0,4}[;\n]\s{0,8}do(?=\s)|for[ \t]{0,8}\(\([^()\n]{0,60}\)\)\s{0,4};?\s{0,8}(?:do(?=\s)|\{)|(?:for|foreach|select)[ \t]{1,8}[A-Za-z_]\w{0,31}[ \t]{1,8}\([^()\n]{1,60}\)\s{0,4}(?:[;{]\s{0,8}|(?=\$))/y;
const caseHeader =
  /case[ \t]{1,8}(?:[^\s;&|()]|\$\([^()\n]{1,60}\)){1,64}\s{1,8}in\s{1,8}\(?(?:[^\s;&()]|\$\([^()\n]{1,60}\)){1,64}\)/y;
/** A body that is a command alone is read where the name comes again. */
const definition =
  /(?:function[ \t]{1,8}[A-Za-z_][\w.-]{0,31}(?:[ \t]{0,4}\(\))?|[A-Za-z_][\w.-]{0,31}[ \t]{0,4}\(\))\s{0,8}(?=\{\s|\()|([A-Za-z_]\w{0,31})[ \t]{0,4}\(\)\s{1,8}(?=[a-z][^\n]{0,120}[;\n&|]\s{0,4}\1(?:$|[\s;&|)'"]))/y;
/** The function without a name of zsh, which runs at once. */
const unnamed = /\(\)\s{0,8}\{(?=\s{0,4}[a-z])/y;

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end - at < 32 && isWordPart(text.charCodeAt(end))) end++;
  return end;
}

function isWordPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** A cheap look: `name (`, `function name`. */
function mayDefine(text: string, at: number, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) === 32 || text.charCodeAt(next) === 9) next++;
  return text.charCodeAt(next) === openParen || (next > end && text.startsWith('function', at));
}

/**
 * Offset of the line that ends a here-document (2.7.4) which began before the text: what follows
 * are commands. The length of the text without one.
 */
export function endOfDocument(text: string): number {
  if (!text.includes('EOF')) return text.length;
  const match = documentWord.exec(text);
  if (match === null || text.slice(0, match.index).includes('<<')) return text.length;
  return match.index;
}

const documentWord = /(?:^|\n)[ \t]{0,4}_{0,2}EOF_{0,2}[ \t]{0,4}\r?\n/;

/** Options and assignments, which a line end behind a backslash may part. */
const plain =
  /(?:(?:[ \t]|\\\r?\n){1,12}(?:-{1,2}[\w-]{0,24}(?:=\S{0,40})?|\d{1,5}[smhd]?|[A-Za-z_]\w{0,31}=[^\s;&|]{0,40}|\d?[<>]&?[\w./]{1,40})(?=[ \t\\])){0,6}(?:[ \t]|\\\r?\n){1,12}(?=\S)/y;
const code =
  /(?:(?:[ \t]|\\\r?\n){1,12}(?:-{1,2}[\w-]{0,24}(?:=\S{0,40})?|\d{1,5}[smhd]?|[A-Za-z_]\w{0,31}=[^\s;&|]{0,40}|\d?[<>]&?[\w./]{1,40})(?=[ \t\\])){0,4}(?:[ \t]|\\\r?\n){1,12}(?:(?=['"][\w./-]{0,24}['"]['"$\w\\])|['"][\\'"]{0,8}\s{0,8}|(?=[a-z$]))/y;
const shell =
  /(?:(?:[ \t]|\\\r?\n){1,12}-[a-z]{1,4}){0,3}(?:(?<=c)(?:(?:[ \t]|\\\r?\n){1,12}|\$\{IFS[^}]{0,8}\})['"\\]{0,8}\s{0,8}|[ \t]{0,4}<<<?-?[ \t]{0,4}(?:['"\\]{0,8}|['"\\]?\w{1,32}['"]?\n))(?=\S)/y;
/** A word for what is run when the shell ends, or before each command. */
const trap =
  /[ \t]{1,12}(?:--[ \t]{1,12})?(?=[\w./$\\{}'"-]{1,40}[ \t]{1,12}(?:0|EXIT|exit|DEBUG|Z?ERR|RETURN|(?:SIG)?CHLD)(?:[\s;&|)'"]|$))/y;
/** A name for what runs beside the shell stands in front of a group. */
const coprocess = /[ \t]{1,12}(?:[A-Za-z_]\w{0,31}[ \t]{1,12}(?=[{(]))?(?=\S)/y;
const find = /[^;&|\n]{0,120}-exec(?:dir)?[ \t]{1,8}(?=\S)/y;

/** Commands whose arguments are a command. */
const carriers: ReadonlyMap<string, RegExp> = wordMap(
  [
    plain,
    `command builtin exec nohup setsid busybox doas time nice env sudo stdbuf ionice timeout xargs chroot
     unshare watch repeat noglob nocorrect wsl conhost strace ltrace setarch nsenter taskset chrt systemd-run pkexec runuser fakeroot
     unbuffer`,
  ],
  [code, 'eval trap'],
  [coprocess, 'coproc'],
  [shell, 'sh bash ash dash zsh ksh su $0'],
  [find, 'find'],
);

/**
 * Where the command begins that is an argument of the named one, which ends at `end`; undefined for
 * a command that takes none.
 */
export function passCarrier(text: string, name: string, end: number): Passed | undefined {
  const known = carrierNames.wordBetween(name, name.lastIndexOf('/') + 1, name.length);
  if (known === 'trap') {
    trap.lastIndex = end;
    if (trap.test(text)) return { end: trap.lastIndex, isStructured: true, isWord: true };
  }
  const form = known === '' ? undefined : carriers.get(known);
  if (form === undefined) return undefined;
  form.lastIndex = end;
  if (!form.test(text)) return undefined;
  const isSure = !plainCarriers.has(name) || option.test(text.slice(end, form.lastIndex));
  return { end: form.lastIndex, isStructured: isSure };
}

const option = /[-'"<>]/;
/** Words of English, too: they carry nothing that is sure without an option. */
const plainCarriers: ReadonlySet<string> = wordSet(
  'command exec time nice watch repeat wsl conhost',
);

/** The carrier that stands between two offsets; `''` for any other text. */
export function carrierBetween(text: string, start: number, end: number): string {
  return carrierNames.wordBetween(text, start, end);
}

const carrierNames: WordTable = createWordTable(carriers.keys());

/** All words that may stand in front of the name of a command. */
export const prefixNames: readonly string[] = [...reservedNames, ...carriers.keys()];
