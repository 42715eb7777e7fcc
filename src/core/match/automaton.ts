/** A literal, lower case ASCII, and the group that it belongs to. */
export interface Literal {
  readonly text: string;
  readonly group: number;
}

/**
 * An Aho-Corasick automaton (Aho and Corasick, CACM 18(6), 1975) as a full transition table. The
 * characters stand in planes of 32, first the letters: what prose needs of a state is one line of
 * the processor's cache, and those of the states that prose is in fill its nearest cache evenly.
 */
export interface Automaton {
  /**
   * Next state by `place[byte] + (state << planeShift)`. The states that have outputs are negative,
   * so that the question for them is one for the sign.
   */
  readonly next: Int16Array;
  /** Where the column of each byte begins; all that are in no literal share one. */
  readonly place: Int32Array;
  /** How many states have outputs: the rows of the table and the lists begin with the first. */
  readonly loud: number;
  /** The groups that a state stands for: from the place in a row by `state + loud` to the next. */
  readonly outputs: Output;
  readonly outputStarts: Int32Array;
  /** The scan in which a state with outputs was reached last: a second time says nothing new. */
  readonly reached: Int32Array;
  scans: number;
  /** How many characters of a literal each state stands for, by `state + loud`. */
  readonly depth: Uint16Array;
}

/** A bitset of groups by its words that are not zero: the number of each, and its bits behind it. */
export type Output = Readonly<Int32Array>;

export const planeShift = 5;
const planeSize = 1 << planeShift;
/** With outputs, and without. */
const statesMax = 32_768;

/** Builds the automaton of the literals; each output bitset has `words` 32-bit words. */
export function buildAutomaton(literals: readonly Literal[], words: number): Automaton {
  const trie = new Trie(literals, words);
  const order = trie.breadthFirst();
  linkFailures(trie, order);
  const silent = order.filter((node) => trie.masks[node] === undefined);
  const loud = order.filter((node) => trie.masks[node] !== undefined);
  if (Math.max(silent.length, loud.length) > statesMax) {
    throw new Error('too many literals; use fewer or shorter triggers');
  }
  const stateOf = new Int32Array(order.length);
  [...loud, ...silent].forEach((node, row) => {
    stateOf[node] = row - loud.length;
  });
  const { columns, columnOf } = numberColumns(literals);
  const planes = Math.ceil(columns / planeSize);
  const outputs = loud.map((node) => outputOf(trie.masks[node] ?? []));
  let outputStart = 0;
  const place = columnOf.map(
    (column) =>
      ((column >> planeShift) * order.length + loud.length) * planeSize + (column % planeSize),
  );
  return {
    next: tabulate(trie, { order, stateOf, planes, place, loud: loud.length }),
    place,
    loud: loud.length,
    outputs: Int32Array.from(outputs.flatMap((output) => [...output])),
    outputStarts: Int32Array.of(0, ...outputs.map((output) => (outputStart += output.length))),
    reached: new Int32Array(loud.length),
    scans: 0,
    depth: Uint16Array.from([...loud, ...silent], (node) => trie.depths[node] as number),
  };
}

/** Letters first, then what stands beside them in prose; what no literal has comes last. */
function numberColumns(literals: readonly Literal[]): { columns: number; columnOf: Int32Array } {
  const columnOf = new Int32Array(256).fill(-1);
  let columns = 0;
  for (const character of common + literals.map(({ text }) => text).join('')) {
    const code = character.charCodeAt(0);
    if (columnOf[code] === -1) columnOf[code] = columns++;
  }
  for (let code = 97; code <= 122; code++) columnOf[code - 32] = columnOf[code] as number;
  return {
    columns: columns + 1,
    columnOf: columnOf.map((column) => (column < 0 ? columns : column)),
  };
}

const common = 'abcdefghijklmnopqrstuvwxyz .,-\'"';

interface Numbering {
  /** Breadth-first, so that the row of the failure state is complete when it is copied. */
  readonly order: readonly number[];
  readonly stateOf: Int32Array;
  readonly planes: number;
  readonly place: Int32Array;
  readonly loud: number;
}

function tabulate(trie: Trie, { order, stateOf, planes, place, loud }: Numbering): Int16Array {
  const next = new Int16Array(order.length * planeSize * planes);
  for (const node of order) {
    const row = (stateOf[node] as number) << planeShift;
    const failure = trie.failures[node] as number;
    for (let plane = 0; plane < planes && failure !== none; plane++) {
      const base = (plane * order.length + loud) * planeSize;
      const from = base + ((stateOf[failure] as number) << planeShift);
      next.copyWithin(base + row, from, from + planeSize);
    }
    for (let child = trie.firstChild(node); child !== none; child = trie.sibling(child)) {
      next[(place[trie.codes[child] as number] as number) + row] = stateOf[child] as number;
    }
  }
  return next;
}

const root = 0;
const none = -1;

/** The literals as a tree of numbers. As objects it would stay in memory for long after its use. */
class Trie {
  /** The character that leads to a node. */
  readonly codes: Uint8Array;
  /** How many characters lead to it. */
  readonly depths: Uint16Array;
  readonly failures: Int32Array;
  /** By node, where it stands for groups. */
  readonly masks: (Int32Array | undefined)[] = [];
  readonly #children: Int32Array;
  readonly #siblings: Int32Array;
  #size = 1;

  constructor(literals: readonly Literal[], words: number) {
    const nodesMax = literals.reduce((sum, { text }) => sum + text.length, 1);
    this.codes = new Uint8Array(nodesMax);
    this.depths = new Uint16Array(nodesMax);
    this.failures = new Int32Array(nodesMax).fill(none);
    this.#children = new Int32Array(nodesMax).fill(none);
    this.#siblings = new Int32Array(nodesMax).fill(none);
    for (const { text, group } of literals) {
      let node = root;
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const child = this.child(node, code);
        node = child === none ? this.#add(node, code) : child;
      }
      this.masks[node] ??= new Int32Array(words);
      addGroup(this.masks[node] as Int32Array, group);
    }
  }

  firstChild(node: number): number {
    return this.#children[node] as number;
  }

  /** The next child of the same parent. */
  sibling(node: number): number {
    return this.#siblings[node] as number;
  }

  child(node: number, code: number): number {
    let child = this.firstChild(node);
    while (child !== none && this.codes[child] !== code) child = this.sibling(child);
    return child;
  }

  breadthFirst(): number[] {
    const order = [root];
    for (const node of order) {
      for (let child = this.firstChild(node); child !== none; child = this.sibling(child)) {
        order.push(child);
      }
    }
    return order;
  }

  #add(parent: number, code: number): number {
    const node = this.#size++;
    this.codes[node] = code;
    this.depths[node] = (this.depths[parent] as number) + 1;
    let last = this.firstChild(parent);
    if (last === none) {
      this.#children[parent] = node;
      return node;
    }
    while (this.sibling(last) !== none) last = this.sibling(last);
    this.#siblings[last] = node;
    return node;
  }
}

function linkFailures(trie: Trie, order: readonly number[]): void {
  const { codes, failures, masks } = trie;
  for (const node of order) {
    for (let child = trie.firstChild(node); child !== none; child = trie.sibling(child)) {
      const code = codes[child] as number;
      let from = failures[node] as number;
      while (from !== none && trie.child(from, code) === none) from = failures[from] as number;
      const failure = from === none ? root : trie.child(from, code);
      failures[child] = failure;
      masks[child] = union(masks[child], masks[failure]);
    }
  }
}

/** Equal ones may be shared: they are no longer written to. */
function union(one: Int32Array | undefined, other: Int32Array | undefined): Int32Array | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.map((word, index) => word | (other[index] as number));
}

function addGroup(mask: Int32Array, group: number): void {
  mask[group >>> 5] = (mask[group >>> 5] as number) | (1 << (group & 31));
}

/** What stands for some groups. */
export function outputFor(groups: Iterable<number>, words: number): Output {
  const mask = new Int32Array(words);
  for (const group of groups) addGroup(mask, group);
  return outputOf(mask);
}

function outputOf(mask: Iterable<number>): Output {
  return Int32Array.from([...mask].flatMap((bits, word) => (bits === 0 ? [] : [word, bits])));
}
