import { connective, wordConnectives } from './connectives.ts';
import { ExpressionClauses } from './expression-clauses.ts';
import {
  endOfDotted,
  endOfEscape,
  isAbsolute,
  isComparisonGlued,
  isNameGlued,
  isOnly,
  isOperator,
  isOperatorGoingOn,
  isRoot,
  opensList,
} from './expression-places.ts';
import { goOn, operandClass } from './expression-state.ts';
import {
  callTraits,
  clauseWords,
  endOfIntroducer,
  grouping,
  infixWords,
  isCatalogue,
  isServerVariable,
  isTypedText,
  memberTraits,
  operandPrefixes,
} from './expression-words.ts';
import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { isWordAt } from './statement-parts.ts';
import { type Expression, noExpression, stop, trait } from './traits.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Walks an expression: operands, and what stands between them; each step reads one of both. */
export class ExpressionReader extends ExpressionClauses {
  private readonly result: Mutable<Expression> = { ...noExpression };

  read(tokens: SqlTokens, from: number, bound: number): Expression {
    this.start(tokens, from);
    const { result } = this;
    result.stop = stop.bound;
    let steps = 0;
    for (; steps < bound; steps++) {
      this.at = skipComments(this.tokens, this.at);
      const kind = this.tokens.kind[this.at] as number;
      const step = this.step(kind);
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

  /** Reads what stands at the next token; `goOn`, or why the expression ends there. */
  protected step(kind: number): number {
    return this.isOperandNext ? this.operand(kind) : this.operator(kind);
  }

  private number(): number {
    if (this.tokens.word[this.at] === 1) this.traits |= trait.hex;
    return this.take(operandClass.number, this.at + 1, trait.number);
  }

  private operand(kind: number): number {
    const tokens = this.tokens;
    if (isQuote(kind)) return this.literal(kind);
    switch (kind) {
      case sqlToken.number:
        return this.number();
      case sqlToken.variable:
        return this.variable();
      case sqlToken.word:
        return this.wordOperand(tokens.word[this.at] as number);
      case sqlToken.open:
        this.depth++;
        this.comparedAt = -1;
        this.opened = skipComments(tokens, this.at + 1);
        return this.skip();
      case sqlToken.brace:
        this.at = endOfEscape(tokens, this.at);
        return this.skip();
      case sqlToken.pipes:
        // `||/ 8`: the cube root of PostgreSQL.
        return this.cubeRoot();
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
        return this.nextOperand(stop.comma);
      case sqlToken.other:
        return this.parameter();
      default:
        return this.noOperand(kind);
    }
  }

  private operator(kind: number): number {
    const tokens = this.tokens;
    if (isQuote(kind)) return this.textAfterOperand(kind);
    switch (kind) {
      case sqlToken.close:
        return this.close();
      case sqlToken.comparison:
        return this.compare(trait.compare);
      case sqlToken.pipes:
        return this.connect(trait.pipes | trait.logical);
      case sqlToken.ampersands:
        return this.connect(trait.logical);
      case sqlToken.operator:
        return this.binary(tokens.word[this.at] as number);
      case sqlToken.comma:
        return this.nextOperand(stop.comma);
      case sqlToken.dot:
        return this.dot();
      case sqlToken.cast:
        return this.cast();
      case sqlToken.braceEnd:
        return this.skip();
      case sqlToken.word:
        return this.wordOperator(tokens.word[this.at] as number);
      case sqlToken.open:
        return this.columnsOfAlias();
      case sqlToken.other:
        return this.slice();
      case sqlToken.bracket:
        return this.bracketAfterOperand();
      case sqlToken.bracketEnd:
        return this.closeArray();
      default:
        return this.ending(kind);
    }
  }

  private wordOperand(word: number): number {
    const tokens = this.tokens;
    const next = tokens.kind[skipComments(tokens, this.at + 1)] as number;
    if (next === sqlToken.open && !grouping.has(word)) return this.call(word);
    switch (word) {
      case sqlWord.select:
        return this.query(next);
      case sqlWord.case:
        this.cases++;
        this.caseFrom = this.operands;
        return this.skip();
      case sqlWord.end:
        return this.endCase();
      case sqlWord.exists:
        this.traits |= trait.exists;
        return this.skip();
      case sqlWord.counted:
        return this.counted(next);
      case sqlWord.branch:
        return this.branch();
      case sqlWord.table:
        return this.wholeTable();
      case sqlWord.constant:
        return this.take(operandClass.constant, this.at + 1, trait.constant);
      case sqlWord.niladic:
        return this.take(operandClass.call, this.at + 1, trait.infoCall);
      case sqlWord.with:
        this.isWith = true;
        return this.nextOperand(stop.clause);
      default:
        if (operandPrefixes[word] === 1) return this.skip();
        if (infixWords[word] === 1) return stop.other;
        return clauseWords[word] === 1 ? this.nextOperand(stop.clause) : this.name(next);
    }
  }

  private wordOperator(word: number): number {
    if (wordConnectives[word] === connective.logical) return this.connect(trait.logical);
    if (word === sqlWord.as && this.castType()) return goOn;
    const clause = this.clauseWord(word);
    if (clause !== undefined) return clause;
    switch (word) {
      case sqlWord.not:
        return this.not();
      case sqlWord.select:
        return this.queryOfWith();
      case sqlWord.like:
      case sqlWord.between:
        return this.compareByWord();
      case sqlWord.in:
        return this.compareToList();
      case sqlWord.is:
        return this.nullTest();
      case sqlWord.arithmetic:
        this.compute();
        return this.expectOperand();
      case sqlWord.suffix:
        return this.suffix();
      case sqlWord.branch:
        return this.branch();
      case sqlWord.end:
        return this.endCase();
      default:
        return this.infix();
    }
  }

  private variable(): number {
    const isSystem = isServerVariable(this.tokens, this.at);
    const bits = isSystem ? trait.variable | trait.system : trait.variable;
    const { kind, gap, jump, start, end } = this.tokens;
    const next = this.at + 1;
    // `@"a"`, `@'a'`
    const isLone = (end[this.at] as number) - (start[this.at] as number) === 1 && gap[next] === 0;
    const last = isLone && isQuote(kind[next] as number) ? (jump[next] as number) : -1;
    // `@ id`: the absolute value of PostgreSQL
    if (
      last < 0 &&
      end[this.at] === (start[this.at] as number) + 1 &&
      isAbsolute(this.tokens, next)
    )
      return this.skip();
    return this.take(
      operandClass.variable,
      endOfDotted(this.tokens, Math.max(last, this.at) + 1),
      bits,
    );
  }

  /** OR, AND and their relatives. */
  private connect(bits: number): number {
    this.isLoose = false;
    this.traits |= bits;
    return this.expectOperand();
  }

  /** WHEN, THEN and ELSE. */
  private branch(): number {
    if (this.cases === 0) return stop.other;
    this.traits |= trait.case;
    // `CASE 1 WHEN 1`: the first WHEN compares with what stands before it.
    const isCompared = !this.isOperandNext && this.operands > this.caseFrom;
    this.caseFrom = Number.MAX_SAFE_INTEGER;
    return isCompared ? this.compare(0) : this.expectOperand();
  }

  private endCase(): number {
    if (this.cases === 0) return stop.other;
    this.cases--;
    return this.isOperandNext ? this.take(operandClass.call, this.at + 1, 0) : this.skip();
  }

  /** SELECT where an operand should stand. */
  private query(next: number): number {
    // `EXISTS(SELECT)`, `FROM a CROSS JOIN (SELECT) b` of PostgreSQL list nothing.
    const isTable = this.queries > 0 && isWordOf(this.tokens, this.at - 2, sqlWord.join);
    if (next === sqlToken.close && (isTable || (this.traits & trait.exists) !== 0)) {
      this.traits |= trait.query;
      return this.take(operandClass.call, this.at + 1, 0);
    }
    if (next === sqlToken.comma || next === sqlToken.close) return stop.other;
    this.traits |= this.isAfterOpen() ? trait.query : trait.statement;
    this.queries++;
    return this.skip();
  }

  /** `TABLE a` is `SELECT * FROM a`, and the star an operand; `Exists (table 5)` is none. */
  private wholeTable(): number {
    if (!this.isAfterOpen()) return this.nextOperand(stop.clause);
    const { kind, gap } = this.tokens;
    const isTable = gap[this.at - 1] === 0 && kind[this.at + 1] !== sqlToken.number;
    if (isTable && (this.traits & trait.exists) !== 0) {
      this.traits |= trait.query;
      this.operands++;
    }
    return this.expectOperand();
  }

  private call(word: number): number {
    if (word === sqlWord.name && this.signCall()) return goOn;
    // `IN (VALUES (1))`: a query.
    if (word === sqlWord.values && this.isAfterOpen()) {
      this.traits |= trait.query;
      return this.skip();
    }
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
    const introduced = endOfIntroducer(tokens, this.at, next);
    if (introduced > this.at) {
      // `pg_catalog.bool'1'`, `_utf8 x'31'`: a cast; `'and report.text' they said` is none.
      const isClosed = (tokens.jump[introduced] as number) > introduced;
      if (isClosed && introduced > this.at + 1) this.traits |= trait.call | trait.textCall;
      else if (isClosed && isTypedText(tokens, this.at)) this.traits |= trait.call;
      this.at = introduced;
      return goOn;
    }
    if (this.queries > 0 && isOnly(tokens, this.at)) return this.skip();
    let bits: number = trait.name;
    const end = endOfDotted(this.tokens, this.at + 1);
    if (isCatalogue(tokens, this.at, end)) bits |= trait.catalogue;
    const called = skipComments(tokens, end);
    if (end > this.at + 1 && tokens.kind[called] === sqlToken.open) {
      const known = memberTraits(tokens.word[this.at] as number, tokens.word[end - 1] as number);
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
    if (isStar && this.isNested()) {
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
    if (code === 33) return isOperator(this.tokens, this.at + 1, 126) ? this.skip() : stop.other;
    this.compute();
    if (this.closedAt === this.at - 1) this.traits |= trait.truthValue;
    return this.expectOperand();
  }

  /** `)` behind an operand. */
  private close(): number {
    if (this.depth === 0) return stop.close;
    this.closeCall();
    this.depth--;
    this.aliases = 0;
    if (this.comparedAt >= 0) this.closedAt = this.at;
    this.comparedAt = -1;
    return this.skip();
  }

  /** `)` where an operand should stand: the end of an empty argument list. */
  private emptyClose(): number {
    if (this.depth === 0) return stop.close;
    this.depth--;
    return this.take(operandClass.call, this.at + 1, 0);
  }

  private compareToList(): number {
    if (opensList(this.tokens, this.at)) return this.compareByWord();
    // `position('a' in 'b')` compares nothing.
    const isPosition = this.depth > 0 && isWordAt(this.tokens, this.opened - 2, 'position');
    return isPosition ? this.expectOperand() : stop.other;
  }

  private compareByWord(): number {
    const tokens = this.tokens;
    const next = skipComments(tokens, this.at + 1);
    // SOUNDS LIKE, SIMILAR TO
    const isPair = isWordOf(tokens, next, sqlWord.like) && tokens.kind[next + 1] !== sqlToken.open;
    if (isPair || isWordOf(tokens, next, sqlWord.to)) this.at = next;
    return this.compare(trait.compare | trait.wordCompare);
  }

  /** `WITH a(b) AS (…) SELECT …`: the query behind its tables. */
  private queryOfWith(): number {
    if (!this.isWith) return this.alias();
    this.traits |= this.depth > 0 ? trait.query : trait.statement;
    this.queries++;
    return this.expectOperand();
  }
}
