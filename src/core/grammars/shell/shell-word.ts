import { isAlnum, isDigit } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import {
  beginsWord,
  closesInWord,
  endsWord,
  ifsLength,
  indexWithin,
  isMark,
  isNamePart,
  joinedListEnd,
  lookAheadMax,
  nestedMark,
  shellChar,
  variableEnd,
  wordTrait,
} from './shell-character.ts';
import {
  environment,
  givenTo,
  isShellCall,
  namesShell,
  operate,
  readParameter,
  unescaped,
  valueMax,
} from './shell-expansion.ts';
import { foldPipeline, hereString, isSilent, mayFold, stagesOf, sum } from './shell-fold.ts';
import { ShellState } from './shell-state.ts';

/** Reads single words; one object serves a whole text. */
export class WordReader extends ShellState {
  /** The last word as the shell would see it. */
  word = '';
  end = 0;
  traits = 0;
  private isDone = false;
  /** Holds `:`, `%` or `\\`, as Windows paths do; to search the word each time is quadratic. */
  private isPath = false;
  /** Offset of the first substitution in the last word, whose commands are read too; -1 without. */
  nested = -1;
  private readonly depth: number;

  constructor(text: string, depth = 0) {
    super(text);
    this.depth = depth;
  }

  /** Reads the word at `from`; an empty word leaves `end` at `from`. */
  read(from: number): void {
    const text = this.text;
    this.word = '';
    this.traits = this.braced ? wordTrait.braced : 0;
    this.isDone = false;
    this.isPath = false;
    this.nested = -1;
    let plainFrom = from;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code >= 128 || isMark[code] === 0) {
        at++;
        continue;
      }
      if (endsWord[code] === 1 && !this.isFolded(at)) break;
      this.append(text.slice(plainFrom, at));
      at = this.special(code, at, from);
      plainFrom = at;
      if (this.isDone) break;
    }
    this.word += text.slice(plainFrom, at);
    // A lone expansion of what is not known stands for itself.
    if (this.word === '' && (this.traits & wordTrait.expansion) !== 0) {
      this.word = text.slice(from, at);
    }
    const alias = this.aliases?.get(this.word);
    if (alias !== undefined) {
      this.word = alias;
      this.traits |= wordTrait.assembled | wordTrait.own;
    }
    this.end = at;
    if (text.charCodeAt(at) === shellChar.openParen) this.traits |= wordTrait.call;
  }

  /** Takes a word without marks that ends at `end`; its letters are left where they are. */
  takePlain(end: number): void {
    this.word = '';
    this.end = end;
    this.traits = this.text.charCodeAt(end) === shellChar.openParen ? wordTrait.call : 0;
    this.nested = -1;
  }

  /** Offset of the first substitution in the word, or in front of it. */
  firstNested(): number {
    return Math.min(...[this.nested, this.skipped].filter((at) => at >= 0));
  }

  /** Ends the word at `at`. */
  private finish(at: number): number {
    this.isDone = true;
    return at;
  }

  /** A backtick inside of a word, or in front of one, whose output is known. */
  private isFolded(at: number): boolean {
    const { text } = this;
    if (text.charCodeAt(at) !== shellChar.backtick || this.inBackticks) return false;
    const close = this.closeOf(at, shellChar.backtick, shellChar.backtick);
    const output = close < 0 ? undefined : this.fold(at + 1, close);
    if (output === undefined) return false;
    return output !== '' || this.inArguments || isNamePart(text.charCodeAt(close + 1));
  }

  /** Reads one construct; returns where the word goes on. */
  private special(code: number, at: number, from: number): number {
    switch (code) {
      case shellChar.singleQuote:
      case shellChar.doubleQuote:
        return this.quote(at, from);
      case shellChar.backslash:
        return this.escape(at, from);
      case shellChar.caret:
        return this.caretMark(at, from);
      case shellChar.dollar:
        return this.expansion(at, from);
      case shellChar.percent:
        return this.percentMark(at);
      case shellChar.backtick:
        return this.substitution(at, at + 1, this.closeOf(at, code, code), from);
      case shellChar.closeBrace:
      case 44:
        if (this.braced) return this.finish(at);
        break;
      case shellChar.openBrace:
        return this.listMark(at);
    }
    if (isGlob[code] === 1) this.traits |= wordTrait.glob;
    this.word += String.fromCharCode(code);
    return at + 1;
  }

  /** `{i,}d`: the first of the words that the list makes. */
  private listMark(at: number): number {
    const end = this.braced ? -1 : joinedListEnd(this.text, at);
    if (end < 0) return this.put('{', 0, at + 1);
    const first = this.text.slice(at + 1, this.text.indexOf(',', at));
    return this.put(first, this.inArguments ? 0 : wordTrait.split, end);
  }

  private append(piece: string): void {
    if (piece === '') return;
    this.word += piece;
    this.isPath ||= pathMark.test(piece);
  }

  private keep(sign: '%' | '\\', at: number): number {
    this.word += sign;
    this.isPath = true;
    return at + 1;
  }

  private quote(at: number, from: number): number {
    const isDouble = this.text.charCodeAt(at) === shellChar.doubleQuote;
    const close = isDouble ? this.closesDouble(at) : closesInWord(this.text, at);
    if (close < 0) return this.finish(at);
    const isWhole = at === from && this.endsAt(close + 1);
    this.traits |= isWhole ? wordTrait.quoted : wordTrait.split;
    if (isDouble) this.expandQuoted(at + 1, close, from);
    else this.append(this.text.slice(at + 1, close));
    return close + 1;
  }

  /** What double quotes leave of their text. */
  private expandQuoted(from: number, close: number, wordFrom: number): void {
    const { text } = this;
    let at = from;
    while (at < close) {
      const code = text.charCodeAt(at);
      if (code === shellChar.dollar) {
        const end = this.expansion(at, wordFrom);
        // What ends a word elsewhere is a character here.
        at = this.isDone ? at + 1 : end;
        this.isDone = false;
      } else if (code === shellChar.backslash && escapedInQuotes.has(text.charCodeAt(at + 1))) {
        if (text.charCodeAt(at + 1) !== 10) this.append(text.charAt(at + 1));
        at += 2;
      } else this.append(text.charAt(at++));
    }
  }

  private escape(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (next === 10 || next === 13) {
      this.traits |= wordTrait.split;
      return at + 2;
    }
    if (next === shellChar.backslash) return this.backslashes(at);
    const before = this.text.charCodeAt(at - 1);
    // Windows paths keep their backslashes: after a drive, a variable, or at the start of a share.
    const startsPath = before === 58 || before === shellChar.percent;
    if (this.isPath || startsPath || at + 1 >= this.text.length) return this.keep('\\', at);
    if (at > from && isAlnum(next)) this.traits |= wordTrait.split;
    return at + 1;
  }

  /** All but the last of a run: each stands at the start of a share. */
  private backslashes(at: number): number {
    let last = at + 1;
    while (this.text.charCodeAt(last + 1) === shellChar.backslash) last++;
    this.append(this.text.slice(at, last));
    return last;
  }

  private caretMark(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (at > from && isAlnum(next) && !isDigit(next)) this.traits |= wordTrait.caret;
    return at + 1;
  }

  private percentMark(at: number): number {
    const close = isAlnum(this.text.charCodeAt(at + 1)) ? variableEnd(this.text, at + 1) : -1;
    if (close < 0) return this.keep('%', at);
    this.traits |= wordTrait.expansion;
    this.append(this.text.slice(at, close + 1));
    return close + 1;
  }

  private expansion(at: number, from: number): number {
    const { text } = this;
    const next = text.charCodeAt(at + 1);
    if (ifsLength(text, at) > 0) {
      this.traits |= wordTrait.ifs;
      return this.finish(at);
    }
    if (next === shellChar.openParen) {
      const close = this.closeOf(at + 1, shellChar.openParen, shellChar.closeParen);
      return this.substitution(at, at + 2, close, from);
    }
    if (next === shellChar.doubleQuote) return this.quote(at + 1, from);
    if (next === shellChar.singleQuote) return this.ansiQuote(at + 1, from);
    if (next === shellChar.openBrace) return this.braceExpansion(at, from);
    const isCalled = next === 48 && this.isShell(at, at + 2);
    if (isCalled) return this.put(this.shellName(), wordTrait.assembled, at + 2);
    const isFirst = beginsWord(text, at, from);
    if (emptyParameters.includes(next) || isDigit(next)) {
      if (this.isOwn(text.charAt(at + 1), isFirst)) return at + 2;
      if (at > from || isAlnum(text.charCodeAt(at + 2))) this.traits |= wordTrait.split;
      return at + 2;
    }
    let end = at + 1;
    while (isAlnum(text.charCodeAt(end)) || text.charCodeAt(end) === 95) end++;
    if (this.isOwn(text.slice(at + 1, end), isFirst)) return end;
    this.traits |= wordTrait.expansion;
    this.append(text.slice(at, end));
    return end;
  }

  /** A parameter that names the shell, where it is called; within an expansion it is a word. */
  private isShell(at: number, end: number): boolean {
    if (this.depth > 0) return this.depth < depthMax;
    const from = this.text.charCodeAt(end) === shellChar.doubleQuote ? end + 1 : end;
    if (this.word.endsWith('=')) return true;
    const reader = this.readerOf(this.text.slice(from, from + 64));
    const next = reader.skipBlanks(0);
    if (next > 0) reader.read(next);
    return isShellCall(this.text, at, end, reader.word);
  }

  /** Assigned, it is a name for the shell. */
  private shellName(): string {
    return this.word.endsWith('=') ? '$0' : 'sh';
  }

  private put(piece: string, trait: number, end: number): number {
    this.append(piece);
    this.traits |= trait;
    return end;
  }

  /** Appends what the same text has assigned to the name; false when it has not. */
  private isOwn(name: string, isFirst: boolean): boolean {
    const value = this.assignedTo(name, '', isFirst);
    if (value === undefined) return false;
    // Bounded, because a variable may be made of itself, twice.
    if (this.word.length <= lookAheadMax) this.append(value);
    return true;
  }

  /** `$'…'` */
  private ansiQuote(at: number, from: number): number {
    const close = closesInWord(this.text, at);
    if (close < 0) return this.finish(at - 1);
    const isEscaped = indexWithin(this.text, '\\', at, close - at) >= 0;
    const isWhole = at - 1 === from && this.endsAt(close + 1) && !isEscaped;
    this.traits |= isWhole ? wordTrait.quoted : wordTrait.split;
    this.append(unescaped(this.text.slice(at + 1, close)));
    return close + 1;
  }

  /** `${name}`, `${name:0:1}`, `${name:-word}`, `${name#word}` … */
  private braceExpansion(at: number, from: number): number {
    const { text } = this;
    const close = this.closeOf(at + 1, shellChar.openBrace, shellChar.closeBrace);
    const parameter = close < 0 ? undefined : readParameter(text.slice(at + 2, close));
    if (parameter === undefined) {
      this.word += '${';
      return at + 2;
    }
    const inner = nestedMark(text, at + 2, close);
    if (inner >= 0 && this.nested < 0) this.nested = inner;
    const { name, mark, operator, word } = parameter;
    const value = this.assignedTo(name, mark, beginsWord(text, at, from));
    if (namesShell(parameter) && this.isShell(at, close + 1))
      return this.put('sh', wordTrait.assembled, close + 1);
    if (operator === '') {
      if (value === undefined) this.appendUnknown(name, at, close, at > from);
      else this.append(value);
      return close + 1;
    }
    const known = value ?? givenTo(name);
    const made = operate(parameter, known, () => this.expandText(word));
    const isDefault = operator.includes('-') || operator.includes('=');
    if (isDefault) this.traits |= wordTrait.defaulted;
    else this.traits |= made === '' ? wordTrait.split : wordTrait.assembled;
    if (this.word.length <= lookAheadMax) this.append(made);
    return close + 1;
  }

  /** `${name}` stands for itself where a process has it, and for nothing else. */
  private appendUnknown(name: string, at: number, close: number, isBehind: boolean): void {
    const isInside = isBehind && isNamePart(this.text.charCodeAt(close + 1));
    this.traits |= isInside ? wordTrait.split : wordTrait.expansion;
    if (environment.has(name)) this.append(this.text.slice(at, close + 1));
  }

  /** What the same text has assigned; a mark in front reads a name or the length. */
  private assignedTo(name: string, mark: string, isFirst: boolean): string | undefined {
    const own = this.variables?.get(name);
    const value = mark === '!' && own !== undefined ? this.variables?.get(own) : own;
    if (value === undefined) return undefined;
    this.traits |= wordTrait.assembled | (isFirst ? wordTrait.own : 0);
    this.isCode = true;
    return mark === '#' ? String(value.length) : value;
  }

  /** A word of an expansion, itself expanded. */
  private expandText(text: string): string {
    if (!expands.test(text) || this.depth >= depthMax) return text;
    const reader = this.readerOf(text);
    reader.read(0);
    this.budget = reader.budget;
    return reader.word;
  }

  private readerOf(text: string): WordReader {
    const reader = new WordReader(text, this.depth + 1);
    reader.variables = this.variables;
    reader.aliases = this.aliases;
    reader.budget = this.budget;
    return reader;
  }

  /** `$(…)` and backticks: their text where it is known, else the end of the word. */
  private substitution(at: number, from: number, close: number, wordFrom: number): number {
    if (this.nested < 0) this.nested = at;
    const output = close < 0 ? undefined : this.fold(from, close);
    if (output === undefined) return this.finish(at);
    const goesOn = isNamePart(this.text.charCodeAt(close + 1));
    if (output !== '') this.traits |= wordTrait.assembled;
    else if (at > wordFrom && goesOn) this.traits |= wordTrait.split;
    this.append(output);
    return close + 1;
  }

  /** Output of a pipeline that only turns text into text. */
  private fold(from: number, to: number): string | undefined {
    const text = this.text.slice(from, to);
    if (text.charCodeAt(0) === shellChar.openParen) return sum.test(text) ? '1' : undefined;
    if (this.depth >= depthMax || text.length > valueMax) return undefined;
    if (isSilent(text)) return '';
    const given = hereString.exec(text);
    if (given !== null) return this.expandText(text.slice(given[0].length).trim());
    if (!mayFold(text, this.inArguments)) return undefined;
    const reader = this.readerOf(text);
    const stages = stagesOf(reader);
    this.budget = reader.budget;
    return stages === undefined ? undefined : foldPipeline(stages);
  }
}

const depthMax = 4;
const expands = /[$`'"\\]/;
/** What a backslash takes its meaning from in double quotes. */
const escapedInQuotes: ReadonlySet<number> = new Set([36, 96, 34, 92, 10]);

const isGlob: Uint8Array = characterSet('?*[');
/** Special parameters that usually expand to nothing: `$@ $* $! $- $?`. */
const emptyParameters: readonly number[] = [64, 42, 33, 45, 63];

const pathMark = /[:%\\]/;
