import { ByteBuffer } from '../text/bytes.ts';
import { asciiClass, charClass } from '../text/char-class.ts';
import { characterSet, longestRunOf } from '../text/runs.ts';
import { wideClassOf } from '../text/wide-class.ts';
import {
  type Automaton,
  buildAutomaton,
  type Literal,
  type Output,
  outputFor,
  planeShift,
} from './automaton.ts';

/**
 * The prefilter: one pass over a text finds the classes of its characters and which of a fixed set
 * of literals occur in it, case-insensitively. A character costs one look-up whatever the number of
 * literals is.
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
  /** Length of the text. */
  chars: number;
}

/** The literal that any character beyond ASCII is a hit of; all others are of ASCII. */
export const beyondAscii = '\u0080';

/** Builds the automaton; `groups[i]` sets bit i when one of its literals occurs. */
export function createPrefilter(groups: readonly (readonly string[])[]): Prefilter {
  const { long, single } = sortLiterals(groups);
  const words = Math.max(1, (groups.length + 31) >>> 5);
  const table = buildAutomaton(long, words);
  const signs = tabulateSigns(single, words);
  const hits = new Int32Array(words);
  const scan: Scan = { classes: 0, wide: 0, hits, anyHit: false, longestRun: 0, chars: 0 };
  return { scan: (text) => run(text, table, signs, scan) };
}

/** A literal of one character. */
interface Sign {
  readonly character: string;
  readonly output: Output;
}

/** The literals of one character, alone in their class or not, by the number of its bit. */
interface SignTable {
  readonly aloneClasses: number;
  readonly alone: readonly (Output | undefined)[];
  readonly sharedClasses: number;
  readonly shared: readonly (readonly Sign[])[];
}

const scansMax = 0x3fff_ffff;

/** The text that is read. */
const encoded = new ByteBuffer();

/** `place` of the automaton that reads: V8 checks no index of a table that it knows. */
const place = new Int32Array(256);
let placed: Automaton | undefined;

/** From this length on four parts of a text are read side by side. */
const lanesMin = 256;
/** Where most characters take two bytes or three, the characters are read faster. */
const bytesPerCharMax = 1.5;

function run(text: string, table: Automaton, signs: SignTable, scan: Scan): Scan {
  clear(scan.hits);
  scan.anyHit = false;
  scan.wide = 0;
  scan.chars = text.length;
  startScan(table);
  const bytes = text.length < lanesMin ? Number.POSITIVE_INFINITY : encoded.encode(text);
  if (bytes <= bytesPerCharMax * text.length) runLanes(text, bytes, table, scan);
  else runCharacters(text, table, scan);
  scan.anyHit = addSigns(text, signs, scan) || scan.anyHit;
  return scan;
}

function runCharacters(text: string, table: Automaton, scan: Scan): void {
  const { next } = table;
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
    state = next[(place[code] as number) + (state << planeShift)] as number;
    if (state < 0) reach(state, table, scan);
  }
  scan.classes = marks & ~inRun;
  scan.wide = wide;
  scan.longestRun = longest;
}

/**
 * The same for a longer text, over its bytes, a quarter of them in each lane: bytes are read faster
 * than characters, and a processor waits for the next state of one lane while it reads the others.
 */
function runLanes(text: string, length: number, table: Automaton, scan: Scan): void {
  const { next } = table;
  const { bytes } = encoded;
  const quarter = length >> 2;
  const half = quarter + quarter;
  const threeQuarters = half + quarter;
  let marks = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  let last = 0;
  for (let i = 0; i < quarter; i++) {
    const a = bytes[i] as number;
    const b = bytes[i + quarter] as number;
    const c = bytes[i + half] as number;
    const d = bytes[i + threeQuarters] as number;
    marks |= (marksOf[a] as number) | (marksOf[b] as number);
    marks |= (marksOf[c] as number) | (marksOf[d] as number);
    first = next[(place[a] as number) + (first << planeShift)] as number;
    second = next[(place[b] as number) + (second << planeShift)] as number;
    third = next[(place[c] as number) + (third << planeShift)] as number;
    last = next[(place[d] as number) + (last << planeShift)] as number;
    // One question for most characters: the states with outputs are negative.
    if ((first | second | third | last) >= 0) continue;
    if (first < 0) reach(first, table, scan);
    if (second < 0) reach(second, table, scan);
    if (third < 0) reach(third, table, scan);
    if (last < 0) reach(last, table, scan);
  }
  runOver({ from: quarter, state: first }, length, table, scan);
  runOver({ from: half, state: second }, length, table, scan);
  runOver({ from: threeQuarters, state: third }, length, table, scan);
  marks |= runOut({ from: threeQuarters + quarter, state: last }, length, table, scan);
  scan.classes = marks & ~inRun;
  scan.longestRun = longestRunOf(bytes, length, inRuns);
  if ((marks & charClass.nonAscii) !== 0) scan.wide = wideOf(text);
}

/** Where a lane ended, and in which state. */
interface Seam {
  readonly from: number;
  readonly state: number;
}

/**
 * A literal may begin in one lane and end in the next. All that begin in the next are found there:
 * once no more characters are of a literal than were read behind the seam, none began before it.
 */
function runOver(seam: Seam, length: number, table: Automaton, scan: Scan): void {
  const { next, depth, loud } = table;
  let { state } = seam;
  for (let at = seam.from; at < length && (depth[state + loud] as number) > at - seam.from; at++) {
    const column = place[encoded.bytes[at] as number] as number;
    state = next[column + (state << planeShift)] as number;
    if (state < 0) reach(state, table, scan);
  }
}

/** Reads what is left behind the last lane; returns its marks. */
function runOut(seam: Seam, length: number, table: Automaton, scan: Scan): number {
  const { next } = table;
  let { state } = seam;
  let marks = 0;
  for (let at = seam.from; at < length; at++) {
    const code = encoded.bytes[at] as number;
    marks |= marksOf[code] as number;
    state = next[(place[code] as number) + (state << planeShift)] as number;
    if (state < 0) reach(state, table, scan);
  }
  return marks;
}

function wideOf(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) wide |= wideClassOf[text.charCodeAt(at)] as number;
  return wide;
}

function reach(state: number, table: Automaton, scan: Scan): void {
  const output = state + table.loud;
  if (table.reached[output] === table.scans) return;
  table.reached[output] = table.scans;
  scan.anyHit = true;
  const { outputs, outputStarts } = table;
  unite(scan.hits, outputs, outputStarts[output] as number, outputStarts[output + 1] as number);
}

function startScan(table: Automaton): void {
  if (table !== placed) {
    place.set(table.place);
    placed = table;
  }
  if (table.scans === scansMax) {
    table.scans = 0;
    table.reached.fill(0);
  }
  table.scans++;
}

/** A few words: a loop is faster than a call of `fill`. */
function clear(hits: Int32Array): void {
  for (let word = 0; word < hits.length; word++) hits[word] = 0;
}

function unite(hits: Int32Array, output: Output, from: number, to: number): void {
  for (let at = from; at < to; at += 2) {
    const word = output[at] as number;
    hits[word] = (hits[word] as number) | (output[at + 1] as number);
  }
}

/** Adds the literals of one character; true when there was one. */
function addSigns(text: string, table: SignTable, scan: Scan): boolean {
  const { hits } = scan;
  let anyHit = false;
  for (let bits = scan.classes & table.aloneClasses; bits !== 0; bits &= bits - 1) {
    anyHit = true;
    const output = table.alone[31 - Math.clz32(bits & -bits)] as Output;
    unite(hits, output, 0, output.length);
  }
  for (let bits = scan.classes & table.sharedClasses; bits !== 0; bits &= bits - 1) {
    for (const { character, output } of table.shared[31 - Math.clz32(bits & -bits)] as Sign[]) {
      // Most share their group with what has been hit: no need to look for them.
      if (!isNew(hits, output) || !text.includes(character)) continue;
      anyHit = true;
      unite(hits, output, 0, output.length);
    }
  }
  return anyHit;
}

function isNew(hits: Int32Array, output: Output): boolean {
  for (let at = 0; at < output.length; at += 2) {
    if (((output[at + 1] as number) & ~(hits[output[at] as number] as number)) !== 0) return true;
  }
  return false;
}

/** Sign bit of `marksOf`: the character is one of those that runs are made of. */
const inRun = 1 << 31;

const runLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=';
const inRuns: Readonly<Uint8Array> = characterSet(runLetters);

/** Class bits of each byte, with `inRun`. */
const marksOf: Int32Array = buildMarks();

function buildMarks(): Int32Array {
  const table = new Int32Array(256).fill(charClass.nonAscii);
  table.set(asciiClass);
  for (const character of runLetters) {
    const code = character.charCodeAt(0);
    table[code] = (table[code] as number) | inRun;
  }
  return table;
}

/** Sets those apart that are one character with a class: the automaton need not stop for them. */
function sortLiterals(groups: readonly (readonly string[])[]): {
  long: readonly Literal[];
  single: readonly Literal[];
} {
  const all = groups.flatMap((literals, group) =>
    literals.map((literal) => ({ text: checked(literal).toLowerCase(), group })),
  );
  const isSign = ({ text }: Literal) => text.length === 1 && classOf(text) !== 0;
  return { long: all.filter((one) => !isSign(one)), single: all.filter(isSign) };
}

function checked(literal: string): string {
  if (literal === '') throw new Error('a literal is empty; a trigger needs at least one character');
  if (literal === beyondAscii) return literal;
  for (let at = 0; at < literal.length; at++) {
    if (literal.charCodeAt(at) < 128) continue;
    throw new Error(`literal "${literal}" is not ASCII; use ASCII triggers`);
  }
  return literal;
}

function classOf(character: string): number {
  return character === beyondAscii
    ? charClass.nonAscii
    : (asciiClass[character.charCodeAt(0)] as number);
}

function tabulateSigns(literals: readonly Literal[], words: number): SignTable {
  const alone: (Output | undefined)[] = Array.from({ length: 31 }, () => undefined);
  const shared: Sign[][] = Array.from({ length: 31 }, () => []);
  let aloneClasses = 0;
  let sharedClasses = 0;
  // No Map.groupBy: this runs in applications on Node 20 as well.
  for (const character of new Set(literals.map(({ text }) => text))) {
    const same = literals.filter(({ text }) => text === character);
    const bit = classOf(character);
    const place = 31 - Math.clz32(bit);
    const output = outputFor(
      same.map(({ group }) => group),
      words,
    );
    if (asciiClass.filter((other) => other === bit).length <= 1) {
      alone[place] = output;
      aloneClasses |= bit;
    } else {
      shared[place]?.push({ character, output });
      sharedClasses |= bit;
    }
  }
  return { aloneClasses, alone, sharedClasses, shared };
}
