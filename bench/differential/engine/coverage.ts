/** Strings of fewer characters are not looked for: they stand everywhere by chance. */
export const charsMin = 4;

/** No text of a request has it, so that nothing is found across two members. */
const separator = '\u0000\ufdd0\u0000';
const windowChars = 1024;

/**
 * What was screened, to be searched for what was seen. A string counts as screened when it stands
 * in a name or a value, as it is or behind a decoding that the core undoes by itself.
 *
 * Characters outside of printable ASCII only separate: what they are depends on the charset, and
 * readers of the same charset differ in what they put for bytes that it does not have. Letters
 * are compared without their case, which some readers change.
 */
export class Coverage {
  readonly #plain: string;
  #decoded: readonly string[] | undefined;

  constructor(texts: readonly string[]) {
    this.#plain = texts.map(stringsOf).join(separator).toLowerCase();
  }

  /** Whether a text was screened as it is. */
  has(text: string): boolean {
    return this.#plain.includes(text.toLowerCase());
  }

  /**
   * The first run of characters in `text` that was not screened; undefined when all were. With a
   * `joint`, the text may have been screened in the pieces between.
   */
  missing(text: string, joint: RegExp = notPrintable): string | undefined {
    const lower = text.toLowerCase();
    // Readers differ in the blanks that they leave at both ends.
    const runs = lower.split(notPrintable).flatMap((one) => one.split(joint));
    for (const run of runs.map((one) => one.trim())) {
      if (run.length < charsMin) continue;
      const lost = windows(run).find((window) => !this.#has(window));
      if (lost !== undefined) return lost;
    }
    return undefined;
  }

  /** As it is, or behind a decoding: then each run of what comes out. */
  #has(run: string): boolean {
    if (this.#plain.includes(run)) return true;
    this.#decoded ??= [this.#plain, ...decodings(this.#plain)];
    const hays = this.#decoded;
    return [run, ...decodings(run)].some((one) =>
      one
        .split(notPrintable)
        .every((part) => part.length < charsMin || hays.some((hay) => hay.includes(part))),
    );
  }
}

const notPrintable = /[^\x20-\x7e]+/;

/** All strings of a JSON text: of an object with repeated names too. */
function stringsOf(text: string): string {
  const strings = text.match(jsonString) ?? [];
  return strings
    .map((one) => (one.includes('\\') ? String(JSON.parse(one)) : one.slice(1, -1)))
    .join(separator);
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;

function windows(run: string): string[] {
  if (run.length <= windowChars) return [run];
  const made: string[] = [];
  for (let at = 0; at < run.length; at += windowChars / 2) {
    made.push(run.slice(at, at + windowChars));
  }
  return made;
}

/** What the core's decoders make of a text, one step and two. */
function decodings(text: string): string[] {
  const made = new Set<string>();
  for (const one of [text, ...decoders.map((decode) => decode(text))]) {
    for (const decode of decoders) made.add(decode(one));
  }
  made.delete(text);
  return [...made];
}

const decoders: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll('+', ' '),
  (text) => text.replaceAll('\0', ''),
  (text) => text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => characterOf(hex)),
  (text) =>
    text
      .replace(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => characterOf(hex))
      .replace(/\\x([0-9a-f]{2})/gi, (_all, hex: string) => characterOf(hex))
      .replace(/\\([\\/"'nrtbfv ;,])/g, (_all, one: string) => plainEscapes[one] ?? one),
];

const plainEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
};

function characterOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase();
}
