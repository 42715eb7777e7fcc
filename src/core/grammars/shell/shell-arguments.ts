import { isAlnum, isDigit } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import type { CommandHead } from './shell.ts';
import {
  closesInWord,
  indexWithin,
  lookAheadMax,
  shellChar,
  wordTrait,
} from './shell-character.ts';
import { introducer } from './shell-introducer.ts';
import { WordReader } from './shell-word.ts';

/** A word after the name of a command. */
export interface ShellWord {
  readonly text: string;
  readonly traits: number;
}

/** What stands between a command's name and the next command. */
export interface Arguments {
  readonly words: readonly ShellWord[];
  /** A redirection with a target: `> /tmp/x`, `2>&1`, `< /etc/passwd`. */
  readonly redirect: boolean;
  /** The target of a redirection is a path or a file, as no sum and no password has it. */
  readonly sureRedirect: boolean;
  /** It is read: `< /etc/passwd`. */
  readonly input: boolean;
  /** A substitution stands among the words. */
  readonly substitution: boolean;
  /** Where reading stopped. */
  readonly end: number;
}

const wordsMax = 64;

/** Reads the words of a command up to the next separator. */
export function readArguments(text: string, head: CommandHead): Arguments {
  const first = endOfBlanks(text, head.nameEnd);
  if (first >= text.length || endsCommand[text.charCodeAt(first)] === 1) return noArguments(first);
  const reader = new WordReader(text);
  reader.braced = (head.traits & wordTrait.braced) !== 0;
  const words: ShellWord[] = [];
  let redirect = false;
  let sureRedirect = false;
  let substitution = false;
  let input = false;
  reader.inBackticks = head.introducer === introducer.backtick;
  let at = head.nameEnd;
  const end = Math.min(text.length, at + 4 * lookAheadMax);
  while (at < end && words.length < wordsMax) {
    at = reader.skipBlanks(at);
    if (isDigit(text.charCodeAt(at)) && isRedirection(text.charCodeAt(at + 1))) at++;
    const code = text.charCodeAt(at);
    const descriptor = isRedirection(code) ? descriptorEnd(text, at) : -1;
    if (descriptor >= 0) {
      redirect = true;
      sureRedirect = true;
      at = descriptor;
    } else if (code === shellChar.less || code === shellChar.greater) {
      if (isTag(text, at)) break;
      redirect ||= isRedirect(text, at);
      sureRedirect ||= isSureRedirect(text, at);
      input ||= code === shellChar.less && isSureRedirect(text, at);
      at = skipRedirect(text, at);
    } else if (code === shellChar.singleQuote || code === shellChar.doubleQuote) {
      const last = words[words.length - 1];
      const isAttached = at > 0 && !isBlank(text.charCodeAt(at - 1));
      // A quote after a word closes what the text was put into; after an option it opens.
      if (isAttached && (last === undefined || !optionMark.test(last.text))) break;
      const close = closingQuote(text, at);
      if (close < 0) at++;
      else if (closesInWord(text, at) >= 0 && isAlnum(text.charCodeAt(close + 1))) {
        reader.read(at);
        words.push({ text: reader.word, traits: reader.traits });
        at = reader.end;
      } else {
        words.push({ text: text.slice(at + 1, close), traits: wordTrait.quoted });
        at = close + 1;
      }
    } else if (code === shellChar.dollar && sumEnd(text, at) >= 0) {
      words.push({ text: '1', traits: wordTrait.assembled });
      at = sumEnd(text, at);
    } else if (
      code === shellChar.backtick ||
      (code === shellChar.dollar && text.charCodeAt(at + 1) === shellChar.openParen)
    ) {
      substitution = true;
      break;
    } else {
      reader.read(at);
      const isComment = at > head.nameEnd && comment.test(reader.word);
      if (reader.end === at || isComment) break;
      // What comes to nothing is no word.
      if (reader.word !== '') words.push({ text: reader.word, traits: reader.traits });
      at = reader.end;
    }
  }
  return { words, redirect, sureRedirect, input, substitution, end: Math.min(at, text.length) };
}

/** Most names that stand alone have nothing behind them: no reader is needed to see that. */
const endsCommand: Uint8Array = characterSet(';|&()\n\r');

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}

function noArguments(end: number): Arguments {
  return {
    words: [],
    redirect: false,
    sureRedirect: false,
    input: false,
    substitution: false,
    end,
  };
}

/** What ends a command for the shell, or for the query that the text came through. */
const comment = /^(?:#{1,8}|\/\/|--|::)$/;
const optionMark = /^[-/]|[=:,]$/;

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 11 || code === 12 || code === shellChar.closeBrace;
}

function closingQuote(text: string, at: number): number {
  return indexWithin(text, text.charAt(at), at + 1, lookAheadMax);
}

/** A redirection has a target; a lone `<` or `->` has none that a shell would take. */
function isRedirect(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 45 || before === 61) return false;
  const target = text.charCodeAt(skipRedirect(text, at));
  return isAlnum(target) || targetMarks.includes(target);
}

/** `> /tmp/x`, `<./a`, `>%TEMP%`, `> a.txt`, `2>&1`, `<<<` */
function isSureRedirect(text: string, at: number): boolean {
  if (text.startsWith('<<<', at)) return true;
  const from = skipRedirect(text, at);
  return isRedirect(text, at) && sureTarget.test(text.slice(from, from + 64));
}

const sureTarget =
  /^(?:[12](?:[\s;|&'")`]|$)|['"]?(?:~?\/[A-Za-z]|\.{1,2}\/|[A-Za-z]:\\|%[A-Za-z]{2,16}%|\$\{?[A-Za-z(]|[\w-]{0,40}\.[a-z]{2,5}\b|nul\b))/i;

/** `</p>`, `<br/>`, `<a href=`: markup and no redirection. */
function isTag(text: string, at: number): boolean {
  return text.charCodeAt(at) === shellChar.less && tag.test(text.slice(at, at + 40));
}

const tag =
  /^<(?:!--|\/?(?:p|br|b|i|u|s|a|em|hr|h[1-6]|li|ol|ul|td|th|tr|div|pre|sub|sup|kbd|code|span|font|strong|small|table|title|img)(?:\s?\/?>|\s[a-z-]{1,16}=)|\/[a-z][\w:-]{0,24}>)/i;

/** `/ . ~ & $ % \ " '` */
const targetMarks: readonly number[] = [47, 46, 126, 38, 36, 37, 92, 34, 39];

function isRedirection(code: number): boolean {
  return code === shellChar.less || code === shellChar.greater;
}

/** `$((0x5))`: an arithmetic expansion of numbers alone is a number (POSIX, 2.6.4). */
function sumEnd(text: string, at: number): number {
  sum.lastIndex = at;
  return sum.test(text) ? sum.lastIndex : -1;
}

const sum = /\$\(\([\d\sA-Fa-fx+*/%-]{1,32}\)\)(?=[\s;|&)`'"#]|$)/y;

/** `>&1`, `<&0`, `>/dev/null`: its end, as it says nothing of the command; -1 for others. */
function descriptorEnd(text: string, at: number): number {
  descriptor.lastIndex = at;
  return descriptor.test(text) ? descriptor.lastIndex : -1;
}

const descriptor = /[<>](?:&\d|[ \t]{0,4}\/dev\/null)(?=[\s;|&)`'"]|$)/y;

function skipRedirect(text: string, at: number): number {
  let i = at;
  while (text.charCodeAt(i) === shellChar.less || text.charCodeAt(i) === shellChar.greater) i++;
  if (text.charCodeAt(i) === shellChar.ampersand) i++;
  while (text.charCodeAt(i) === 32) i++;
  return i;
}
