import {
  calls,
  documents,
  grouping,
  hosts,
  joining,
  words,
} from '../../knowledge/database-script.ts';
import { isDigit, isSpace } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import { isNamePart } from '../sql/sql-characters.ts';
import { type ScriptRest, said, scriptEnd } from './script-said.ts';

/**
 * Reads script from where a value leaves its literal or operand to the end of the text, to a
 * comment, or to a literal that is left open; undefined where it is none. Operands and operators of
 * ECMA-262 take turns; statements are read as far as their words and brackets go.
 */
export function readScriptRest(
  text: string,
  from: number,
  { isOperand = false, isLiteral = false } = {},
): ScriptRest | undefined {
  return new ScriptRestReader(text, from, isOperand, isLiteral).read();
}

const turn = { operand: 0, operator: 1, either: 2 } as const;
const goOn = -1;
const refused = -2;
const tokensMax = 600;
/** A literal that the script of the application closes is the rest of a word. */
const openMax = 60;
export const decisive: number = said.document | said.call | said.statement | said.host;

/** `8h`: right behind the digits of a number stands no name (ECMA-262, 12.9.3). */
const quantity = /^(?!0[xob])[\d_]{1,20}[a-df-mo-z$]/i;

class ScriptRestReader {
  private readonly text: string;
  private at: number;
  private said = 0;
  private turn: number;
  /** Open brackets, the last of them the first character; groups of IF and loops in upper case. */
  private readonly brackets: string[] = [];
  private isGroup = false;
  /** The statement is a `return` that always runs. */
  private isReturn = false;
  private last = '';
  private quote = 0;
  /** A constant stands on the left of a comparison. */
  private isConstant = false;
  private isCompared = false;
  /** `!` or `~` stands in front of the operand that comes. */
  private isNegated = false;

  constructor(text: string, from: number, isOperand: boolean, isConstant: boolean) {
    this.text = text;
    this.isConstant = isConstant;
    this.at = from;
    this.turn = isOperand ? turn.operand : turn.operator;
  }

  read(): ScriptRest | undefined {
    for (let count = 0; count < tokensMax; count++) {
      const end = this.step();
      if (end === refused) return undefined;
      if (end !== goOn) return { said: this.said, end, at: this.at, quote: this.quote };
    }
    return undefined;
  }

  private step(): number {
    const { text } = this;
    while (this.at < text.length && isSpace(text.charCodeAt(this.at))) {
      if (text.charCodeAt(this.at) === 0) return scriptEnd.cut;
      this.at++;
    }
    if (this.at >= text.length) {
      return this.turn === turn.operand && this.last !== ';' ? refused : scriptEnd.text;
    }
    const code = text.charCodeAt(this.at);
    if (code === 47) return this.slash();
    if (code === 39 || code === 34 || code === 96) return this.literal(code);
    if (isNamePart(code)) return this.word();
    return this.sign(text.charAt(this.at));
  }

  private slash(): number {
    const next = this.text.charCodeAt(this.at + 1);
    if (next === 47) return this.lineComment();
    if (next === 42) {
      const end = this.text.indexOf('*/', this.at + 2);
      if (end < 0) return scriptEnd.cut;
      this.at = end + 2;
      return goOn;
    }
    if (this.turn === turn.operator) return this.binary(1, 0);
    return this.pattern();
  }

  /** To the end of its line, or of the script where nothing follows. */
  private lineComment(): number {
    lineEnd.lastIndex = this.at;
    const next = lineEnd.exec(this.text);
    if (next !== null) {
      this.at = next.index;
      return goOn;
    }
    return this.turn === turn.operand && this.last !== ';' ? refused : scriptEnd.cut;
  }

  /** A regular expression; one that does not end is for the slash of the application's own. */
  private pattern(): number {
    const { text } = this;
    let inClass = false;
    for (let end = this.at + 1; end < text.length && text.charCodeAt(end) !== 10; end++) {
      const code = text.charCodeAt(end);
      if (code === 92) end++;
      else if (code === 91) inClass = true;
      else if (code === 93) inClass = false;
      else if (code === 47 && !inClass) {
        let flags = end + 1;
        while (isNamePart(text.charCodeAt(flags))) flags++;
        if (!patternFlags.test(text.slice(end + 1, flags))) return refused;
        this.said |= said.text;
        return this.take(flags, true);
      }
    }
    return this.open(47);
  }

  private literal(code: number): number {
    if (this.turn === turn.operator) return refused;
    const { text } = this;
    for (let end = this.at + 1; end < text.length; end++) {
      const one = text.charCodeAt(end);
      if (one === 92) end++;
      else if (one === code) {
        this.said |= said.text;
        return this.take(end + 1, true);
      }
    }
    return this.open(code);
  }

  private open(code: number): number {
    if (this.turn === turn.operator) return refused;
    // What stands in a literal behind a call or a statement may be any text.
    if (this.text.length - this.at > openMax && (this.said & decisive) === 0) return refused;
    if (this.isCompared && this.isConstant) this.said |= said.constant;
    this.quote = code;
    return scriptEnd.literal;
  }

  /** Takes an operand. */
  private take(end: number, isConstant: boolean): number {
    this.at = end;
    this.last = 'x';
    this.turn = turn.operator;
    if (isConstant && (this.isNegated || (this.isCompared && this.isConstant))) {
      this.said |= said.constant;
    }
    this.isConstant = isConstant;
    this.isCompared = false;
    this.isNegated = false;
    return goOn;
  }

  private word(): number {
    const { text, at } = this;
    let end = at + 1;
    // SQL has no space in U+FEFF, script has.
    while (isNamePart(text.charCodeAt(end)) && !isSpace(text.charCodeAt(end))) end++;
    const word = end - at > wordMax ? '' : text.slice(at, end);
    if (this.turn === turn.operator && !joining.has(word)) return refused;
    if (isDigit(text.charCodeAt(at))) {
      if (quantity.test(text.slice(at, end))) return refused;
      while (text.charCodeAt(end) === 46 || isNamePart(text.charCodeAt(end))) end++;
      this.said |= said.number;
      return this.take(end, true);
    }
    return this.namedWord(word, end);
  }

  private namedWord(word: string, end: number): number {
    const kind = words.get(word);
    switch (kind) {
      case 'declaration':
        return this.declaration(end);
      case 'prefix':
        this.at = end;
        this.turn = turn.operand;
        this.last = '';
        if (word === 'typeof' || word === 'new') this.said |= said.host;
        return goOn;
      case 'statement':
        // `* for`: an operator takes an expression, and of these words a function alone is one.
        if (this.turn === turn.operand && this.last === '' && word !== 'function') return refused;
        this.at = deadEnd(this.text, end);
        this.said |= said.statement;
        this.isReturn = word === 'return' && this.brackets.length === 0;
        this.isGroup = grouping.has(word);
        this.turn = this.isGroup ? turn.operand : turn.either;
        this.last = ';';
        return goOn;
      case 'constant':
        this.said |= said.constant;
        return this.take(end, true);
      default:
        return this.operandName(word, end);
    }
  }

  /** `var a`: a name of the script's own. */
  private declaration(from: number): number {
    const found = declared.exec(this.text.slice(from, from + wordMax));
    return found === null ? refused : this.take(from + found[0].length, false);
  }

  /** Names that script in a database knows tell what is done when they are used. */
  private operandName(word: string, from: number): number {
    const behind = this.text.slice(from, from + gapMax);
    const isCall = called.test(behind);
    if (documents.has(word)) {
      if (member.test(behind)) this.said |= said.document;
    } else if (hosts.has(word)) {
      if (isCall || member.test(behind)) this.said |= said.host;
    } else if (calls.has(word)) {
      if (isCall) this.said |= said.call;
    } else if (this.brackets.at(-1) !== '{' || !key.test(behind)) {
      this.said |= (this.said & said.answer) === 0 ? said.name : said.deadName;
    }
    return this.take(from, false);
  }

  private sign(sign: string): number {
    if (opening.has(sign)) return this.opens(sign);
    if (closing.has(sign)) return this.closes(sign);
    const isBehind = this.turn === turn.operator;
    switch (sign) {
      case ';':
        return this.separate();
      case '.':
        return this.member();
      case '!':
        return isBehind ? this.comparison() : this.prefix(true);
      case '-':
      case '+':
      case '~':
        return isBehind ? this.operator(sign) : this.prefix(sign === '~');
      case '=':
      case '<':
      case '>':
        return this.comparison();
      case '?': {
        const isMember = optional.test(this.text.slice(this.at, this.at + 3));
        return isMember ? this.member() : this.operator(sign);
      }
      default:
        return this.operator(sign);
    }
  }

  /** `!1` is a constant; `!name` says no more than the name. */
  private prefix(isTruth: boolean): number {
    if (isTruth && this.text.charCodeAt(this.at + 1) !== 61) this.isNegated = true;
    return this.skip(1);
  }

  private skip(length: number): number {
    this.at += length;
    return goOn;
  }

  private opens(sign: string): number {
    if (sign === '{' && this.turn === turn.operator && this.last !== ')') return refused;
    const isBehind = this.turn === turn.operator;
    if (sign === '[' && isBehind && this.isConstant) this.said |= said.host;
    // `!{}`, `![1]`: an object is true.
    if (this.isNegated && sign !== '(') this.said |= said.constant;
    if (this.isGroup && sign === '(') this.brackets.push('group');
    else this.brackets.push(isBehind && sign !== '{' ? 'call' : sign);
    this.isGroup = false;
    this.at++;
    this.last = sign;
    this.turn = sign === '{' ? turn.either : turn.operand;
    return goOn;
  }

  private closes(sign: string): number {
    const isEmpty = opening.has(this.last) || this.last === ';';
    if (this.turn === turn.operand && !isEmpty) return refused;
    const opened = this.brackets.pop();
    if (opened === undefined && sign === '}') return scriptEnd.brace;
    this.at++;
    this.turn = opened === 'group' || sign === '}' ? turn.either : turn.operator;
    if (opened === '[' || (opening.has(this.last) && sign !== ')')) this.said |= said.constant;
    this.last = sign === ')' ? ')' : 'x';
    if (opened !== '(') this.isConstant = false;
    return goOn;
  }

  private separate(): number {
    this.said |= said.semicolon;
    // A list of words has no value behind `return`.
    const isAnswer =
      this.isReturn && this.last !== ';' && goesOn.test(this.text.slice(this.at, this.at + gapMax));
    if (isAnswer) this.said |= said.answer;
    this.isReturn = false;
    this.at++;
    this.turn = turn.either;
    this.last = ';';
    this.isCompared = false;
    return goOn;
  }

  private member(): number {
    const { text } = this;
    if (this.turn === turn.operand) {
      // `...x` is an operand as x is.
      if (text.startsWith('...', this.at)) return this.skip(3);
      if (!isDigit(text.charCodeAt(this.at + 1))) return refused;
      return this.take(this.at + 2, true);
    }
    const isOptional = text.charCodeAt(this.at) === 63;
    let end = this.at + (isOptional ? 2 : 1);
    while (isSpace(text.charCodeAt(end))) end++;
    const from = end;
    while (isNamePart(text.charCodeAt(end))) end++;
    if (end === from && !isOptional) return refused;
    if (this.isConstant) this.said |= said.host;
    return this.take(end, false);
  }

  private comparison(): number {
    const { text, at } = this;
    if (text.startsWith('=>', at)) {
      this.said |= said.statement;
      return this.binary(2, 0);
    }
    let end = at + 1;
    while (end < at + 3 && text.charCodeAt(end) === 61) end++;
    const isCompared = end > at + 1 || text.charCodeAt(at) !== 61;
    if (!isCompared) return this.binary(1, 0);
    if (this.turn === turn.operand) return refused;
    this.said |= said.compare;
    this.isCompared = true;
    return this.binary(end - at, 0);
  }

  private operator(sign: string): number {
    const pair = operators.get(this.text.slice(this.at, this.at + 2));
    if (pair !== undefined) return this.binary(2, pair);
    const bits = operators.get(sign);
    return bits === undefined ? refused : this.binary(1, bits);
  }

  private binary(length: number, bits: number): number {
    if (this.turn === turn.operand) return refused;
    this.said |= bits;
    this.at += length;
    this.turn = turn.operand;
    this.last = '';
    return goOn;
  }
}

/** Another statement, or none between two semicolons. */
const goesOn = /^;\s{0,8}[\w$;]/;

/** Behind `(0) { … }`, which never runs: what stands there says nothing. */
function deadEnd(text: string, from: number): number {
  return from + (dead.exec(text.slice(from, from + deadMax))?.[0].length ?? 0);
}

const deadMax = 160;
/** Zero in all its spellings, and what else is false. */
const dead =
  /^\s{0,8}\(\s{0,8}(?:[-+]?(?:0[xbo]?|\.)[0_.]{0,8}(?:[en]\d{0,4})?|!1|!true|!\[\]|NaN|undefined|void\b[^(){}]{1,16}|false|null|(['"`])\1)\s{0,8}\)\s{0,8}\{[^{}'"`/]{0,80}\}/i;
const wordMax = 40;
const opening: ReadonlySet<string> = new Set('([{');
const closing: ReadonlySet<string> = new Set(')]}');
/** What operators between two operands say. */
const operators: ReadonlyMap<string, number> = new Map([
  ...['||', '&&', '??', '?'].map((mark): [string, number] => [mark, said.logical]),
  ...wordList('| & : , * ** % ^ + - ~').map((mark): [string, number] => [mark, 0]),
]);

const patternFlags = /^[dgimsuvy]{0,8}$/;
/** The end of a line with more behind it. */
const lineEnd = /[\r\n\u2028\u2029](?=\s{0,200}\S)/g;
const gapMax = 40;
const key = /^\s{0,8}:/;
const declared = /^(?:\s|\/\*[^*]{0,16}\*\/|\/\/[^\n]{0,16}\n){1,8}[\w$]{1,30}/;
const member = /^(?:\s|\/\*[^*]{0,16}\*\/|\/\/[^\n]{0,16}\n){0,8}(?:\.|\[|\?\.)/;
const called = /^(?:\s|\/\*[^*]{0,16}\*\/|\/\/[^\n]{0,16}\n){0,8}(?:\(|\?\.\(|`)/;
/** `a?.b`; `a?.5:1` is a number. */
const optional = /^\?\.(?!\d)/;
