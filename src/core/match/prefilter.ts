import { asciiClass, charClass } from '../text/char-class.ts';
import { characterSet, longestRunOf } from '../text/runs.ts';
import { wideClassOf } from '../text/wide-class.ts';

/**
 * The prefilter: one pass over a text finds the classes of its characters and which of a fixed set
 * of literals occur in it, case-insensitively. The literals are one Aho-Corasick automaton (Aho and
 * Corasick, CACM 18(6), 1975), built once as a full transition table, so that a character costs
 * one look-up whatever the number of literals is.
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
  const { long, single } = sortLiterals(groups);
  const nodes = buildTrie(long);
  linkFailures(nodes);
  const words = Math.max(1, (groups.length + 31) >>> 5);
  const literalMax = Math.max(1, ...long.map(({ text }) => text.length));
  const table = { ...tabulate(nodes, words), literalMax };
  const signs = tabulateSigns(single, words);
  const hits = new Int32Array(words);
  const scan: Scan = { classes: 0, wide: 0, hits, anyHit: false, longestRun: 0 };
  return { scan: (text) => run(text, table, signs, scan) };
}

interface Table {
  /** Next state by `state << rowShift | character`. */
  readonly next: Uint16Array;
  /** Number of the first state that has outputs. */
  readonly firstOutput: number;
  readonly outputs: readonly Int32Array[];
  /** The scan in which a state with outputs was reached last: a second time says nothing new. */
  readonly reached: Int32Array;
  scans: number;
  /** Length of the longest literal. */
  readonly literalMax: number;
}

/** A literal of one character that a class bit tells of. */
interface Sign {
  readonly character: string;
  /** True when the class has no other character. */
  readonly isAlone: boolean;
  readonly output: Int32Array;
}

/** By the number of the class bit. */
interface SignTable {
  readonly classes: number;
  readonly signs: readonly (readonly Sign[])[];
}

const rowShift = 7;
const statesMax = 65_536;
const scansMax = 0x3fff_ffff;

/** From this length on three parts of a text are read side by side. */
const lanesMin = 1_024;

function run(text: string, table: Table, signs: SignTable, scan: Scan): Scan {
  if (text.length >= lanesMin && runLanes(text, table, scan)) {
    scan.anyHit = addSigns(text, signs, scan) || scan.anyHit;
    return scan;
  }
  const { next, firstOutput, outputs, reached } = table;
  const hits = scan.hits;
  hits.fill(0);
  const stamp = startScan(table);
  let anyHit = false;
  let marks = 0;
  let wide = 0;
  let state = 0;
  let runLength = 0;
  let longest = 0;
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) {
      marks |= charClass.nonAscii;
      wide |= wideClassOf[code] as number;
      state = 0;
      runLength = 0;
      continue;
    }
    const mark = marksOf[code] as number;
    marks |= mark;
    // No branch: where words end is what a processor cannot foresee.
    runLength = (runLength + 1) & (mark >> 31);
    if (runLength > longest) longest = runLength;
    state = next[(state << rowShift) | code] as number;
    if (state >= firstOutput && reached[state - firstOutput] !== stamp) {
      reached[state - firstOutput] = stamp;
      anyHit = true;
      unite(hits, outputs[state - firstOutput] as Int32Array);
    }
  }
  scan.classes = marks & ~inRun;
  scan.wide = wide;
  scan.anyHit = addSigns(text, signs, scan) || anyHit;
  scan.longestRun = longest;
  return scan;
}

/**
 * The same for a long text of ASCII, a third of it in each lane: a processor waits for the next
 * state of one while it reads the others. False when another character is met.
 */
function runLanes(text: string, table: Table, scan: Scan): boolean {
  const { next, firstOutput } = table;
  const third = Math.floor(text.length / 3);
  scan.hits.fill(0);
  scan.anyHit = false;
  startScan(table);
  let marks = 0;
  let first = 0;
  let second = 0;
  let last = 0;
  for (let i = 0; i < third; i++) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + third);
    const c = text.charCodeAt(i + third + third);
    if ((a | b | c) >= 128) return false;
    marks |= (marksOf[a] as number) | (marksOf[b] as number) | (marksOf[c] as number);
    first = next[(first << rowShift) | a] as number;
    second = next[(second << rowShift) | b] as number;
    last = next[(last << rowShift) | c] as number;
    if (first >= firstOutput) reach(first, table, scan);
    if (second >= firstOutput) reach(second, table, scan);
    if (last >= firstOutput) reach(last, table, scan);
  }
  for (let at = 3 * third; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) return false;
    marks |= marksOf[code] as number;
  }
  // A literal may begin in one lane and end in the next.
  const over = table.literalMax - 1;
  runOn(text, { from: third, to: third + over, state: first }, table, scan);
  runOn(text, { from: 2 * third, to: 2 * third + over, state: second }, table, scan);
  runOn(text, { from: 3 * third, to: text.length, state: last }, table, scan);
  scan.classes = marks & ~inRun;
  scan.wide = 0;
  scan.longestRun = longestRunOf(text, runCharacters);
  return true;
}

/** Goes on from a state, over ASCII only. */
function runOn(
  text: string,
  lane: { readonly from: number; readonly to: number; readonly state: number },
  table: Table,
  scan: Scan,
): void {
  const end = Math.min(lane.to, text.length);
  let { state } = lane;
  for (let at = lane.from; at < end; at++) {
    state = table.next[(state << rowShift) | text.charCodeAt(at)] as number;
    if (state >= table.firstOutput) reach(state, table, scan);
  }
}

function reach(state: number, table: Table, scan: Scan): void {
  const output = state - table.firstOutput;
  if (table.reached[output] === table.scans) return;
  table.reached[output] = table.scans;
  scan.anyHit = true;
  unite(scan.hits, table.outputs[output] as Int32Array);
}

function startScan(table: Table): number {
  if (table.scans === scansMax) {
    table.scans = 0;
    table.reached.fill(0);
  }
  return ++table.scans;
}

function unite(hits: Int32Array, output: Int32Array): void {
  for (let word = 0; word < hits.length; word++) {
    hits[word] = (hits[word] as number) | (output[word] as number);
  }
}

/** Adds the literals of one character; true when there was one. */
function addSigns(text: string, table: SignTable, scan: Scan): boolean {
  let anyHit = false;
  for (let bits = scan.classes & table.classes; bits !== 0; bits &= bits - 1) {
    for (const sign of table.signs[31 - Math.clz32(bits & -bits)] as readonly Sign[]) {
      if (!sign.isAlone && !text.includes(sign.character)) continue;
      anyHit = true;
      unite(scan.hits, sign.output);
    }
  }
  return anyHit;
}

/** Sign bit of `marksOf`: the character is one of those that runs are made of. */
const inRun = 1 << 31;

const runLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=';
const runCharacters: Readonly<Uint8Array> = characterSet(runLetters);

/** Class bits of each ASCII character, with `inRun`. */
const marksOf: Int32Array = buildMarks();

function buildMarks(): Int32Array {
  const table = Int32Array.from(asciiClass);
  for (const character of runLetters) {
    const code = character.charCodeAt(0);
    table[code] = (table[code] as number) | inRun;
  }
  return table;
}

interface Literal {
  readonly text: string;
  readonly group: number;
}

/** Sets those apart that are one character with a class: the automaton need not stop for them. */
function sortLiterals(groups: readonly (readonly string[])[]): {
  long: readonly Literal[];
  single: readonly Literal[];
} {
  const all = groups.flatMap((literals, group) =>
    literals.map((literal) => ({ text: checked(literal).toLowerCase(), group })),
  );
  const isSign = ({ text }: Literal) => text.length === 1 && asciiClass[text.charCodeAt(0)] !== 0;
  return { long: all.filter((one) => !isSign(one)), single: all.filter(isSign) };
}

function checked(literal: string): string {
  if (literal === '') throw new Error('a literal is empty; a trigger needs at least one character');
  for (let at = 0; at < literal.length; at++) {
    if (literal.charCodeAt(at) < 128) continue;
    throw new Error(`literal "${literal}" is not ASCII; use ASCII triggers`);
  }
  return literal;
}

function tabulateSigns(literals: readonly Literal[], words: number): SignTable {
  let classes = 0;
  const byText = Map.groupBy(literals, ({ text }) => text);
  const signs: Sign[][] = Array.from({ length: 31 }, () => []);
  for (const [character, same] of byText) {
    const bit = asciiClass[character.charCodeAt(0)] as number;
    classes |= bit;
    const isAlone = asciiClass.filter((other) => other === bit).length === 1;
    const output = maskOf(new Set(same.map(({ group }) => group)), words);
    signs[31 - Math.clz32(bit)]?.push({ character, isAlone, output });
  }
  return { classes, signs };
}

function newNode(): Node {
  return { next: new Map(), fail: undefined, groups: new Set(), id: 0 };
}

/** The trie in breadth-first order, root first. */
function buildTrie(literals: readonly Literal[]): Node[] {
  const root = newNode();
  for (const { text, group } of literals) {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let child = node.next.get(code);
      if (child === undefined) {
        child = newNode();
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

function tabulate(nodes: readonly Node[], words: number): Omit<Table, 'literalMax'> {
  if (nodes.length > statesMax) throw new Error('too many literals; use fewer or shorter triggers');
  const silent = nodes.filter((node) => node.groups.size === 0);
  const loud = nodes.filter((node) => node.groups.size > 0);
  [...silent, ...loud].forEach((node, index) => {
    node.id = index;
  });
  const next = new Uint16Array(nodes.length << rowShift);
  // Breadth-first, so that the row of the failure state is complete when it is copied.
  for (const node of nodes) {
    const row = node.id << rowShift;
    const from = node.fail;
    if (from !== undefined) {
      next.copyWithin(row, from.id << rowShift, (from.id + 1) << rowShift);
    }
    for (const [code, child] of node.next) {
      next[row | code] = child.id;
      if (code >= 97 && code <= 122) next[row | (code - 32)] = child.id;
    }
  }
  const outputs = loud.map((node) => maskOf(node.groups, words));
  const reached = new Int32Array(loud.length);
  return { next, firstOutput: silent.length, outputs, reached, scans: 0 };
}

function maskOf(groups: ReadonlySet<number>, words: number): Int32Array {
  const mask = new Int32Array(words);
  for (const group of groups) {
    mask[group >>> 5] = (mask[group >>> 5] as number) | (1 << (group & 31));
  }
  return mask;
}
