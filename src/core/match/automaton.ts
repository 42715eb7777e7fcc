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
  /** Next state by `place[byte] + (state << planeShift)`. */
  readonly next: Uint16Array;
  /** Where the column of each byte begins; all that are in no literal share one. */
  readonly place: Int32Array;
  /** Number of the first state that has outputs. */
  readonly firstOutput: number;
  /** Bits of the groups that a state stands for. */
  readonly outputs: readonly Int32Array[];
  /** The scan in which a state with outputs was reached last: a second time says nothing new. */
  readonly reached: Int32Array;
  scans: number;
  /** How many characters of a literal each state stands for. */
  readonly depth: Uint16Array;
}

export const planeShift = 5;
const planeSize = 1 << planeShift;
const statesMax = 65_536;

/** Builds the automaton of some literals; outputs have so many words. */
export function buildAutomaton(literals: readonly Literal[], words: number): Automaton {
  const nodes = buildTrie(literals);
  linkFailures(nodes);
  if (nodes.length > statesMax) throw new Error('too many literals; use fewer or shorter triggers');
  const silent = nodes.filter((node) => node.groups.size === 0);
  const loud = nodes.filter((node) => node.groups.size > 0);
  [...silent, ...loud].forEach((node, index) => {
    node.id = index;
  });
  const { columns, columnOf } = numberColumns(literals);
  const planes = Math.ceil(columns / planeSize);
  const place = columnOf.map(
    (column) => (column >> planeShift) * planeSize * nodes.length + (column & (planeSize - 1)),
  );
  return {
    next: tabulate(nodes, planes, place),
    place,
    firstOutput: silent.length,
    outputs: loud.map((node) => maskOf(node.groups, words)),
    reached: new Int32Array(loud.length),
    scans: 0,
    depth: Uint16Array.from([...silent, ...loud], (node) => node.depth),
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

function tabulate(nodes: readonly Node[], planes: number, place: Int32Array): Uint16Array {
  const next = new Uint16Array(nodes.length * planeSize * planes);
  // Breadth-first, so that the row of the failure state is complete when it is copied.
  for (const { id, fail, next: children } of nodes) {
    for (let plane = 0; plane < planes && fail !== undefined; plane++) {
      const from = plane * planeSize * nodes.length + (fail.id << planeShift);
      const to = plane * planeSize * nodes.length + (id << planeShift);
      next.copyWithin(to, from, from + planeSize);
    }
    for (const [code, child] of children) {
      next[(place[code] as number) + (id << planeShift)] = child.id;
    }
  }
  return next;
}

interface Node {
  readonly next: Map<number, Node>;
  fail: Node | undefined;
  readonly groups: Set<number>;
  readonly depth: number;
  id: number;
}

function newNode(depth: number): Node {
  return { next: new Map(), fail: undefined, groups: new Set(), depth, id: 0 };
}

/** The trie in breadth-first order, root first. */
function buildTrie(literals: readonly Literal[]): Node[] {
  const root = newNode(0);
  for (const { text, group } of literals) {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let child = node.next.get(code);
      if (child === undefined) {
        child = newNode(node.depth + 1);
        node.next.set(code, child);
      }
      node = child;
    }
    node.groups.add(group);
  }
  const order: Node[] = [root];
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    if (node !== undefined) order.push(...node.next.values());
  }
  return order;
}

function linkFailures(nodes: readonly Node[]): void {
  const root = nodes[0];
  for (const node of nodes) {
    for (const [code, child] of node.next) {
      let fail = node.fail;
      while (fail !== undefined && !fail.next.has(code)) fail = fail.fail;
      child.fail = fail?.next.get(code) ?? root;
      for (const group of child.fail?.groups ?? []) child.groups.add(group);
    }
  }
}

/** Bits of some groups. */
export function maskOf(groups: ReadonlySet<number>, words: number): Int32Array {
  const mask = new Int32Array(words);
  for (const group of groups) {
    mask[group >>> 5] = (mask[group >>> 5] as number) | (1 << (group & 31));
  }
  return mask;
}
