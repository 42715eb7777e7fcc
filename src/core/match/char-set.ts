/** Ranges of code units, or all others. */
export interface CharSet {
  /** First and last of each range, one after the other. */
  readonly ranges: readonly number[];
  readonly isNegated: boolean;
}

/** Properties that patterns ask for; the long names of ECMAScript as well. */
const properties: Readonly<Record<string, RegExp>> = {
  L: /\p{L}/u,
  Letter: /\p{L}/u,
  Alphabetic: /\p{Alphabetic}/u,
  Lu: /\p{Lu}/u,
  Uppercase_Letter: /\p{Lu}/u,
  Ll: /\p{Ll}/u,
  Lowercase_Letter: /\p{Ll}/u,
  M: /\p{M}/u,
  Mark: /\p{M}/u,
  N: /\p{N}/u,
  Number: /\p{N}/u,
  Nd: /\p{Nd}/u,
  P: /\p{P}/u,
  Punctuation: /\p{P}/u,
  S: /\p{S}/u,
  Symbol: /\p{S}/u,
  Z: /\p{Z}/u,
  Zs: /\p{Zs}/u,
};

const codeMax = 0xffff;
const named = /([pP])\{([A-Za-z_]{1,20})\}/y;
const known = new Map<string, readonly number[]>();

/**
 * The property that a text names at a place, such as `p{L}`: those of its characters up to U+FFFF.
 */
export function propertyAt(
  text: string,
  at: number,
): { readonly set: CharSet; readonly length: number } | undefined {
  named.lastIndex = at;
  const [whole, sign, name = ''] = named.exec(text) ?? [];
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (whole === undefined || property === undefined) return undefined;
  let ranges = known.get(name);
  if (ranges === undefined) {
    ranges = rangesOf(property);
    known.set(name, ranges);
  }
  return { set: { ranges, isNegated: sign === 'P' }, length: whole.length };
}

function rangesOf(property: RegExp): number[] {
  const ranges: number[] = [];
  for (let code = 0; code <= codeMax; code++) {
    if (!property.test(String.fromCharCode(code))) continue;
    if (ranges.at(-1) === code - 1) ranges[ranges.length - 1] = code;
    else ranges.push(code, code);
  }
  return ranges;
}

/** The gaps between ranges that are in ascending order. */
export function complementOf(ranges: readonly number[]): number[] {
  const gaps: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i] ?? 0;
    if (first > from) gaps.push(from, first - 1);
    from = (ranges[i + 1] ?? 0) + 1;
  }
  if (from <= codeMax) gaps.push(from, codeMax);
  return gaps;
}
