import { decodeBase64 } from '../../normalise/base64-alphabet.ts';
import { wordList, wordSet } from '../../text/words.ts';
import { indexWithin, isQuote, shellChar } from './shell-character.ts';
import { matchesPattern, unescaped, valueMax } from './shell-expansion.ts';

/** What reads the words of a text. */
interface WordSource {
  readonly text: string;
  readonly word: string;
  readonly end: number;
  skipBlanks(from: number): number;
  endsAt(at: number): boolean;
  read(from: number): void;
}

/** The words of a whole text, by the stages of its pipeline; undefined for anything else. */
export function stagesOf(source: WordSource): string[][] | undefined {
  const { text } = source;
  const stages: string[][] = [[]];
  let at = 0;
  while (at < text.length && stages.length < stagesMax) {
    at = source.skipBlanks(at);
    const code = text.charCodeAt(at);
    if (at >= text.length) break;
    const isIdle = code === shellChar.semicolon && printed(stages[0] ?? []) === '';
    if (code === shellChar.pipe || (isIdle && stages.length === 1)) {
      // `true;echo id`: what says nothing is no stage.
      if (isIdle) stages.pop();
      stages.push([]);
      at++;
      continue;
    }
    const close = isQuote(code) ? indexWithin(text, text.charAt(at), at + 1, valueMax) : -1;
    if (close > 0 && source.endsAt(close + 1)) {
      stages.at(-1)?.push(text.slice(at + 1, close));
      at = close + 1;
      continue;
    }
    source.read(at);
    if (source.end === at) return undefined;
    stages.at(-1)?.push(source.word);
    at = source.end;
  }
  return stages;
}

const stagesMax = 8;

/**
 * What programs that only turn text into text would print: nothing outside of the text is needed
 * to know it. Undefined for all others.
 */
export function foldPipeline(stages: readonly (readonly string[])[]): string | undefined {
  let output: string | undefined;
  for (const [index, words] of stages.entries()) {
    output = index === 0 ? printed(words) : filtered(words, output ?? '');
    if (output === undefined || output.length > valueMax) return undefined;
  }
  // A substitution loses the line ends behind its text.
  return output === undefined ? undefined : withoutLineEnds(output);
}

function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return text.slice(0, end);
}

/** Output of the first command of a pipeline. */
function printed(words: readonly string[]): string | undefined {
  const [name = ':', ...rest] = words;
  switch (name) {
    case ':':
    case 'true':
    case 'cd':
      return '';
    case 'basename':
      return rest.length === 1 ? rest[0]?.slice(rest[0].lastIndexOf('/') + 1) : undefined;
    case 'echo':
      return echoed(rest);
    case 'printf':
      return formatted(rest);
    case 'which':
    case 'type':
      return rest.at(-1);
    case 'command':
      return rest[0] === '-v' ? rest[1] : printed(rest);
    case 'eval':
    case 'exec':
    case 'env':
      return printed(rest);
    default:
      return undefined;
  }
}

function echoed(words: readonly string[]): string {
  let from = 0;
  while (echoOption.test(words[from] ?? '')) from++;
  const text = words.slice(from).join(' ');
  return words.slice(0, from).some((word) => word.includes('e')) ? unescaped(text) : text;
}

const echoOption = /^-[neE]{1,3}$/;

function formatted(words: readonly string[]): string | undefined {
  const [format = '', ...values] = words[0] === '--' ? words.slice(1) : words;
  let used = 0;
  const text = unescaped(format).replace(conversions, (conversion) => {
    const value = values[used++] ?? '';
    return conversion === '%b' ? unescaped(value) : value;
  });
  return used < values.length ? undefined : text;
}

const conversions = /%[sb]/g;

/** What a command of a pipeline makes of what comes in. */
function filtered(words: readonly string[], input: string): string | undefined {
  const [name = '', ...rest] = words;
  if (passing.has(name)) return rest.length === 0 ? input : undefined;
  switch (name) {
    case 'rev':
      return [...input].reverse().join('');
    case 'tr':
      return translated(input, rest[0] ?? '', rest[1] ?? '');
    case 'base64':
      return decodes.test(rest[0] ?? '') ? fromBase64(input) : undefined;
    case 'xxd':
      return rest.join(' ').includes('r') ? fromHex(input) : undefined;
    case 'sed':
      return substituted(input, rest.at(-1) ?? '');
    case 'cut':
      return cut(input, rest.join(' '));
    default:
      return undefined;
  }
}

/** What lets a line through as it is. */
const passing: ReadonlySet<string> = wordSet('cat tee sort head tail');

/** Up to the padding, or what is no base64. */
function fromBase64(input: string): string {
  const digits = base64Start.exec(input)?.[0] ?? '';
  return decodeBase64(digits, 0, digits.length);
}

const base64Start = /^[A-Za-z0-9+/]*/;

function fromHex(input: string): string {
  return input.replace(hexPairs, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

const hexPairs = /[0-9a-f]{2}/gi;
const decodes = /^(?:-[dD]|--decode)$/;

/** `tr a-z b-za`, `tr -d x` */
function translated(input: string, from: string, to: string): string {
  if (from === '-d') return [...input].filter((one) => !to.includes(one)).join('');
  const [before, after] = [ranged(from), ranged(to)];
  return [...input]
    .map((one) => {
      const at = before.indexOf(one);
      return at < 0 ? one : (after[Math.min(at, after.length - 1)] ?? one);
    })
    .join('');
}

/** `a-f` written out. */
function ranged(set: string): string {
  return set.replace(ranges, (_, first: string, last: string) => {
    const start = first.charCodeAt(0);
    const length = Math.max(0, Math.min(128, last.charCodeAt(0) - start + 1));
    return Array.from({ length }, (_one, index) => String.fromCharCode(start + index)).join('');
  });
}

const ranges = /([A-Za-z0-9])-([A-Za-z0-9])/g;

/** `s/a/b/g` of plain text. */
function substituted(input: string, script: string): string | undefined {
  const parts = substitution.exec(script);
  if (parts === null) return undefined;
  const [, , mark = '', other = '', flags = ''] = parts;
  if (mark === '') return undefined;
  return flags === 'g' ? input.split(mark).join(other) : input.replace(mark, () => other);
}

const substitution = /^s([/|,#])([\w-]{1,40})\1([\w/-]{0,40})\1(g?)$/;

/** `-d: -f2-` */
function cut(input: string, options: string): string | undefined {
  const parts = fields.exec(options);
  if (parts === null) return undefined;
  const [, delimiter = '', field = '1', isOpen = ''] = parts;
  const pieces = input.split(delimiter).slice(Number(field) - 1);
  return isOpen === '' ? pieces[0] : pieces.join(delimiter);
}

const fields = /^-d ?(\S) -f ?(\d)(-?)$/;

/** Folders in which a system keeps its programs. */
const programFolders: readonly string[] = wordList(
  '/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin',
);

/**
 * The path that is meant: `.` and `..` gone, from the root on; patterns in the folder of a program
 * resolved. The same word for what is no path.
 */
export function resolvePath(word: string): string {
  if (!word.includes('/') || word.length > 120) return word;
  const start = climbing.exec(word)?.[0] ?? '';
  if (start === '' && word.charCodeAt(0) !== 47) return word;
  const parts: string[] = [];
  for (const part of word.slice(start.length).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const name = parts.pop() ?? '';
  const folder = `/${parts.join('/')}`;
  if (!glob.test(folder)) return folder === '/' ? `/${name}` : `${folder}/${name}`;
  const known = programFolders.find((one) => one !== '/sbin' && sameShape(folder, one));
  return known === undefined ? word : `${known}/${name}`;
}

/** Up to the root from a folder that is not known. */
const climbing = /^(?:~|\$\{?(?:HOME|PWD)\}?|\.\.?)?(?:\/\.\.){1,32}(?=\/)/i;
const glob = /[?*[]/;

/** A pattern never matches a slash. */
function sameShape(pattern: string, folder: string): boolean {
  const [parts, others] = [pattern.split('/'), folder.split('/')];
  return (
    parts.length === others.length &&
    parts.every((part, index) => matchesPattern(part, others[index] ?? ''))
  );
}

/** A pipeline whose output may be known. */
export function mayFold(text: string, inArguments: boolean): boolean {
  return folds.test(text) || (!inArguments && namesFile.test(text));
}

/** `((1+1))`: a number. */
export const sum = /^\([\d\s()x+*/%a-fA-F-]{1,60}\)$/;
/** What a pipeline begins with whose output is known. */
const folds = /^\s{0,8}(?:$|[:$`'"\\({]|e|pr|wh|t|cd(?:\s|$)|co)/;
/** As an argument it is what a script says of itself: `usage: $(basename $0)`. */
const namesFile = /^\s{0,8}basename\s/;
/** All that it says goes to a file, or it says nothing. */
export function isSilent(text: string): boolean {
  return toFile.test(text) || (text.length < 80 && text.split(parts).every(saysNothing));
}

const toFile = /^[^|;&<>()]{1,80}(?<!\d)>{1,2}\s{0,2}[\w./]{1,40}\s{0,2}$/;
const parts = /(?:[\s;|]|(?<![<>])&){1,8}/;
const saysNothing = (word: string): boolean =>
  word === '' || idle.has(word) || redirection.test(word);
const idle: ReadonlySet<string> = wordSet(
  'if then else fi do done while until break : true false !',
);
const redirection = /^\d?[<>]/;
/** zsh and `cat` put the text behind it in place. */
export const hereString = /^\s{0,8}(?:cat\s{0,4})?<<<(?=\s{0,4}[\w'"\\$])/;
