import { isAlnum, isDigit } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import type { CommandHead } from './shell.ts';
import { endOfForm } from './shell-carrier.ts';
import {
  closesInWord,
  indexWithin,
  isQuote,
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

const wordsMax = 64;

/** Reads the words of a command up to the next separator. */
export function readArguments(text: string, head: CommandHead): Arguments {
  const first = endOfBlanks(text, head.nameEnd);
  const given = new Arguments(first, (head.traits & wordTrait.structured) !== 0);
  if (first >= text.length || endsCommand[text.charCodeAt(first)] === 1) {
    given.feed(text);
    return given;
  }
  const reader = new WordReader(text);
  reader.braced = (head.traits & wordTrait.braced) !== 0;
  reader.inArguments = true;
  reader.inBackticks = head.introducer === introducer.backtick;
  given.read(reader, head.nameEnd);
  given.feed(text);
  return given;
}

/** Where nothing of the command is left to read. */
const stop = -1;

/** What stands between a command's name and the next command. */
export class Arguments {
  readonly words: ShellWord[] = [];
  /** A redirection with a target: `> /tmp/x`, `2>&1`, `< /etc/passwd`. */
  redirect = false;
  /** The target of a redirection is a path or a file, as no sum and no password has it. */
  sureRedirect = false;
  /** It is read: `< /etc/passwd`. */
  input = false;
  /** A substitution stands among the words. */
  substitution = false;
  /** Where reading stopped. */
  end: number;
  /** A blank stands in front of the word. */
  private isApart = false;
  private readonly inGroup: boolean;

  constructor(end: number, inGroup = false) {
    this.end = end;
    this.inGroup = inGroup;
  }

  read(reader: WordReader, nameEnd: number): void {
    const { text } = reader;
    const limit = Math.min(text.length, nameEnd + 4 * lookAheadMax);
    let at = nameEnd;
    while (at < limit && this.words.length < wordsMax) {
      const from = at;
      at = reader.skipBlanks(at);
      this.isApart = at > from;
      if (isDigit(text.charCodeAt(at)) && isRedirection(text.charCodeAt(at + 1))) at++;
      const next = this.part(reader, at, nameEnd);
      if (next === stop) break;
      at = next;
    }
    this.end = Math.min(at, text.length);
  }

  /** `(cat)</etc/hosts`, `do cat;done<a.txt`: what stands behind a group or loop is for the commands in it, and of its condition. */
  feed(text: string): void {
    let end = endOfForm(text, groupEnd, this.end);
    if (end < 0 && this.inGroup) end = endOfForm(text, listEnd, this.end);
    if (end < 0 || !isSureRedirect(text, end)) return;
    this.redirect = true;
    this.sureRedirect = true;
    this.input = text.charCodeAt(end) === shellChar.less;
  }

  /** Reads a word or a redirection; returns where the next begins. */
  private part(reader: WordReader, at: number, nameEnd: number): number {
    const { text } = reader;
    const code = text.charCodeAt(at);
    if (isRedirection(code)) return this.redirection(text, at);
    if (isQuote(code)) return this.quoted(reader, at);
    const sumEnd = code === shellChar.dollar ? endOfForm(text, sum, at) : -1;
    if (sumEnd >= 0) return this.add('1', wordTrait.assembled, sumEnd);
    reader.read(at);
    const isComment = at > nameEnd && comment.test(reader.word);
    if (reader.end === at || isComment) {
      // One whose text is known is a word, or none.
      this.substitution = opensSubstitution(text, at);
      return stop;
    }
    // What comes to nothing is no word, nor is the end of a group to zsh.
    const isNone = reader.word === '' || (this.inGroup && reader.word === '}');
    return isNone ? reader.end : this.add(reader.word, reader.traits, reader.end);
  }

  private add(text: string, traits: number, end: number): number {
    this.words.push({ text, traits });
    return end;
  }

  private redirection(text: string, at: number): number {
    const end = endOfForm(text, descriptor, at);
    if (end >= 0) {
      this.redirect = true;
      this.sureRedirect = true;
      return end;
    }
    if (isTag(text, at)) return stop;
    const isSure = isSureRedirect(text, at);
    this.redirect ||= isRedirect(text, at);
    this.sureRedirect ||= isSure;
    this.input ||= isSure && text.charCodeAt(at) === shellChar.less;
    return skipRedirect(text, at);
  }

  private quoted(reader: WordReader, at: number): number {
    const { text } = reader;
    const last = this.words[this.words.length - 1];
    // A quote after a word closes what the text was put into; after an option it opens.
    if (!this.isApart && (last === undefined || !optionMark.test(last.text))) return stop;
    const close = indexWithin(text, text.charAt(at), at + 1, lookAheadMax);
    if (close < 0) return at + 1;
    const goesOn = closesInWord(text, at) >= 0 && joint.test(text.slice(close + 1, close + 3));
    if (!goesOn) return this.add(text.slice(at + 1, close), wordTrait.quoted, close + 1);
    reader.read(at);
    return this.add(reader.word, reader.traits, reader.end);
  }
}

/** What a quoted piece of a word has behind it; not the quote in `'it'\\''s'`. */
const joint = /^(?:[\w/.-]|[\\'"][A-Za-z\d])/;

const groupEnd =
  /[ \t\n;]{0,8}(?:[)}]|done|fi|esac)[ \t]{0,8}(?=<(?!\/\w{1,12}>)[^<(]|>&\d|>{1,2}[ \t]?[/~.])/y;
/** The same behind the rest of a condition or a body. */
const listEnd =
  /[;\n][^<>()]{0,80}[;\n][ \t]{0,8}(?:done|fi|esac)[ \t]{0,8}(?=<(?!\/\w{1,12}>)[^<(]|>&\d|>{1,2}[ \t]?[/~.])/y;

/** A backtick or `$(`. */
function opensSubstitution(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === shellChar.dollar) return text.charCodeAt(at + 1) === shellChar.openParen;
  return code === shellChar.backtick;
}

/** Most names that stand alone have nothing behind them: no reader is needed to see that. */
const endsCommand: Uint8Array = characterSet(';|&()\n\r');

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}

/** What ends a command for the shell, or for the query that the text came through. */
const comment = /^(?:#{1,8}|\/\/|--|::)$/;
const optionMark = /^[-/]|[=:,]$/;

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
const sum = /\$\(\([\d\sA-Fa-fx+*/%-]{1,32}\)\)(?=[\s;|&)`'"#]|$)/y;
/** `>&1`, `<&0`, `>/dev/null`: it says nothing of the command. */
const descriptor = /[<>](?:&\d|[ \t]{0,4}\/dev\/null)(?=[\s;|&)`'"]|$)/y;

function skipRedirect(text: string, at: number): number {
  let i = at;
  while (isRedirection(text.charCodeAt(i))) i++;
  if (text.charCodeAt(i) === shellChar.ampersand) i++;
  while (text.charCodeAt(i) === 32) i++;
  return i;
}
