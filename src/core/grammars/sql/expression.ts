import {
  endOfDotted,
  isComparisonGlued,
  isField,
  isNameGlued,
  isNullNext,
  isOperatorGoingOn,
  isRoot,
  isTildeNext,
  opensList,
} from './expression-places.ts';
import { ExpressionState, goOn, operandClass } from './expression-state.ts';
import {
  callTraits,
  clauseWords,
  grouping,
  introducesNumber,
  introducesText,
  isCatalogue,
  isServerVariable,
  methods,
  owners,
} from './expression-words.ts';
import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { type Expression, stop, trait } from './traits.ts';

/** Reads the expression that begins at a token, no further than `bound` steps. */
export function readExpression(tokens: SqlTokens, from: number, bound: number): Expression {
  return keepExpression(reader.read(tokens, from, bound));
}

/** The same, but the result holds only until the next reading: most are looked at and dropped. */
export function scanExpression(tokens: SqlTokens, from: number, bound: number): Expression {
  return reader.read(tokens, from, bound);
}

/** A copy of a scanned expression that holds as long as its tokens. */
function keepExpression(scanned: Expression): Expression {
  const { end, stop: why, traits, whole, depth, openAt, calls, operands, steps } = scanned;
  return { end, stop: why, traits, whole, depth, openAt, calls, operands, steps };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

class ExpressionReader extends ExpressionState {
  private readonly result: Mutable<Expression> = {
    end: 0,
    stop: stop.other,
    traits: 0,
    whole: false,
    depth: 0,
    openAt: -1,
    calls: 0,
    operands: 0,
    steps: 0,
  };

  read(tokens: SqlTokens, from: number, bound: number): Expression {
    this.start(tokens, from);
    const { result } = this;
    result.stop = stop.bound;
    let steps = 0;
    for (; steps < bound; steps++) {
      this.at = skipComments(this.tokens, this.at);
      const kind = this.tokens.kind[this.at] as number;
      const step = this.isOperandNext ? this.operand(kind) : this.operator(kind);
      if (step === goOn) continue;
      result.stop = step;
      break;
    }
    if (result.stop === stop.comment) this.traits |= trait.cut;
    result.end = this.at;
    result.traits = this.traits;
    result.whole = !this.isOperandNext;
    result.depth = this.depth;
    result.openAt = this.openAt;
    result.operands = this.operands;
    result.calls = this.calls;
    result.steps = steps;
    return result;
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
        const isSystem = isServerVariable(tokens, this.at);
        const bits = isSystem ? trait.variable | trait.system : trait.variable;
        return this.take(operandClass.variable, endOfDotted(this.tokens, this.at + 1), bits);
      }
      case sqlToken.word:
        return this.wordOperand(tokens.word[this.at] as number);
      case sqlToken.open:
        this.depth++;
        this.comparedAt = -1;
        this.opened = skipComments(tokens, this.at + 1);
        return this.skip();
      case sqlToken.brace:
        return this.escape();
      case sqlToken.bracket:
        return this.bracketed();
      case sqlToken.bracketEnd:
        return this.brackets > 0 ? this.emptyClose() : stop.other;
      case sqlToken.dot:
        // `.a.b`: a name of MySQL in the database of the session.
        return isNameGlued(this.tokens, this.at) ? this.skip() : stop.other;
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
        this.closeCall();
        this.depth--;
        this.aliases = 0;
        if (this.comparedAt >= 0) this.closedAt = this.at;
        this.comparedAt = -1;
        return this.skip();
      case sqlToken.comparison:
        return this.compare(trait.compare);
      case sqlToken.pipes:
      case sqlToken.ampersands:
        this.isLoose = false;
        this.traits |= kind === sqlToken.pipes ? trait.pipes | trait.logical : trait.logical;
        return this.expectOperand();
      case sqlToken.operator:
        return this.binary(tokens.word[this.at] as number);
      case sqlToken.comma:
        if (this.depth === 0 && this.queries === 0) return stop.comma;
        this.left = operandClass.none;
        return this.expectOperand();
      case sqlToken.dot:
        if (isField(this.tokens, this.at))
          return this.take(operandClass.name, this.at + 2, trait.name);
        // `1.` before white space, which ends a sentence outside of a query.
        return this.last === operandClass.number && this.isNumberDot() ? this.skip() : stop.other;
      case sqlToken.cast:
        return this.cast();
      case sqlToken.braceEnd:
        return this.skip();
      case sqlToken.word:
        return this.wordOperator(tokens.word[this.at] as number);
      case sqlToken.single:
      case sqlToken.double:
      case sqlToken.backtick:
        return this.textAfterOperand(kind);
      case sqlToken.bracket:
        return this.bracketAfterOperand();
      case sqlToken.bracketEnd:
        return this.closeArray();
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

  /** `{fn now()}`: an escape of ODBC, of which MySQL takes any name for the first. */
  private escape(): number {
    const { kind } = this.tokens;
    const name = skipComments(this.tokens, this.at + 1);
    const next = kind[skipComments(this.tokens, name + 1)] as number;
    const isNamed = kind[name] === sqlToken.word && next !== sqlToken.open && next !== sqlToken.dot;
    if (isNamed) this.at = name;
    else if (kind[name] === sqlToken.backtick && this.tokens.jump[name] === name + 2) {
      this.at = name + 2;
    }
    return this.skip();
  }

  private wordOperand(word: number): number {
    const tokens = this.tokens;
    const next = tokens.kind[skipComments(tokens, this.at + 1)] as number;
    if (next === sqlToken.open && !grouping.has(word)) return this.call(word);
    switch (word) {
      case sqlWord.select:
        // `EXISTS(SELECT)` of PostgreSQL lists nothing.
        if (next === sqlToken.close && (this.traits & trait.exists) !== 0) {
          this.traits |= trait.query;
          return this.take(operandClass.call, this.at + 1, 0);
        }
        if (next === sqlToken.comma || next === sqlToken.close) return stop.other;
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
      case sqlWord.counted:
        return this.counted(next);
      case sqlWord.prefix:
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
          if (word === sqlWord.with) this.isWith = true;
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
        this.isLoose = false;
        this.traits |= trait.logical;
        this.left = operandClass.none;
        return this.expectOperand();
      case sqlWord.not:
        return isNullNext(this.tokens, this.at) ? this.notNull() : this.skip();
      case sqlWord.select:
        return this.queryOfWith();
      case sqlWord.like:
      case sqlWord.between:
        return this.compareByWord();
      case sqlWord.in:
        return opensList(this.tokens, this.at) ? this.compareByWord() : stop.other;
      case sqlWord.is:
        return this.nullTest();
      case sqlWord.arithmetic:
        this.compute();
        return this.expectOperand();
      case sqlWord.suffix:
        return this.suffix();
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

  private call(word: number): number {
    this.traits |= trait.call | (callTraits[word] ?? 0);
    if (callTraits[word] !== undefined) this.calls++;
    this.at = skipComments(this.tokens, this.at + 1) + 1;
    this.opened = skipComments(this.tokens, this.at);
    this.depth++;
    if (callTraits[word] === undefined) this.openCall();
    return goOn;
  }

  private name(next: number): number {
    const tokens = this.tokens;
    if (isQuote(next) && introducesText(tokens, this.at)) return this.skip();
    if (next === sqlToken.number && introducesNumber(tokens, this.at)) return this.skip();
    let bits: number = trait.name;
    const end = endOfDotted(this.tokens, this.at + 1);
    if (isCatalogue(tokens, this.at, end)) bits |= trait.catalogue;
    const called = skipComments(tokens, end);
    if (end > this.at + 1 && tokens.kind[called] === sqlToken.open) {
      const from = tokens.word[this.at] as number;
      const lastWord = tokens.word[end - 1] as number;
      // time.sleep(1) and text.substr(1) are methods of other languages.
      const isOwn = owners.has(from) || !methods.has(lastWord);
      const known = (isOwn ? (callTraits[lastWord] ?? 0) : 0) | (callTraits[from] ?? 0);
      this.traits |= trait.call | known;
      this.at = called + 1;
      this.depth++;
      if (known === 0) this.openCall();
      return goOn;
    }
    return this.take(operandClass.name, end, bits);
  }

  private prefix(code: number): number {
    const isStar = code === 42;
    if (isOperatorGoingOn(this.tokens, this.at)) return this.skip();
    if (isStar && (this.depth > 0 || this.queries > 0)) {
      return this.take(operandClass.name, this.at + 1, 0);
    }
    const isSign = code === 43 || code === 45 || code === 33 || code === 126;
    return isSign || isRoot(this.tokens, this.at, code) ? this.skip() : stop.other;
  }

  private binary(code: number): number {
    // ~ and !~ match a pattern in PostgreSQL; otherwise both stand before operands only.
    if (code === 126) return this.compare(trait.compare | trait.wordCompare);
    // ^= is not equal in Oracle: the comparison is read next.
    if (code === 94 && isComparisonGlued(this.tokens, this.at + 1)) return this.skip();
    if (code === 33) return isTildeNext(this.tokens, this.at) ? this.skip() : stop.other;
    this.compute();
    if (this.closedAt === this.at - 1) this.traits |= trait.truthValue;
    return this.expectOperand();
  }

  /** `)` where an operand should stand: the end of an empty argument list. */
  private emptyClose(): number {
    if (this.depth === 0) return stop.close;
    this.depth--;
    return this.take(operandClass.call, this.at + 1, 0);
  }

  private compareByWord(): number {
    const tokens = this.tokens;
    const next = this.at + 1;
    // SOUNDS LIKE, SIMILAR TO
    const isPair = isWordOf(tokens, next, sqlWord.like) && tokens.kind[next + 1] !== sqlToken.open;
    if (isPair || isWordOf(tokens, next, sqlWord.to)) this.at++;
    return this.compare(trait.compare | trait.wordCompare);
  }

  /** `WITH a(b) AS (…) SELECT …`: the query behind its tables. */
  private queryOfWith(): number {
    if (!this.isWith) return this.alias();
    this.traits |= this.depth > 0 ? trait.query : trait.statement;
    this.queries++;
    this.left = operandClass.none;
    return this.expectOperand();
  }

  private nullTest(): number {
    const tokens = this.tokens;
    this.traits |= trait.nullTest | trait.compare;
    // ISNULL and NOTNULL are complete in themselves.
    if ((tokens.end[this.at] as number) - (tokens.start[this.at] as number) > 2) return this.skip();
    if (isWordOf(tokens, this.at + 1, sqlWord.not)) this.at++;
    // IS DISTINCT FROM
    const isDistinct = isWordOf(tokens, this.at + 1, sqlWord.quantifier);
    if (isDistinct && isWordOf(tokens, this.at + 2, sqlWord.from)) this.at += 2;
    return this.compare(trait.compare | trait.nullTest);
  }
}

/** One reader for all: an expression is read to its end before the next, and a text has many. */
const reader = new ExpressionReader();
