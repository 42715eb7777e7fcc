import { endOfGroup, endOfTail } from './clause-tail.ts';
import {
  endOfField,
  endOfInfix,
  isCallGlued,
  isCubeRoot,
  isPrefixOperator,
  isTwoSigns,
} from './expression-places.ts';
import { ExpressionState, goOn, operandClass } from './expression-state.ts';
import { clauseWordsAfterOperand, directions, endingWords } from './expression-words.ts';
import { isCommentMark, isWordOf, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { stop, trait } from './traits.ts';
import { classesOf, classSet } from './word-classes.ts';

/** Why an expression ends at a token that it has no use for. */
const stopOf: Uint8Array = new Uint8Array(256).fill(stop.other);
stopOf[sqlToken.end] = stop.end;
stopOf[sqlToken.semicolon] = stop.semicolon;
stopOf[sqlToken.blockComment] = stop.comment;
stopOf[sqlToken.lineComment] = stop.comment;

const afterNumber = classSet(
  classesOf('branch end or and xor like in is between arithmetic not suffix'),
);

/** `% & / ^ | << >>`: no list or sentence has them behind a full stop. */
const infixSigns = [37, 38, 47, 94, 124, 60, 62];

/** What stands behind an operand and is no operator of signs. */
export class ExpressionClauses extends ExpressionState {
  /** `FROM a AS b(c, d)`: the columns of a table behind its alias. */
  protected columnsOfAlias(): number {
    if (this.queries === 0 || this.aliases === 0) return stop.other;
    const end = endOfGroup(this.tokens, this.at, -1);
    if (end < 0) return stop.other;
    this.at = end;
    return goOn;
  }

  /** `a[1:2]` */
  protected slice(): number {
    const isColon = this.tokens.text.charCodeAt(this.tokens.start[this.at] as number) === 58;
    return this.brackets > 0 && isColon ? this.expectOperand() : stop.other;
  }

  /** What a word does that belongs to no operand: a clause, its end or a direction; undefined for none. */
  protected clauseWord(word: number): number | undefined {
    const end = this.queries > 0 ? endOfTail(this.tokens, this.at) : this.at;
    if (end > this.at) {
      this.at = end;
      return goOn;
    }
    if (clauseWordsAfterOperand[word] === 1) return this.nextOperand(stop.clause);
    if (endingWords[word] === 1) return stop.clause;
    return directions[word] === 1 ? this.direction() : undefined;
  }

  /** An operator that is written in words, or else an alias. */
  protected infix(): number {
    const end = endOfInfix(this.tokens, this.at);
    if (end < 0) return this.alias();
    if (end > this.at) this.compare(trait.compare);
    this.at = end;
    return this.expectOperand();
  }

  protected cubeRoot(): number {
    return isCubeRoot(this.tokens, this.at) ? this.skip(2) : stop.other;
  }

  /** A dot behind an operand. */
  protected dot(): number {
    const end = endOfField(this.tokens, this.at);
    if (end > this.at) return this.take(operandClass.name, end, trait.name);
    // `1.` before white space, which ends a sentence outside of a query.
    const isBehindNumber = this.tokens.kind[this.at - 1] === sqlToken.number;
    return isBehindNumber && this.isNumberDot() ? this.skip() : stop.other;
  }

  /** `or ?`: a parameter, NULL where nothing is bound to it (SQLite); `WHERE a = ?` is shown by programs. */
  protected parameter(): number {
    const isMark = this.tokens.text.charCodeAt(this.tokens.start[this.at] as number) === 63;
    return isMark && this.left === operandClass.none
      ? this.take(operandClass.variable, this.at + 1, trait.variable)
      : stop.other;
  }

  protected noOperand(kind: number): number {
    if (kind === sqlToken.comparison && isPrefixOperator(this.tokens, this.at)) return this.skip();
    const isInside = this.depth > 0 || this.left !== operandClass.none;
    return isInside && isTwoSigns(this.tokens, this.at) ? this.skip() : this.ending(kind);
  }

  protected ending(kind: number): number {
    return stopOf[kind] as number;
  }

  /** `OPERATOR(pg_catalog.-) 1`: a sign of PostgreSQL, which is no call. */
  protected signCall(): boolean {
    const sign = endOfInfix(this.tokens, this.at);
    const isSign = sign > this.at;
    if (isSign) this.at = sign + 1;
    return isSign;
  }

  /** `1. or 2`: what no sentence begins with goes on behind the number. */
  protected isNumberDot(): boolean {
    if (this.isNested() || this.cases > 0) return true;
    const { kind, word } = this.tokens;
    const next = skipComments(this.tokens, this.at + 1);
    const type = kind[next] as number;
    if (isCommentMark(type) || (type >= sqlToken.comparison && type <= sqlToken.ampersands))
      return true;
    if (type === sqlToken.end || type === sqlToken.semicolon) return true;
    // `5. *abs(1)`, and not `5. *Note*`
    if (type === sqlToken.operator)
      return infixSigns.includes(word[next] as number) || isCallGlued(this.tokens, next + 1);
    return type === sqlToken.word && afterNumber[word[next] as number] === 1;
  }

  protected nullTest(): number {
    const tokens = this.tokens;
    this.traits |= trait.nullTest | trait.compare;
    // ISNULL and NOTNULL are complete in themselves.
    if ((tokens.end[this.at] as number) - (tokens.start[this.at] as number) > 2) return this.skip();
    const not = skipComments(tokens, this.at + 1);
    if (isWordOf(tokens, not, sqlWord.not)) this.at = not;
    // IS DISTINCT FROM
    const isDistinct = isWordOf(tokens, this.at + 1, sqlWord.quantifier);
    if (isDistinct && isWordOf(tokens, this.at + 2, sqlWord.from)) this.at += 2;
    return this.compare(trait.compare | trait.nullTest);
  }
}
