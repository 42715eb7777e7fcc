import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from '../../tokenise/sql.ts';
import { sameWord, sqlWord } from '../../tokenise/sql-words.ts';
import { type Expression, stop, trait } from './traits.ts';

const operandClass = {
  none: 0,
  number: 1,
  text: 2,
  constant: 3,
  name: 4,
  variable: 5,
  call: 6,
} as const;

/** Result of one step when the expression goes on. */
const goOn = -1;

/** A literal that is open at the end of the text and longer than this is prose after an apostrophe. */
const openTextMax = 120;

/** Longer names are not compared with one another. */
const nameMax = 64;

const callTraits: Readonly<Record<number, number>> = {
  [sqlWord.timeCall]: trait.timeCall,
  [sqlWord.sharedTimeCall]: trait.timeCall,
  [sqlWord.errorCall]: trait.errorCall,
  [sqlWord.outsideCall]: trait.outsideCall,
  [sqlWord.infoCall]: trait.infoCall,
  [sqlWord.textCall]: trait.textCall,
  [sqlWord.flow]: trait.flowCall,
  [sqlWord.replace]: trait.textCall,
  [sqlWord.insert]: trait.textCall,
  [sqlWord.like]: trait.textCall,
  [sqlWord.arithmetic]: trait.textCall,
  [sqlWord.is]: trait.flowCall,
  [sqlWord.niladic]: trait.infoCall,
};

/** Words after which an opening parenthesis groups and calls nothing. */
const grouping: ReadonlySet<number> = new Set([
  sqlWord.not,
  sqlWord.select,
  sqlWord.from,
  sqlWord.where,
  sqlWord.by,
  sqlWord.having,
  sqlWord.quantifier,
  sqlWord.exists,
  sqlWord.case,
  sqlWord.branch,
  sqlWord.or,
  sqlWord.and,
  sqlWord.xor,
  sqlWord.union,
  sqlWord.in,
  sqlWord.as,
  sqlWord.on,
  sqlWord.join,
  sqlWord.prefix,
  sqlWord.table,
  sqlWord.into,
]);

/** Words of a query that take it to its next operand. */
const clauseWords: ReadonlySet<number> = new Set([
  sqlWord.from,
  sqlWord.where,
  sqlWord.group,
  sqlWord.order,
  sqlWord.by,
  sqlWord.having,
  sqlWord.limit,
  sqlWord.offset,
  sqlWord.union,
  sqlWord.into,
  sqlWord.outfile,
  sqlWord.values,
  sqlWord.join,
  sqlWord.on,
  sqlWord.separator,
  sqlWord.for,
  sqlWord.procedure,
  sqlWord.with,
  sqlWord.table,
  sqlWord.set,
]);

/** Reads the expression that begins at a token, no further than `bound` steps. */
export function readExpression(tokens: SqlTokens, from: number, bound: number): Expression {
  return new ExpressionReader(tokens, from).read(bound);
}

class ExpressionReader {
  private readonly tokens: SqlTokens;
  private at: number;
  private traits = 0;
  private depth = 0;
  private cases = 0;
  private queries = 0;
  private operands = 0;
  private calls = 0;
  private isOperandNext = true;
  /** Names in a row: a name, then at most one alias. */
  private aliases = 0;
  private openAt = -1;
  /** Token of the last comparison, and of the parenthesis that closed around it. */
  private comparedAt = -1;
  private closedAt = -1;
  private last: number = operandClass.none;
  private lastFrom = 0;
  private lastTo = 0;
  /** Left side of a comparison whose right side is still to come. */
  private left: number = operandClass.none;
  private leftFrom = 0;
  private leftTo = 0;

  constructor(tokens: SqlTokens, from: number) {
    this.tokens = tokens;
    this.at = from;
  }

  read(bound: number): Expression {
    let result: number = stop.bound;
    let steps = 0;
    for (; steps < bound; steps++) {
      this.at = skipComments(this.tokens, this.at);
      const kind = this.tokens.kind[this.at] as number;
      const step = this.isOperandNext ? this.operand(kind) : this.operator(kind);
      if (step === goOn) continue;
      result = step;
      break;
    }
    if (result === stop.comment) this.traits |= trait.cut;
    return {
      end: this.at,
      stop: result,
      traits: this.traits,
      whole: !this.isOperandNext,
      depth: this.depth,
      openAt: this.openAt,
      operands: this.operands,
      calls: this.calls,
      steps,
    };
  }

  private operand(kind: number): number {
    const tokens = this.tokens;
    switch (kind) {
      case sqlToken.number:
        if (tokens.word[this.at] === 1) this.traits |= trait.hex;
        return this.take(operandClass.number, this.at + 1, trait.number);
      case sqlToken.single:
      case sqlToken.double:
      case sqlToken.backtick:
        return this.literal(kind);
      case sqlToken.variable: {
        const isSystem = tokens.text.charCodeAt((tokens.start[this.at] as number) + 1) === 64;
        const bits = isSystem ? trait.variable | trait.system : trait.variable;
        return this.take(operandClass.variable, this.endOfDotted(this.at + 1), bits);
      }
      case sqlToken.word:
        return this.wordOperand(tokens.word[this.at] as number);
      case sqlToken.open:
        this.depth++;
        this.comparedAt = -1;
        return this.skip();
      case sqlToken.brace:
        return this.skip();
      case sqlToken.bracket:
        return this.bracketed();
      case sqlToken.operator:
        return this.prefix(tokens.word[this.at] as number);
      case sqlToken.close:
        return this.emptyClose();
      case sqlToken.comma:
        return this.depth > 0 || this.queries > 0 ? this.skip() : stop.comma;
      case sqlToken.end:
        return stop.end;
      case sqlToken.semicolon:
        return stop.semicolon;
      case sqlToken.blockComment:
      case sqlToken.lineComment:
        return stop.comment;
      default:
        return stop.other;
    }
  }

  private operator(kind: number): number {
    const tokens = this.tokens;
    switch (kind) {
      case sqlToken.close:
        if (this.depth === 0) return stop.close;
        this.depth--;
        this.aliases = 0;
        if (this.comparedAt >= 0) this.closedAt = this.at;
        this.comparedAt = -1;
        return this.skip();
      case sqlToken.comparison:
        return this.compare(trait.compare);
      case sqlToken.pipes:
      case sqlToken.ampersands:
        this.traits |= kind === sqlToken.pipes ? trait.pipes | trait.logical : trait.logical;
        return this.expectOperand();
      case sqlToken.operator:
        return this.binary(tokens.word[this.at] as number);
      case sqlToken.comma:
        if (this.depth === 0 && this.queries === 0) return stop.comma;
        this.left = operandClass.none;
        return this.expectOperand();
      case sqlToken.cast:
        this.at++;
        return this.skip();
      case sqlToken.braceEnd:
        return this.skip();
      case sqlToken.word:
        return this.wordOperator(tokens.word[this.at] as number);
      case sqlToken.single:
      case sqlToken.double:
      case sqlToken.backtick:
        return this.textAfterOperand(kind);
      case sqlToken.end:
        return stop.end;
      case sqlToken.semicolon:
        return stop.semicolon;
      case sqlToken.blockComment:
      case sqlToken.lineComment:
        return stop.comment;
      default:
        return stop.other;
    }
  }

  private wordOperand(word: number): number {
    const tokens = this.tokens;
    const next = tokens.kind[skipComments(tokens, this.at + 1)] as number;
    if (next === sqlToken.open && !grouping.has(word)) return this.call(word);
    switch (word) {
      case sqlWord.select:
        this.traits |= this.isAfterOpen() ? trait.query : trait.statement;
        this.queries++;
        return this.skip();
      case sqlWord.case:
        this.cases++;
        return this.skip();
      case sqlWord.end:
        if (this.cases === 0) return stop.other;
        this.cases--;
        return this.take(operandClass.call, this.at + 1, 0);
      case sqlWord.exists:
        this.traits |= trait.exists;
        return this.skip();
      case sqlWord.prefix:
        // TOP 1
        if (this.queries > 0 && next === sqlToken.number) this.at++;
        return this.skip();
      case sqlWord.not:
      case sqlWord.quantifier:
        return this.skip();
      case sqlWord.branch:
        if (this.cases === 0) return stop.other;
        this.traits |= trait.case;
        return this.skip();
      case sqlWord.constant:
        return this.take(operandClass.constant, this.at + 1, trait.constant);
      case sqlWord.niladic:
        return this.take(operandClass.call, this.at + 1, trait.infoCall);
      case sqlWord.or:
      case sqlWord.and:
      case sqlWord.xor:
      case sqlWord.in:
      case sqlWord.is:
      case sqlWord.between:
        return stop.other;
      default:
        if (clauseWords.has(word)) {
          return this.queries > 0 || this.depth > 0 ? this.skip() : stop.clause;
        }
        return this.name(next);
    }
  }

  private wordOperator(word: number): number {
    switch (word) {
      case sqlWord.or:
      case sqlWord.and:
      case sqlWord.xor:
        this.traits |= trait.logical;
        this.left = operandClass.none;
        return this.expectOperand();
      case sqlWord.not:
        return this.skip();
      case sqlWord.like:
      case sqlWord.in:
      case sqlWord.between:
        return this.compareByWord();
      case sqlWord.is:
        return this.nullTest();
      case sqlWord.arithmetic:
        this.traits |= trait.arithmetic;
        return this.expectOperand();
      case sqlWord.suffix:
        this.at++;
        return this.skip();
      case sqlWord.as:
        if (this.depth === 0 && this.queries === 0) return stop.clause;
        return this.expectOperand();
      case sqlWord.branch:
        if (this.cases === 0) return stop.other;
        this.traits |= trait.case;
        return this.expectOperand();
      case sqlWord.end:
        if (this.cases === 0) return stop.other;
        this.cases--;
        return this.skip();
      case sqlWord.asc:
      case sqlWord.show:
        return this.queries > 0 || this.depth > 0 ? this.skip() : stop.clause;
      default:
        if (clauseWords.has(word)) {
          if (this.queries === 0 && this.depth === 0) return stop.clause;
          this.left = operandClass.none;
          return this.expectOperand();
        }
        return word === sqlWord.waitfor || word === sqlWord.to ? stop.clause : this.alias();
    }
  }

  private isAfterOpen(): boolean {
    return this.depth > 0 && this.tokens.kind[this.at - 1] === sqlToken.open;
  }

  /** A second name in a row: the alias of a column or table. */
  private alias(): number {
    if (this.queries === 0 || this.aliases > 0) return stop.other;
    this.aliases++;
    return this.skip();
  }

  private call(word: number): number {
    this.traits |= trait.call | (callTraits[word] ?? 0);
    if (callTraits[word] !== undefined) this.calls++;
    this.at = skipComments(this.tokens, this.at + 1) + 1;
    this.depth++;
    return goOn;
  }

  private name(next: number): number {
    const tokens = this.tokens;
    const length = (tokens.end[this.at] as number) - (tokens.start[this.at] as number);
    const isIntroducer = tokens.text.charCodeAt(tokens.start[this.at] as number) === 95;
    // N'…', x'…', b'…', E'…', _latin1'…'
    if (isQuote(next) && (isIntroducer || (length <= 2 && tokens.gap[this.at + 1] === 0))) {
      return this.skip();
    }
    let bits: number = trait.name;
    if (tokens.word[this.at] === sqlWord.catalogue) bits |= trait.catalogue;
    const end = this.endOfDotted(this.at + 1);
    const called = skipComments(tokens, end);
    if (end > this.at + 1 && tokens.kind[called] === sqlToken.open) {
      const from = tokens.word[this.at] as number;
      const lastWord = tokens.word[end - 1] as number;
      this.traits |= trait.call | (callTraits[lastWord] ?? 0) | (callTraits[from] ?? 0);
      this.at = called + 1;
      this.depth++;
      return goOn;
    }
    return this.take(operandClass.name, end, bits);
  }

  /** End of `.b.c` after a name, stars and bracketed names included. */
  private endOfDotted(from: number): number {
    const { kind } = this.tokens;
    let end = from;
    for (let parts = 0; parts < 6 && kind[end] === sqlToken.dot; parts++) {
      const next = kind[end + 1];
      if (next === sqlToken.dot) end += 1;
      else if (next === sqlToken.word || next === sqlToken.operator) end += 2;
      else if (next === sqlToken.bracket && kind[end + 3] === sqlToken.bracketEnd) end += 4;
      else break;
    }
    return end;
  }

  private literal(kind: number): number {
    const tokens = this.tokens;
    const closing = tokens.jump[this.at] as number;
    if (closing === this.at + 1 && this.isDoubled(kind)) return this.doubled(kind);
    if (closing >= 0) {
      const bits = kind === sqlToken.backtick ? trait.name : trait.text;
      const end = closing + 1;
      const type = kind === sqlToken.backtick ? operandClass.name : operandClass.text;
      return this.take(type, end, bits);
    }
    const rest = tokens.text.length - (tokens.end[this.at] as number);
    if (rest > openTextMax) return stop.other;
    return this.takeOpen();
  }

  private takeOpen(): number {
    this.openAt = this.at;
    return this.take(operandClass.text, this.tokens.count, trait.text | trait.openText);
  }

  /** `""a""`: a literal whose quotes were doubled on the way. */
  private isDoubled(kind: number): boolean {
    const { tokens } = this;
    const inner = this.at + 2;
    const innerKind = tokens.kind[inner];
    if (tokens.gap[inner] === 1 || tokens.gap[this.at + 1] === 1) return false;
    if (innerKind !== sqlToken.word && innerKind !== sqlToken.number) return false;
    const next = tokens.kind[inner + 1];
    return next === kind || next === sqlToken.end;
  }

  private doubled(kind: number): number {
    const { tokens } = this;
    const closing = this.at + 3;
    const isOpen = tokens.kind[closing] !== kind;
    const end = tokens.kind[closing + 1] === kind ? closing + 2 : closing + 1;
    return isOpen
      ? this.takeOpen()
      : this.take(operandClass.text, Math.min(end, tokens.count), trait.text);
  }

  /** Literals side by side are one literal; after anything else a quote is the end of our text. */
  private textAfterOperand(kind: number): number {
    if (this.last === operandClass.text && (this.tokens.jump[this.at] as number) >= 0) {
      return this.literal(kind);
    }
    if (this.queries > 0 && (this.tokens.jump[this.at] as number) >= 0) return this.literal(kind);
    // A last quote is what our literal left of the one that it replaced.
    return this.tokens.count - this.at <= 1 ? stop.end : stop.quote;
  }

  private bracketed(): number {
    const { kind } = this.tokens;
    for (let i = this.at + 1; i < this.at + 5; i++) {
      if (kind[i] === sqlToken.bracketEnd) {
        const isListed = this.tokens.word[this.at + 1] === sqlWord.catalogue;
        const bits = isListed ? trait.name | trait.catalogue : trait.name;
        return this.take(operandClass.name, this.endOfDotted(i + 1), bits);
      }
    }
    return stop.other;
  }

  private prefix(code: number): number {
    const isStar = code === 42;
    if (isStar && (this.depth > 0 || this.queries > 0)) {
      return this.take(operandClass.name, this.at + 1, 0);
    }
    const isSign = code === 43 || code === 45 || code === 33 || code === 126;
    return isSign ? this.skip() : stop.other;
  }

  private binary(code: number): number {
    // ~ and !~ match a pattern in PostgreSQL; otherwise both stand before operands only.
    if (code === 126) return this.compare(trait.compare | trait.wordCompare);
    if (code === 33) return this.isTildeNext() ? this.skip() : stop.other;
    this.traits |= trait.arithmetic;
    if (this.closedAt === this.at - 1) this.traits |= trait.truthValue;
    return this.expectOperand();
  }

  private isTildeNext(): boolean {
    const next = this.at + 1;
    return this.tokens.kind[next] === sqlToken.operator && this.tokens.word[next] === 126;
  }

  /** `)` where an operand should stand: the end of an empty argument list. */
  private emptyClose(): number {
    if (this.depth === 0) return stop.close;
    this.depth--;
    return this.take(operandClass.call, this.at + 1, 0);
  }

  private compare(bits: number): number {
    this.traits |= bits;
    this.comparedAt = this.at;
    this.left = this.last;
    this.leftFrom = this.lastFrom;
    this.leftTo = this.lastTo;
    return this.expectOperand();
  }

  private compareByWord(): number {
    const tokens = this.tokens;
    const next = this.at + 1;
    // SOUNDS LIKE, SIMILAR TO
    const isPair = isWordOf(tokens, next, sqlWord.like) && tokens.kind[next + 1] !== sqlToken.open;
    if (isPair || isWordOf(tokens, next, sqlWord.to)) this.at++;
    return this.compare(trait.compare | trait.wordCompare);
  }

  private nullTest(): number {
    const tokens = this.tokens;
    this.traits |= trait.nullTest | trait.compare;
    // ISNULL and NOTNULL are complete in themselves.
    if ((tokens.end[this.at] as number) - (tokens.start[this.at] as number) > 2) return this.skip();
    if (isWordOf(tokens, this.at + 1, sqlWord.not)) this.at++;
    return this.compare(trait.compare | trait.nullTest);
  }

  private take(type: number, end: number, bits: number): number {
    this.traits |= bits;
    this.last = type;
    this.lastFrom = this.at;
    this.lastTo = end;
    this.at = end;
    this.aliases = 0;
    this.operands++;
    this.isOperandNext = false;
    if (this.left !== operandClass.none) this.finishCompare();
    return goOn;
  }

  private finishCompare(): void {
    const isLeftFixed = this.left <= operandClass.constant;
    const isRightFixed = this.last <= operandClass.constant;
    if (isLeftFixed && isRightFixed) this.traits |= trait.constantCompare;
    else if (this.left === this.last && this.sameText()) this.traits |= trait.sameCompare;
    this.left = operandClass.none;
  }

  private sameText(): boolean {
    const { text, start, end } = this.tokens;
    const from = start[this.leftFrom] as number;
    if ((end[this.leftTo - 1] as number) - from > nameMax) return false;
    const left = text.slice(from, end[this.leftTo - 1] as number).toLowerCase();
    const rightFrom = start[this.lastFrom] as number;
    return sameWord(text, rightFrom, end[this.lastTo - 1] as number, left);
  }

  private expectOperand(): number {
    this.isOperandNext = true;
    return this.skip();
  }

  private skip(): number {
    this.at++;
    return goOn;
  }
}
