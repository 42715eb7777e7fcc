import type { CharSet } from './char-set.ts';
import { type Assertion, type Node, PatternError } from './pattern-syntax.ts';

/** How much work may still be done; below zero when it did not suffice. */
export interface Meter {
  left: number;
}

const op = { set: 0, split: 1, jump: 2, assert: 3, match: 4 } as const;

/** One instruction: `x` and `y` are the next ones, or the number of a set or an assertion. */
interface Instruction {
  readonly op: number;
  x: number;
  y: number;
}

export interface Program {
  readonly code: readonly Instruction[];
  readonly sets: readonly Membership[];
}

type Membership = (unit: number) => boolean;

const assertions: readonly Assertion[] = ['start', 'end', 'word-edge', 'no-word-edge'];

export class Compiler {
  private readonly code: Instruction[] = [];
  private readonly sets: Membership[] = [];
  private readonly setNumbers: Map<CharSet, number> = new Map();
  private readonly ignoresCase: boolean;
  private readonly statesMax: number;

  constructor(options: { readonly ignoresCase: boolean; readonly statesMax: number }) {
    this.ignoresCase = options.ignoresCase;
    this.statesMax = options.statesMax;
  }

  compile(root: Node): Program {
    this.emitNode(root);
    this.emit(op.match, 0, 0);
    return { code: this.code, sets: this.sets };
  }

  private emit(code: number, x: number, y: number): number {
    if (this.code.length >= this.statesMax) {
      throw new PatternError(
        `it needs more than ${this.statesMax} states; repeat less, or use two of them`,
      );
    }
    return this.code.push({ op: code, x, y }) - 1;
  }

  private emitNode(node: Node): void {
    switch (node.kind) {
      case 'set':
        this.emit(op.set, this.numberOf(node.set), 0);
        return;
      case 'assert':
        this.emit(op.assert, assertions.indexOf(node.what), 0);
        return;
      case 'sequence':
        for (const item of node.items) this.emitNode(item);
        return;
      case 'choice':
        this.emitChoice(node.options);
        return;
      case 'repeat':
        for (let i = 0; i < node.min; i++) this.emitNode(node.item);
        if (node.max === Number.POSITIVE_INFINITY) this.emitLoop(node.item, node.isLazy);
        else this.emitOptional(node.item, node.max - node.min, node.isLazy);
    }
  }

  private emitChoice(options: readonly Node[]): void {
    const ends: number[] = [];
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        this.emitNode(option);
        return;
      }
      const split = this.emitSplit(false);
      this.emitNode(option);
      ends.push(this.emit(op.jump, 0, 0));
      this.land(split, false);
    });
    for (const end of ends) this.patch(end, this.code.length);
  }

  private emitLoop(item: Node, isLazy: boolean): void {
    const split = this.emitSplit(isLazy);
    this.emitNode(item);
    this.emit(op.jump, split, 0);
    this.land(split, isLazy);
  }

  private emitOptional(item: Node, count: number, isLazy: boolean): void {
    const splits: number[] = [];
    for (let i = 0; i < count; i++) {
      splits.push(this.emitSplit(isLazy));
      this.emitNode(item);
    }
    for (const split of splits) this.land(split, isLazy);
  }

  /** A split into what follows and what `land` names later; a lazy one prefers the latter. */
  private emitSplit(isLazy: boolean): number {
    const next = this.code.length + 1;
    return isLazy ? this.emit(op.split, 0, next) : this.emit(op.split, next, 0);
  }

  private land(split: number, isLazy: boolean): void {
    const instruction = this.code[split];
    if (instruction === undefined) return;
    if (isLazy) instruction.x = this.code.length;
    else instruction.y = this.code.length;
  }

  private patch(jump: number, target: number): void {
    const instruction = this.code[jump];
    if (instruction !== undefined) instruction.x = target;
  }

  private numberOf(set: CharSet): number {
    const known = this.setNumbers.get(set);
    if (known !== undefined) return known;
    const number = this.sets.push(membershipOf(set, this.ignoresCase)) - 1;
    this.setNumbers.set(set, number);
    return number;
  }
}

/** A test for one set: a table for ASCII, the ranges for the rest. */
function membershipOf(set: CharSet, ignoresCase: boolean): Membership {
  const table = new Uint8Array(128);
  for (let unit = 0; unit < 128; unit++) table[unit] = isIn(set, unit, ignoresCase) ? 1 : 0;
  return (unit) => (unit < 128 ? table[unit] === 1 : isIn(set, unit, ignoresCase));
}

function isIn(set: CharSet, unit: number, ignoresCase: boolean): boolean {
  let found = inRanges(set.ranges, unit);
  if (!found && ignoresCase && unit < 128) {
    const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122;
    found = isLetter && inRanges(set.ranges, unit ^ 32);
  } else if (!found && ignoresCase) {
    // As in ECMAScript no character beyond ASCII stands for one within: `ſ` is no `s`.
    const character = String.fromCharCode(unit);
    const variants = [character.toLowerCase(), character.toUpperCase()];
    found = variants.some((one) => one > '\u007f' && inRanges(set.ranges, one.charCodeAt(0)));
  }
  return found !== set.isNegated;
}

function inRanges(ranges: readonly number[], unit: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (unit >= (ranges[i] as number) && unit <= (ranges[i + 1] as number)) return true;
  }
  return false;
}

/** States to go on from, the preferred first, with where each one's match began. */
class Threads {
  readonly states: Int32Array;
  readonly starts: Int32Array;
  /** The step in which a state was last added. */
  readonly addedAt: Int32Array;
  size = 0;

  constructor(states: number) {
    this.states = new Int32Array(states);
    this.starts = new Int32Array(states);
    this.addedAt = new Int32Array(states).fill(-1);
  }
}

export class Machine {
  private readonly program: Program;
  private readonly isFirst: Membership;
  private now: Threads;
  private next: Threads;
  private text = '';
  private work = 0;
  private readonly mayBeEmpty: boolean;

  constructor(program: Program, mayBeEmpty = false) {
    this.mayBeEmpty = mayBeEmpty;
    this.program = program;
    this.now = new Threads(program.code.length);
    this.next = new Threads(program.code.length);
    this.isFirst = firstUnits(program);
  }

  find(text: string, meter: Meter): { start: number; end: number } | undefined {
    this.text = text;
    this.work = 0;
    this.now.size = 0;
    this.now.addedAt.fill(-1);
    this.next.addedAt.fill(-1);
    let found: { start: number; end: number } | undefined;
    for (let at = 0; at <= text.length; at++) {
      if (found === undefined) {
        if (this.now.size === 0) at = this.skip(at);
        this.add(this.now, 0, at, at);
      } else if (this.now.size === 0) break;
      found = this.step(at) ?? found;
      if (this.work > meter.left) break;
    }
    meter.left -= this.work;
    this.text = '';
    return meter.left < 0 ? undefined : found;
  }

  /** Whether there is any match, also an empty one. */
  hasMatch(text: string, meter: Meter): boolean {
    this.text = text;
    this.work = 0;
    this.now.size = 0;
    this.now.addedAt.fill(-1);
    this.next.addedAt.fill(-1);
    let isFound = false;
    for (let at = 0; at <= text.length && !isFound && this.work <= meter.left; at++) {
      // An empty match may stand before any character.
      if (this.now.size === 0 && !this.mayBeEmpty) at = this.skip(at);
      this.add(this.now, 0, at, at);
      isFound = this.step(at) !== undefined;
    }
    meter.left -= this.work;
    this.text = '';
    return isFound && meter.left >= 0;
  }

  /** The next place at which a match can begin. */
  private skip(from: number): number {
    const { text } = this;
    let at = from;
    while (at < text.length && !this.isFirst(text.charCodeAt(at))) at++;
    // Looking is much cheaper than a state.
    this.work += (at - from) >>> 3;
    return at;
  }

  /** Lets all threads read the unit at `at`; the match that ends before it, if there is one. */
  private step(at: number): { start: number; end: number } | undefined {
    const { code, sets } = this.program;
    const { now, next } = this;
    const unit = at < this.text.length ? this.text.charCodeAt(at) : -1;
    next.size = 0;
    let found: { start: number; end: number } | undefined;
    for (let i = 0; i < now.size; i++) {
      const state = now.states[i] as number;
      const start = now.starts[i] as number;
      const instruction = code[state] as Instruction;
      if (instruction.op === op.match) {
        found = { start, end: at };
        // What follows is preferred less.
        break;
      }
      if (unit >= 0 && (sets[instruction.x] as Membership)(unit)) {
        this.add(next, state + 1, at + 1, start);
      }
    }
    this.work += now.size;
    now.size = 0;
    this.now = next;
    this.next = now;
    return found;
  }

  /** Follows what reads nothing, and adds the states that read. */
  private add(threads: Threads, state: number, at: number, start: number): void {
    if (threads.addedAt[state] === at) return;
    threads.addedAt[state] = at;
    this.work += 1;
    const instruction = this.program.code[state] as Instruction;
    switch (instruction.op) {
      case op.jump:
        this.add(threads, instruction.x, at, start);
        return;
      case op.split:
        this.add(threads, instruction.x, at, start);
        this.add(threads, instruction.y, at, start);
        return;
      case op.assert:
        if (this.holds(instruction.x, at)) this.add(threads, state + 1, at, start);
        return;
      default:
        threads.states[threads.size] = state;
        threads.starts[threads.size] = start;
        threads.size += 1;
    }
  }

  private holds(assertion: number, at: number): boolean {
    switch (assertions[assertion]) {
      case 'start':
        return at === 0;
      case 'end':
        return at === this.text.length;
      case 'word-edge':
        return this.isWord(at - 1) !== this.isWord(at);
      default:
        return this.isWord(at - 1) === this.isWord(at);
    }
  }

  private isWord(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return (
      (unit >= 97 && unit <= 122) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 48 && unit <= 57) ||
      unit === 95
    );
  }
}

/** Whether a unit can be the first of a match; assertions are taken for true. */
function firstUnits(program: Program): Membership {
  const seen = new Set<number>();
  const firsts: Membership[] = [];
  const follow = (state: number): void => {
    if (seen.has(state)) return;
    seen.add(state);
    const instruction = program.code[state] as Instruction;
    if (instruction.op === op.set) firsts.push(program.sets[instruction.x] as Membership);
    else if (instruction.op === op.jump) follow(instruction.x);
    else if (instruction.op === op.assert) follow(state + 1);
    else if (instruction.op === op.split) {
      follow(instruction.x);
      follow(instruction.y);
    }
  };
  follow(0);
  const table = new Uint8Array(128);
  for (let unit = 0; unit < 128; unit++) table[unit] = firsts.some((is) => is(unit)) ? 1 : 0;
  return (unit) => (unit < 128 ? table[unit] === 1 : firsts.some((is) => is(unit)));
}
