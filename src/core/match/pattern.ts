import { limits } from '../../contract/limits.ts';
import { Compiler, Machine, type Meter } from './pattern-machine.ts';
import {
  canBeEmpty,
  itemsOfWhole,
  type Node,
  PatternError,
  parsePattern,
} from './pattern-syntax.ts';
import { wholeTestOf } from './stretches.ts';

export type { Meter } from './pattern-machine.ts';

/**
 * A regular expression that is searched for in linear time: Thompson's construction, run as Pike's
 * virtual machine (Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009). A text
 * of n characters costs at most n times the number of states; nothing is tried twice.
 */
interface Pattern {
  /** ASCII text that every match holds, whatever the case of its letters; '' when none is known. */
  readonly literal: string;
  /** The leftmost match, and of those the one that ECMAScript would find; none that is empty. */
  find(text: string, meter: Meter): { readonly start: number; readonly end: number } | undefined;
}

type PatternOutcome =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'not-valid'; readonly reason: string };

/** Compiles a pattern, or says what is wrong with it. */
export function compilePattern(source: string): PatternOutcome {
  try {
    const { root, ignoresCase } = parsePattern(source);
    if (canBeEmpty(root)) {
      return { kind: 'not-valid', reason: 'it matches the empty text; let it need a character' };
    }
    const program = new Compiler({ ignoresCase, statesMax: limits.patternStatesMax }).compile(root);
    const machine = new Machine(program);
    const find: Pattern['find'] = (text, meter) => machine.find(text, meter);
    return { kind: 'pattern', pattern: { literal: longestLiteral(root), find } };
  } catch (error) {
    if (error instanceof PatternError) return { kind: 'not-valid', reason: error.message };
    throw error;
  }
}

/** Says whether a text holds a match, also an empty one. False when the work did not suffice. */
export interface Tester {
  test(text: string, meter: Meter): boolean;
  /** Whether all that matches is made of few letters: see `isIdentifierPattern`. */
  readonly isIdentifier: boolean;
}

export type TesterOutcome =
  | { readonly kind: 'tester'; readonly tester: Tester }
  | { readonly kind: 'not-valid'; readonly reason: string };

/**
 * Compiles a regular expression as schemas have them (JSON Schema 2020-12: ECMA-262 with the flag
 * `u`). Back-references and look-around are refused.
 */
export function compileTester(source: string): TesterOutcome {
  try {
    if (source.length > limits.shapePatternCharsMax) {
      throw new PatternError(
        `it is longer than ${limits.shapePatternCharsMax} characters; use an enum, or leave it out`,
      );
    }
    const dialect = { repeatMax: 4_096, isUnicode: true };
    const { root, ignoresCase } = parsePattern(source, dialect);
    const options = { ignoresCase, statesMax: limits.shapePatternStatesMax };
    const machine = new Machine(new Compiler(options).compile(root), canBeEmpty(root));
    const whole = ignoresCase ? undefined : wholeTestOf(root);
    const test: Tester['test'] =
      whole === undefined
        ? (text, meter) => machine.hasMatch(text, meter)
        : (text, meter) => {
            meter.left -= text.length >>> 3;
            return meter.left >= 0 && whole(text);
          };
    return { kind: 'tester', tester: { test, isIdentifier: isIdentifierPattern(root) } };
  } catch (error) {
    if (error instanceof PatternError) return { kind: 'not-valid', reason: error.message };
    throw error;
  }
}

/**
 * Whether a pattern stands for a whole text of ASCII letters, digits, `_` and `-`: no language has
 * syntax that can be written with these alone.
 */
function isIdentifierPattern(root: Node): boolean {
  return itemsOfWhole(root)?.every(readsIdentifier) === true;
}

function readsIdentifier(node: Node): boolean {
  switch (node.kind) {
    case 'assert':
      return true;
    case 'repeat':
      return readsIdentifier(node.item);
    case 'sequence':
      return node.items.every(readsIdentifier);
    case 'choice':
      return node.options.every(readsIdentifier);
    case 'set':
      return !node.set.isNegated && isOfIdentifier(node.set.ranges);
  }
}

function isOfIdentifier(ranges: readonly number[]): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    for (let code = ranges[i] ?? 0; code <= (ranges[i + 1] ?? 0); code++) {
      if (code > 127 || !identifierSign.test(String.fromCharCode(code))) return false;
    }
  }
  return true;
}

const identifierSign = /[\w-]/;

/** The longest run of single ASCII characters that no match can do without. */
function longestLiteral(root: Node): string {
  let longest = '';
  let run = '';
  const end = (): void => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  const walk = (node: Node): void => {
    const character = singleAscii(node);
    if (character !== '') run += character;
    else if (node.kind === 'sequence') for (const item of node.items) walk(item);
    else if (node.kind === 'repeat' && node.min > 0) {
      // What stands before it touches the first one, what follows the last one.
      const repeated = singleAscii(node.item);
      run += repeated;
      end();
      run = repeated;
    } else if (node.kind !== 'assert') end();
  };
  walk(root);
  end();
  return longest;
}

function singleAscii(node: Node): string {
  if (node.kind !== 'set' || node.set.isNegated || node.set.ranges.length !== 2) return '';
  const [first = 128, last] = node.set.ranges;
  return first === last && first < 128 ? String.fromCharCode(first) : '';
}
