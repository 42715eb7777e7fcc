import { hexValue } from '../text/char-class.ts';
import { type CharSet, complementOf, propertyAt } from './char-set.ts';

/**
 * The regular expressions of users' own rules: those of ECMAScript without what would need
 * backtracking (back-references, look-around) and without named groups. `(?i)` in front ignores
 * case. Characters are UTF-16 code units.
 */
export type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly item: Node;
      readonly min: number;
      /** Infinity for no end. */
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'assert'; readonly what: Assertion };

/** What a pattern of a whole text has between `^` and `$`; undefined for other patterns. */
export function itemsOfWhole(root: Node): readonly Node[] | undefined {
  if (root.kind !== 'sequence' || root.items.length < 2) return undefined;
  const [first, last] = [root.items[0], root.items.at(-1)];
  if (first?.kind !== 'assert' || first.what !== 'start') return undefined;
  if (last?.kind !== 'assert' || last.what !== 'end') return undefined;
  return root.items.slice(1, -1);
}

export type Assertion = 'start' | 'end' | 'word-edge' | 'no-word-edge';

export interface Syntax {
  readonly root: Node;
  readonly ignoresCase: boolean;
}

/** The pattern is not one that we take; the message says what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const digits = [48, 57];
const word = [48, 57, 65, 90, 95, 95, 97, 122];
const space = [
  [9, 13, 32, 32, 160, 160, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029],
  [0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
].flat();
const lineEnds = [10, 10, 13, 13, 0x2028, 0x2029];
const highHalf = [0xd800, 0xdbff];
const lowHalf = [0xdc00, 0xdfff];
/** A character beyond U+FFFF. */
const pair: Node = {
  kind: 'sequence',
  items: [
    { kind: 'set', set: { ranges: highHalf, isNegated: false } },
    { kind: 'set', set: { ranges: lowHalf, isNegated: false } },
  ],
};
const groupName = /\?<[A-Za-z_$][\w$]{0,60}>/y;

const namedSets: Readonly<Record<string, CharSet>> = {
  d: { ranges: digits, isNegated: false },
  D: { ranges: digits, isNegated: true },
  w: { ranges: word, isNegated: false },
  W: { ranges: word, isNegated: true },
  s: { ranges: space, isNegated: false },
  S: { ranges: space, isNegated: true },
};

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };

const caseFlag = '(?i)';

/** What differs between patterns that find evidence and those that only say yes or no. */
export interface Dialect {
  readonly repeatMax: number;
  /**
   * The flag `u` of ECMAScript: a character beyond U+FFFF is one to `.` and `[^…]`, `\\p{L}` is
   * known. Groups may have names, and what is repeated may be empty: what a group matched does not matter.
   */
  readonly isUnicode: boolean;
}

/** Of users' own rules. */
const ruleDialect: Dialect = { repeatMax: 1_000, isUnicode: false };

/** Reads a pattern. Throws a PatternError and nothing else. */
export function parsePattern(source: string, dialect: Dialect = ruleDialect): Syntax {
  const ignoresCase = source.startsWith(caseFlag);
  const parser = new Parser(ignoresCase ? source.slice(caseFlag.length) : source, dialect);
  return { root: parser.readAll(), ignoresCase };
}

/** Whether a node can match without reading anything. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'assert':
      return true;
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.item);
    case 'sequence':
      return node.items.every(canBeEmpty);
    case 'choice':
      return node.options.some(canBeEmpty);
  }
}

class Parser {
  private readonly source: string;
  private readonly dialect: Dialect;
  private at = 0;

  constructor(source: string, dialect: Dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  readAll(): Node {
    const root = this.readChoice();
    if (this.at < this.source.length) throw new PatternError('a ) has no ( before it; write \\)');
    return root;
  }

  private readChoice(): Node {
    const options = [this.readSequence()];
    while (this.take('|')) options.push(this.readSequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  private readSequence(): Node {
    const items: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source.charAt(this.at))) {
      items.push(this.readRepeated());
    }
    return { kind: 'sequence', items };
  }

  private readRepeated(): Node {
    const item = this.readAtom();
    const bounds = this.readBounds();
    if (bounds === undefined) return item;
    if (item.kind === 'assert') throw new PatternError('an assertion cannot be repeated');
    if (bounds.max > bounds.min && !this.dialect.isUnicode && canBeEmpty(item)) {
      // Engines disagree on how a group that can be empty is repeated, so it is refused.
      throw new PatternError('what is repeated can be empty; write a* for (a*)*');
    }
    const isLazy = this.take('?');
    if (this.readBounds() !== undefined) {
      throw new PatternError('two repetitions follow each other; put the first one in (?:…)');
    }
    return { kind: 'repeat', item, ...bounds, isLazy };
  }

  private readBounds(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    if (this.source.charAt(this.at) !== '{') return undefined;
    repetition.lastIndex = this.at;
    const [whole, least, comma, most] = repetition.exec(this.source) ?? [];
    if (whole === undefined) throw new PatternError('a { begins no {2} or {2,5}; write \\{');
    this.at += whole.length;
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (max < min) throw new PatternError(`${whole} ends before it begins`);
    if (max === 0) throw new PatternError(`${whole} stands for nothing; leave it out`);
    const { repeatMax } = this.dialect;
    if (min > repeatMax || (Number.isFinite(max) && max > repeatMax)) {
      throw new PatternError(`${whole} is more than ${repeatMax} repetitions; use fewer`);
    }
    return { min, max };
  }

  private readAtom(): Node {
    const character = this.source.charAt(this.at++);
    switch (character) {
      case '(':
        return this.readGroup();
      case '[':
        return this.setNode(this.readClass());
      case '.':
        return this.setNode({ ranges: lineEnds, isNegated: true });
      case '^':
        return { kind: 'assert', what: 'start' };
      case '$':
        return { kind: 'assert', what: 'end' };
      case '\\':
        return this.readEscape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternError(`nothing stands before a ${character}; write \\${character}`);
      default:
        return single(character.charCodeAt(0));
    }
  }

  /** A set of characters: what is not in a list may be a pair of code units. */
  private setNode(set: CharSet): Node {
    const one: Node = { kind: 'set', set };
    if (!this.dialect.isUnicode || !set.isNegated) return one;
    const ranges = [...set.ranges, ...highHalf, ...lowHalf];
    const single: Node = { kind: 'set', set: { ranges, isNegated: true } };
    return { kind: 'choice', options: [single, pair] };
  }

  private readGroup(): Node {
    groupName.lastIndex = this.at;
    const [name = ''] = this.dialect.isUnicode ? (groupName.exec(this.source) ?? []) : [];
    this.at += name.length;
    if (name === '' && this.take('?') && !this.take(':')) {
      throw new PatternError(
        'look-around and named groups are not supported; write (?:…), and (?i) in front of all',
      );
    }
    const inner = this.readChoice();
    if (!this.take(')')) throw new PatternError('a ( has no ) after it; write \\( for the sign');
    // Repeated, it would cost time and no states.
    if (inner.kind === 'sequence' && inner.items.length === 0) {
      throw new PatternError('() holds nothing; leave it out');
    }
    return inner;
  }

  private readEscape(): Node {
    const character = this.source.charAt(this.at);
    if (character === 'b' || character === 'B') {
      this.at++;
      return { kind: 'assert', what: character === 'b' ? 'word-edge' : 'no-word-edge' };
    }
    const set = this.takeNamedSet();
    return set === undefined ? single(this.readEscapedCode()) : this.setNode(set);
  }

  private takeNamedSet(): CharSet | undefined {
    if (this.dialect.isUnicode) {
      const found = propertyAt(this.source, this.at);
      if (found !== undefined) {
        this.at += found.length;
        return found.set;
      }
    }
    const set = namedSets[this.source.charAt(this.at)];
    if (set !== undefined) this.at++;
    return set;
  }

  /** The code unit behind a backslash. */
  private readEscapedCode(): number {
    const character = this.source.charAt(this.at++);
    const control = controls[character];
    if (control !== undefined) return control;
    if (character === 'x') return this.readHex(2);
    if (character === 'u') return this.readHex(4);
    if (character === '') throw new PatternError('the last \\ escapes nothing; write \\\\');
    if (digit.test(character)) {
      throw new PatternError(`\\${character} refers back to a group, which is not supported`);
    }
    if (letter.test(character)) {
      throw new PatternError(`\\${character} has no meaning; leave the \\ out`);
    }
    return character.charCodeAt(0);
  }

  private readHex(length: number): number {
    let code = 0;
    for (let i = 0; i < length; i++) {
      const value = hexValue(this.source.charCodeAt(this.at++));
      if (value < 0) {
        throw new PatternError(`\\${length === 2 ? 'x41' : 'u0041'} is the form of such an escape`);
      }
      code = code * 16 + value;
    }
    return code;
  }

  private readClass(): CharSet {
    const isNegated = this.take('^');
    const ranges: number[] = [];
    while (!this.take(']')) {
      if (this.at >= this.source.length) throw new PatternError('a [ has no ] after it; write \\[');
      const first = this.readClassItem(ranges);
      if (this.source.charAt(this.at) !== '-' || this.source.charAt(this.at + 1) === ']') {
        if (first !== undefined) ranges.push(first, first);
        continue;
      }
      this.at++;
      const last = this.readClassItem(ranges);
      if (first === undefined || last === undefined || last < first) {
        throw new PatternError('a range in […] ends before it begins; write \\- for the sign');
      }
      ranges.push(first, last);
    }
    if (ranges.length === 0) throw new PatternError('[] holds nothing; write \\[\\] for the signs');
    return { ranges, isNegated };
  }

  /** One code unit of a class; undefined when it was a set, whose ranges are then added. */
  private readClassItem(ranges: number[]): number | undefined {
    if (!this.take('\\')) {
      const code = this.source.charCodeAt(this.at++);
      if (code >= 0xd800 && code <= 0xdfff) {
        throw new PatternError('a character beyond U+FFFF cannot stand in […]; write (?:a|b)');
      }
      return code;
    }
    const set = this.takeNamedSet();
    if (set === undefined) {
      if (!this.take('b')) return this.readEscapedCode();
      return 8;
    }
    ranges.push(...(set.isNegated ? complementOf(set.ranges) : set.ranges));
    return undefined;
  }

  private take(character: string): boolean {
    if (!this.source.startsWith(character, this.at)) return false;
    this.at += character.length;
    return true;
  }
}

const digit = /[1-9]/;
const letter = /[A-Za-z]/;
const repetition = /\{(\d{1,4})(,(\d{0,4}))?\}/y;

function single(code: number): Node {
  return { kind: 'set', set: { ranges: [code, code], isNegated: false } };
}
