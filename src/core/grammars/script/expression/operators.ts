import { wordList, wordSet } from '../../../text/words.ts';
import { capabilityOf } from './capabilities.ts';
import {
  numberOf,
  numeric,
  sumOf,
  text,
  textMax,
  truthOf,
  unknown,
  type Value,
  word,
} from './value.ts';

/**
 * How tightly operators bind (ECMA-262 13, the others differ only where no name comes out): the
 * larger, the tighter.
 */
export const level = { assignment: 1, condition: 2, logical: 3, comparison: 4, sum: 5, product: 6 };

const levels: ReadonlyMap<string, number> = new Map([
  ...table(level.assignment, '= += -= *= /= .= %= |= &= ^= <<= >>= **= ||= &&= ??= =>'),
  ...table(level.condition, '? if else unless for while rescue'),
  ...table(level.logical, '|| && ?? or and xor'),
  ...table(
    level.comparison,
    '== === != !== < > <= >= <=> in is not instanceof | & ^ << >> .. ... extends as of from',
  ),
  ...table(level.sum, '+ -'),
  ...table(level.product, '* / % **'),
]);

function table(value: number, marks: string): [string, number][] {
  return wordList(marks).map((mark) => [mark, value]);
}

/** Level of an operator between two operands; 0 for what is none. */
export function levelOf(mark: string): number {
  return levels.get(mark) ?? 0;
}

/** What an operator makes of two values: a constant, or the one that may be called. */
export function binary(mark: string, left: Value, right: Value): Value {
  if (modifiers.has(mark)) return left;
  switch (mark) {
    case '+':
      return sumOf(left, right);
    case '||':
    case 'or':
      return truthOf(left) === false ? right : left.kind === 'reference' ? left : right;
    case '??':
      return left.kind === 'word' || (left.kind === 'reference' && !capabilityOf(left.path))
        ? right
        : left;
    case '&&':
    case 'and':
      return right;
    case '==':
    case '===':
      return compared(left, right);
    default:
      return arithmetic(mark, left, right);
  }
}

/** Words behind a value that leave it as it is (Ruby, Python). */
const modifiers: ReadonlySet<string> = wordSet('if else unless for rescue');

function compared(left: Value, right: Value): Value {
  const first = numberOf(left);
  const second = numberOf(right);
  if (first === undefined || second === undefined) return unknown;
  return word(String(first === second));
}

function arithmetic(mark: string, left: Value, right: Value): Value {
  const first = numberOf(left);
  const second = numberOf(right);
  if (first === undefined || second === undefined) return unknown;
  switch (mark) {
    case '-':
      return numeric(first - second);
    case '*':
      return numeric(first * second);
    case '/':
      return numeric(first / second);
    case '%':
      return numeric(first % second);
    case '**':
      return numeric(first ** second);
    case '^':
      return numeric(first ^ second);
    case '|':
      return numeric(first | second);
    case '&':
      return numeric(first & second);
    case '<<':
      return numeric(first << second);
    case '>>':
      return numeric(first >> second);
    case '<':
      return word(String(first < second));
    case '>':
      return word(String(first > second));
    default:
      return unknown;
  }
}

/** What an operator in front makes of a constant. */
export function unary(mark: string, value: Value): Value {
  if (mark === '!' || mark === 'not') {
    const truth = truthOf(value);
    return truth === undefined ? unknown : word(String(!truth));
  }
  if (mark === '...' && value.kind === 'text') {
    return { kind: 'list', items: [...value.text.slice(0, textMax)].map((one) => text(one)) };
  }
  if (mark === '@' || mark === '&' || mark === '*' || mark === '...' || mark === '**') return value;
  const number = numberOf(value);
  if (number === undefined) return unknown;
  if (mark === '-') return numeric(-number);
  if (mark === '~') return numeric(~number);
  return Number.isNaN(number) && mark === '+' ? word('NaN') : numeric(number);
}
