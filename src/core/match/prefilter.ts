import { asciiClass, charClass } from '../text/char-class.ts';
import { wideClassOf } from '../text/wide-class.ts';

/**
 * The prefilter: one pass over a text finds the classes of its characters and which of a fixed set
 * of literals occur in it, case-insensitively. The literals are one Aho-Corasick automaton (Aho and
 * Corasick, CACM 18(6), 1975), built once as a full transition table, so that a character costs two
 * look-ups whatever the number of literals is.
 */
export interface Prefilter {
  /** Scans a text; the result object is reused by the next scan. */
  scan(text: string): Scan;
}

/** What a scan saw. */
export interface Scan {
  /** Union of the class bits of all characters. */
  classes: number;
  /** Union of the class bits of all non-ASCII characters (`text/wide-class.ts`). */
  wide: number;
  /** One bit for each literal group, 32 in a word. */
  readonly hits: Int32Array;
  /** True when any literal occurred. */
  anyHit: boolean;
  /** Length of the longest run of letters, digits, `+ / - _ =`. */
  longestRun: number;
}

interface Node {
  readonly next: Map<number, Node>;
  fail: Node | undefined;
  readonly groups: Set<number>;
  id: number;
}

/** Builds the automaton; `groups[i]` sets bit i when one of its literals occurs. */
export function createPrefilter(groups: readonly (readonly string[])[]): Prefilter {
  const { classOf, width } = buildAlphabet(groups);
  const nodes = buildTrie(groups, classOf);
  linkFailures(nodes);
  const words = Math.max(1, (groups.length + 31) >>> 5);
  const table = tabulate(nodes, width, words);
  const hits = new Int32Array(words);
  const scan: Scan = { classes: 0, wide: 0, hits, anyHit: false, longestRun: 0 };
  return { scan: (text) => run(text, table, classOf, scan) };
}

interface Table {
  /** Next state by `state * width + class`, premultiplied by width. */
  readonly next: Int32Array;
  /** Premultiplied number of the first state that has outputs. */
  readonly firstOutput: number;
  readonly outputs: readonly Int32Array[];
  readonly width: number;
}

function run(text: string, table: Table, classOf: Uint8Array, scan: Scan): Scan {
  const { next, firstOutput, outputs, width } = table;
  const hits = scan.hits;
  hits.fill(0);
  let anyHit = false;
  let classes = 0;
  let wide = 0;
  let state = 0;
  let runStart = 0;
  let longest = 0;
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) {
      classes |= charClass.nonAscii;
      wide |= wideClassOf[code] as number;
      state = 0;
      if (i - runStart > longest) longest = i - runStart;
      runStart = i + 1;
      continue;
    }
    classes |= asciiClass[code] as number;
    if (inRun[code] === 0) {
      if (i - runStart > longest) longest = i - runStart;
      runStart = i + 1;
    }
    state = next[state + (classOf[code] as number)] as number;
    if (state >= firstOutput) {
      anyHit = true;
      const output = outputs[(state - firstOutput) / width] as Int32Array;
      for (let w = 0; w < hits.length; w++) hits[w] = (hits[w] as number) | (output[w] as number);
    }
  }
  if (length - runStart > longest) longest = length - runStart;
  scan.classes = classes;
  scan.wide = wide;
  scan.anyHit = anyHit;
  scan.longestRun = longest;
  return scan;
}

const inRun: Uint8Array = buildRunTable();

function buildRunTable(): Uint8Array {
  const table = new Uint8Array(128);
  const members = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=';
  for (const character of members) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Numbers the characters that occur in literals from 1; all others share class 0. */
function buildAlphabet(groups: readonly (readonly string[])[]): {
  classOf: Uint8Array;
  width: number;
} {
  const classOf = new Uint8Array(128);
  let width = 1;
  for (const literal of groups.flat()) {
    for (const character of literal.toLowerCase()) {
      const code = character.charCodeAt(0);
      if (code >= 128) throw new Error(`literal "${literal}" is not ASCII; use ASCII triggers`);
      if (classOf[code] === 0) classOf[code] = width++;
    }
  }
  for (let code = 65; code <= 90; code++) classOf[code] = classOf[code + 32] as number;
  return { classOf, width };
}

function newNode(): Node {
  return { next: new Map(), fail: undefined, groups: new Set(), id: 0 };
}

/** The trie in breadth-first order, root first. */
function buildTrie(groups: readonly (readonly string[])[], classOf: Uint8Array): Node[] {
  const root = newNode();
  groups.forEach((literals, group) => {
    for (const literal of literals) {
      if (literal === '')
        throw new Error('a literal is empty; a trigger needs at least one character');
      let node = root;
      for (const character of literal.toLowerCase()) {
        const cls = classOf[character.charCodeAt(0)] as number;
        let child = node.next.get(cls);
        if (child === undefined) {
          child = newNode();
          node.next.set(cls, child);
        }
        node = child;
      }
      node.groups.add(group);
    }
  });
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
    for (const [cls, child] of node.next) {
      let fail = node.fail;
      while (fail !== undefined && !fail.next.has(cls)) fail = fail.fail;
      child.fail = fail?.next.get(cls) ?? root;
      for (const group of child.fail?.groups ?? []) child.groups.add(group);
    }
  }
}

function tabulate(nodes: readonly Node[], width: number, words: number): Table {
  const silent = nodes.filter((node) => node.groups.size === 0);
  const loud = nodes.filter((node) => node.groups.size > 0);
  [...silent, ...loud].forEach((node, index) => {
    node.id = index * width;
  });
  const next = new Int32Array(nodes.length * width);
  // Breadth-first, so that the row of the failure state is complete when it is copied.
  for (const node of nodes) {
    const from = node.fail;
    if (from !== undefined) next.copyWithin(node.id, from.id, from.id + width);
    for (const [cls, child] of node.next) next[node.id + cls] = child.id;
  }
  const outputs = loud.map((node) => {
    const mask = new Int32Array(words);
    for (const group of node.groups) {
      mask[group >>> 5] = (mask[group >>> 5] as number) | (1 << (group & 31));
    }
    return mask;
  });
  return { next, firstOutput: silent.length * width, outputs, width };
}
