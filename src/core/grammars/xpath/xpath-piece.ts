import { isDigit } from '../../text/char-class.ts';
import {
  isArithmeticSign,
  isComparisonSign,
  nameEnd,
  operatorInitials,
  xpathArithmetic,
  xpathAxes,
  xpathClauseParts,
  xpathClauses,
  xpathConnectives,
  xpathContextFunctions,
  xpathFunctions,
  xpathLaterOperators,
  xpathNodeFunctions,
  xpathNodeTypes,
  xpathValueOperators,
} from './xpath-words.ts';

/** What a piece holds, as bits. */
export const xpathTrait = {
  /** `or`, `and` */
  connective: 1 << 0,
  /** `|` */
  union: 1 << 1,
  /** `]` that the piece did not open */
  excess: 1 << 2,
  /** `following::` */
  axis: 1 << 3,
  /** `//` */
  deep: 1 << 4,
  /** `node()`, `text()` */
  nodeTest: 1 << 5,
  /** `last()`, `true()`: a call without an argument */
  contextCall: 1 << 6,
  /** `string-length(`, `starts-with(`: a function that only XPath writes so */
  ownCall: 1 << 7,
  /** any other function of XPath, with arguments */
  call: 1 << 8,
  /** `@name` */
  attribute: 1 << 9,
  /** `@name=` */
  attributeTest: 1 << 10,
  /** `/*`, `//*` at the beginning of a path, `@*` */
  anyNode: 1 << 11,
  /** `..` */
  parent: 1 << 12,
  /** `/` in front of a step */
  step: 1 << 13,
  /** `[` */
  predicate: 1 << 14,
  /** `div`, `mod`, `eq`, a comment: what no sentence has */
  formal: 1 << 15,
  /** `for $a`, `if (`: a clause of XQuery */
  clause: 1 << 16,
  compare: 1 << 17,
  name: 1 << 18,
  literal: 1 << 19,
  number: 1 << 20,
  /** a comma outside of all brackets that the piece opened */
  comma: 1 << 21,
  /** `*` for a step behind others */
  anyStep: 1 << 22,
  /** `a.b` or `localhost`: a host or a file */
  dotted: 1 << 23,
} as const;

/** How a piece ends. */
export const xpathEnd = {
  /** It is no piece of XPath. */
  broken: 0,
  /** An operand ended, all brackets of its own closed. */
  complete: 1,
  /** An operand or a bracket is missing. */
  open: 2,
  /** In a literal. */
  literal: 3,
  /** At a null byte, where a library of C stops, in a comment, or where reading stops. */
  cut: 4,
} as const;

export interface XPathPiece {
  /** Bits of `xpathTrait`. */
  readonly traits: number;
  /** The same of what stands before the first connective, union or excess bracket. */
  readonly lead: number;
  /** `or` and `and` outside of brackets. */
  readonly connectives: number;
  /** One of `xpathEnd`. */
  readonly end: number;
  /** Code of the quote of the literal in which it ends; 0 elsewhere. */
  readonly quote: number;
}

/** What is expected next. */
const expects = { operand: 0, operator: 1, step: 2, rootStep: 3 } as const;
type Trait = keyof typeof xpathTrait;

/** A piece has no more tokens than these; a literal is one, however long it is. */
const tokensMax = 600;

/** Reads one piece, a token at a time. */
export class PieceReader {
  private readonly text: string;
  private at: number;
  private state: number;
  private traits = 0;
  private lead = -1;
  private connectives = 0;
  private quote = 0;
  private readonly open: number[] = [];
  /** The last operand is a number or a text, which has no steps and no predicates. */
  private isConstant: boolean;
  private isAttribute = false;
  private isUnited = false;
  /** The step is the first of a path from the root, or an attribute. */
  private isFirst = false;
  private isCut = false;

  constructor(text: string, start: number, isOperand: boolean) {
    this.text = text;
    this.at = start;
    this.state = isOperand ? expects.operand : expects.operator;
    this.isConstant = !isOperand;
  }

  read(): XPathPiece {
    const end = this.readToEnd();
    const { traits, lead, connectives, quote } = this;
    return { traits, lead: lead < 0 ? traits : lead, connectives, end, quote };
  }

  private readToEnd(): number {
    let tokens = 0;
    for (this.skipBlanks(); this.at < this.text.length; this.skipBlanks()) {
      if (tokens++ >= tokensMax) return xpathEnd.cut;
      const code = this.text.charCodeAt(this.at);
      if (code === 0) return xpathEnd.cut;
      const isRead =
        this.state === expects.operator ? this.readOperator(code) : this.readOperand(code);
      if (!isRead) return xpathEnd.broken;
      if (this.quote > 0) return xpathEnd.literal;
    }
    if (this.isCut) return xpathEnd.cut;
    const isOpen = this.state === expects.operand || this.state === expects.step;
    return isOpen || this.open.length > 0 ? xpathEnd.open : xpathEnd.complete;
  }

  /** Blanks (section 3.7, ExprWhitespace) and comments (XPath 2.0, section 2.6). */
  private skipBlanks(): void {
    for (;;) {
      while (isBlank(this.text.charCodeAt(this.at))) this.at++;
      if (!this.text.startsWith('(:', this.at)) return;
      const end = this.text.indexOf(':)', this.at + 2);
      this.isCut = end < 0;
      this.note('formal');
      this.at = end < 0 ? this.text.length : end + 2;
    }
  }

  private note(trait: Trait): void {
    this.traits |= xpathTrait[trait];
  }

  private expect(state: number, length: number): true {
    this.state = state;
    this.at += length;
    return true;
  }

  private readOperand(code: number): boolean {
    if (this.state === expects.operand) {
      this.isConstant = false;
      this.isAttribute = false;
      this.isFirst = false;
      if (code === 40) return this.enter(code);
      if (code === 43 || code === 45) return this.expect(expects.operand, 1);
      if (code === 34 || code === 39) return this.readLiteral(code);
      if (code === 47) return this.readSlash(expects.rootStep);
      if (code === 36) return this.readVariable();
      if (isDigit(code) || (code === 46 && isDigit(this.text.charCodeAt(this.at + 1)))) {
        return this.readNumber();
      }
    }
    return this.readStep(code);
  }

  private enter(code: number): true {
    this.open.push(code);
    this.isUnited = false;
    return this.expect(expects.operand, 1);
  }

  private readLiteral(quote: number): true {
    const end = this.text.indexOf(quote === 34 ? '"' : "'", this.at + 1);
    this.note('literal');
    this.isConstant = true;
    if (end < 0) this.quote = quote;
    return this.expect(expects.operator, end < 0 ? 1 : end + 1 - this.at);
  }

  private readNumber(): true {
    this.note('number');
    this.isConstant = true;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    if (this.text.charCodeAt(this.at) === 46) this.at++;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.expect(expects.operator, 0);
  }

  private readVariable(): boolean {
    const end = nameEnd(this.text, this.at + 1);
    this.note('name');
    return end > this.at + 1 && this.expect(expects.operator, end - this.at);
  }

  private readSlash(state: number): true {
    const isDeep = this.text.charCodeAt(this.at + 1) === 47;
    this.note(isDeep ? 'deep' : 'step');
    this.isFirst = state === expects.rootStep;
    this.isAttribute = false;
    return this.expect(isDeep ? expects.step : state, isDeep ? 2 : 1);
  }

  private readStep(code: number): boolean {
    if (code === 46) {
      const isParent = this.text.charCodeAt(this.at + 1) === 46;
      this.note(isParent ? 'parent' : 'name');
      return this.expect(expects.operator, isParent ? 2 : 1);
    }
    if (code === 64) {
      this.note('attribute');
      this.isAttribute = true;
      this.isFirst = true;
      this.expect(expects.step, 1);
      this.skipBlanks();
      return this.at < this.text.length && this.readNodeTest(this.text.charCodeAt(this.at));
    }
    if (code === 42 || nameEnd(this.text, this.at) > this.at) return this.readNodeTest(code);
    // `/` alone is the root.
    return this.state === expects.rootStep && this.readOperator(code);
  }

  private readNodeTest(code: number): boolean {
    if (code !== 42) return this.readName();
    this.note(this.isFirst ? 'anyNode' : 'name');
    if ((this.traits & xpathTrait.deep) > 0) this.note('anyStep');
    // `*:name`, of any namespace.
    const end = this.text[this.at + 1] === ':' ? nameEnd(this.text, this.at + 2) : 0;
    return this.expect(expects.operator, end > this.at + 2 ? end - this.at : 1);
  }

  private readName(): boolean {
    const start = this.at;
    let end = nameEnd(this.text, start);
    if (end === start) return false;
    const isPrefixed = this.text[end] === ':' && this.text[end + 1] !== ':';
    if (isPrefixed) {
      const isAny = this.text[end + 1] === '*';
      const localEnd = isAny ? end + 2 : nameEnd(this.text, end + 1);
      if (localEnd === end + 1) return false;
      end = localEnd;
    }
    const name = this.text.slice(start, end);
    this.at = end;
    this.skipBlanks();
    if (this.text.startsWith('::', this.at)) return this.readAxis(name);
    const next = this.text.charCodeAt(this.at);
    if (next === 40) return this.readCall(name, isPrefixed);
    if (next === 36 && xpathClauses.has(name)) {
      this.note('clause');
      return this.expect(expects.operand, 0);
    }
    this.note('name');
    if (name.includes('.') || name === 'localhost') this.note('dotted');
    return this.expect(expects.operator, 0);
  }

  private readAxis(name: string): boolean {
    this.note('axis');
    this.isAttribute ||= name === 'attribute';
    return xpathAxes.has(name) && this.expect(expects.step, 2);
  }

  /** `at` is at the parenthesis. */
  private readCall(name: string, isPrefixed: boolean): boolean {
    if (xpathNodeTypes.has(name)) {
      this.note('nodeTest');
      const end = this.text.indexOf(')', this.at);
      const isTest = end > 0 && nodeTestArgument.test(this.text.slice(this.at + 1, end));
      return isTest && this.expect(expects.operator, end + 1 - this.at);
    }
    const isClause = name === 'if';
    if (!isPrefixed && !isClause && !xpathFunctions.has(name)) return false;
    if (this.isUnited && !isPrefixed && !xpathNodeFunctions.has(name)) return false;
    this.enter(40);
    this.skipBlanks();
    if (this.text.charCodeAt(this.at) !== 41) {
      this.note(isClause ? 'clause' : name.includes('-') ? 'ownCall' : 'call');
      return true;
    }
    this.note('contextCall');
    this.state = expects.operator;
    return xpathContextFunctions.has(name);
  }

  private readOperator(code: number): boolean {
    const next = this.text.charCodeAt(this.at + 1);
    this.isUnited = false;
    if (isComparisonSign(code)) return this.comparison(code, next);
    if (isArithmeticSign(code)) return this.operator('number', 1);
    switch (code) {
      case 41:
      case 93:
        return this.leave(code);
      case 91:
        this.note('predicate');
        return !this.isConstant && this.enter(code);
      case 47:
        return !this.isConstant && this.readSlash(expects.step);
      case 124:
        if (next === 124) return this.operator('literal', 2);
        this.part('union');
        return this.expect(expects.operand, 1);
      case 58:
        return next === 61 && this.operator('clause', 2);
      case 44:
        return this.operator(this.isLoose() ? 'comma' : 'literal', 1);
      default:
        return code < 128 && operatorInitials[code] === 1 && this.readWord();
    }
  }

  /** `=`, `!=`, `<=`, `<<` (XPath 2.0, 3.5); `!` alone maps (XPath 3.0, 3.14). */
  private comparison(code: number, next: number): true {
    if (code === 33 && next !== 61) return this.operator('number', 1);
    return this.compare(code !== 61 && (next === 61 || next === code) ? 2 : 1);
  }

  /** Outside of all brackets, those of the expression around it too as far as is known. */
  private isLoose(): boolean {
    return this.open.length === 0 && (this.traits & xpathTrait.excess) === 0;
  }

  private operator(trait: Trait, length: number): true {
    this.note(trait);
    return this.expect(expects.operand, length);
  }

  private compare(length: number): true {
    if (this.isAttribute) this.note('attributeTest');
    return this.operator('compare', length);
  }

  /** A connective, a union or an excess bracket: what stood before it is the lead. */
  private part(trait: 'connective' | 'union' | 'excess'): void {
    if (this.lead < 0 && this.open.length === 0) this.lead = this.traits;
    this.isUnited = trait === 'union';
    this.note(trait);
  }

  private leave(code: number): boolean {
    const opened = this.open.pop();
    if (opened === undefined && code === 93) this.part('excess');
    // What closes nothing of its own closes a call of the expression around it.
    if (opened === undefined && code === 41) this.traits &= ~xpathTrait.comma;
    this.isConstant = false;
    const isPair = opened === undefined || opened === (code === 41 ? 40 : 91);
    return isPair && this.expect(expects.operator, 1);
  }

  /** `or`, `and`, `div` and `mod` may touch what follows: libxml2 reads no name where an operator stands. */
  private readWord(): boolean {
    for (const word of xpathConnectives) {
      if (!this.text.startsWith(word, this.at)) continue;
      if (this.open.length === 0) this.connectives++;
      this.part('connective');
      return this.expect(expects.operand, word.length);
    }
    if (xpathArithmetic.some((word) => this.text.startsWith(word, this.at)))
      return this.operator('formal', 3);
    const end = nameEnd(this.text, this.at);
    const word = this.text.slice(this.at, end);
    const isClause = xpathClauseParts.has(word) || xpathClauses.has(word);
    if (!isClause && !xpathLaterOperators.has(word)) return false;
    const isOwn = isClause && variableOrCall.test(this.text.slice(end, end + 60));
    if (xpathValueOperators.has(word)) this.note('formal');
    return this.operator(isOwn ? 'clause' : 'compare', end - this.at);
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** Behind a word of a clause, which is a word of English too. */
const variableOrCall = /^[ \t\r\n]{1,8}(?:\$|[a-z-]{2,40}\()/;

/** Between the parentheses of `processing-instruction('x')`, or nothing. */
const nodeTestArgument = /^\s{0,40}(?:'[^']{0,40}'|"[^"]{0,40}")?\s{0,40}$/;
