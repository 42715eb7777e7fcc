import type { Expression } from './traits.ts';

/**
 * A place where a value can leave its literal or operand and the statement goes on in its own
 * words.
 */
export interface Break {
  /** What stands before: one of `context` in `breaks.ts`. */
  readonly context: number;
  /** Token of the quote or operand before; equal to `at` when there is none. */
  readonly before: number;
  /** Closing parentheses between. */
  readonly closers: number;
  /** True when one of them closes what the value did not open. */
  readonly leavesParenthesis: boolean;
  /** True when the quote closes a literal that the value itself opened. */
  readonly isBalanced: boolean;
  /** Token of the connective. */
  readonly at: number;
  readonly connective: number;
  /** The expression after the connective; empty where the rules read on by themselves. */
  readonly expression: Expression;
}

/**
 * The breaks of a text as a list of numbers: as objects, the many of a hostile text would all live
 * at once, and the collector would copy them again and again. A list holds until the next is made.
 */
export class BreakList implements Iterable<Break> {
  length = 0;

  add(one: Break): void {
    const at = width * this.length++;
    if (at >= numbers.length) numbers = twiceAsLong(numbers);
    const { expression } = one;
    numbers[at] = one.context;
    numbers[at + 1] = one.before;
    numbers[at + 2] = one.closers;
    numbers[at + 3] =
      (one.leavesParenthesis ? leavesMark : 0) |
      (one.isBalanced ? balancedMark : 0) |
      (expression.whole ? wholeMark : 0);
    numbers[at + 4] = one.at;
    numbers[at + 5] = one.connective;
    numbers[at + 6] = expression.end;
    numbers[at + 7] = expression.stop;
    numbers[at + 8] = expression.traits;
    numbers[at + 9] = expression.depth;
    numbers[at + 10] = expression.openAt;
    numbers[at + 11] = expression.calls;
    numbers[at + 12] = expression.operands;
    numbers[at + 13] = expression.steps;
  }

  [Symbol.iterator](): Iterator<Break> {
    return new Walk(this.length);
  }
}

const width = 14;
const leavesMark = 1;
const balancedMark = 2;
const wholeMark = 4;

/** Reused: see `grammars/sql/sql.ts`, whose tokens these are about. */
let numbers = new Int32Array(width * 64);

function twiceAsLong(list: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * list.length);
  longer.set(list);
  return longer;
}

class Walk implements Iterator<Break> {
  private readonly count: number;
  private index = 0;

  constructor(count: number) {
    this.count = count;
  }

  next(): IteratorResult<Break> {
    if (this.index >= this.count) return { done: true, value: undefined };
    return { done: false, value: new BreakHandle(width * this.index++) };
  }
}

/** One of the list, by the place of its numbers. */
class BreakHandle implements Break {
  private readonly from: number;

  constructor(from: number) {
    this.from = from;
  }

  get context(): number {
    return numbers[this.from] as number;
  }

  get before(): number {
    return numbers[this.from + 1] as number;
  }

  get closers(): number {
    return numbers[this.from + 2] as number;
  }

  get leavesParenthesis(): boolean {
    return ((numbers[this.from + 3] as number) & leavesMark) !== 0;
  }

  get isBalanced(): boolean {
    return ((numbers[this.from + 3] as number) & balancedMark) !== 0;
  }

  get at(): number {
    return numbers[this.from + 4] as number;
  }

  get connective(): number {
    return numbers[this.from + 5] as number;
  }

  /** Made when it is asked for: most rules tell by the connective that they have nothing to say. */
  get expression(): Expression {
    const at = this.from + 6;
    return {
      end: numbers[at] as number,
      stop: numbers[at + 1] as number,
      traits: numbers[at + 2] as number,
      whole: ((numbers[this.from + 3] as number) & wholeMark) !== 0,
      depth: numbers[at + 3] as number,
      openAt: numbers[at + 4] as number,
      calls: numbers[at + 5] as number,
      operands: numbers[at + 6] as number,
      steps: numbers[at + 7] as number,
    };
  }
}
