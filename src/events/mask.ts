import { isSecretName } from '../contract/secret-names.ts';

/** One for each character, so that offsets stay what they are. */
const dot = '•';

type Range = readonly [start: number, end: number];

/** A text without what looks secret in it. */
export interface Masked {
  readonly text: string;
  /** Whether anything was masked. */
  readonly isMasked: boolean;
  /** Whether a member with a secret name reaches into the range that was to be kept. */
  readonly hitsKept: boolean;
}

/**
 * Values of named members inside a text: JSON, headers and forms; XML; multipart. Values are looked
 * at ahead: one may hold further members. JSON inside of JSON has its quotes escaped.
 */
const namedValues: readonly RegExp[] = [
  /([\p{L}\p{M}\p{N}_.$[\]%-]{1,64})\\{0,8}["']?[ \t]{0,4}(?:[:=]|%3[aAdD])[ \t]{0,4}\\{0,8}(?=("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^&;,"'{}\r\n]+))/dgu,
  /<([\p{L}\p{M}\p{N}_:.-]{1,64})(?:[ \t][^<>]{0,200})?>(?=([^<]+))/dgu,
  /name="([^"\r\n]{1,64})"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,4}\r?\n([^\r\n]+)/dg,
  // In a sentence: "my password is hunter2".
  /([\p{L}\p{M}\p{N}_-]{3,40})[ \t]{1,4}(?:is|was|ist|war|lautet|est|es)[ \t]{0,4}:?[ \t]{1,4}(?=(\S{1,64}))/dgu,
];

/** `https://user:password@host`, also percent-encoded. */
const userInfo = /(?::|%3a)(?:\/|%2f){2}((?:(?!%40|%2f)[^\s/?#@"'<>\\]){1,200})(?:@|%40)/dgi;

/** A part of a path or a pointer that no person has named: a key, a token, a digest. */
const randomText = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w-])/dgi;

/** Excerpts are shorter. Looking ahead costs the square of the length, so it has a bound. */
const charsMax = 4_096;

/** `Authorization: Bearer x`: the scheme is no value yet. */
const schemes = /\b(?:bearer|basic|digest|token)[ \t]+([\w.~+/=-]{6,})/dgi;
const webTokens = /\beyJ[\w-]{5,}\.[\w-]{2,}(?:\.[\w-]*)?/dg;
const ownKeys = /\bsp_(?:live|admin)_[0-9A-Za-z_]{8,}/dg;
const mailAddresses = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/dg;
const longNumbers = /\d(?:[ -]?\d){12,18}(?!\d)/dg;

/**
 * Masks what looks secret: values of members with a secret name wherever they stand; tokens,
 * mail addresses and card numbers outside the range that is kept.
 */
export function maskSecrets(whole: string, kept: Range = [0, 0]): Masked {
  const text = maskUserInfo(whole.slice(0, charsMax));
  const named = namedRanges(text);
  const free = freeRanges(text).flatMap((range) => outside(range, kept));
  const hitsKept = named.some((range) => overlaps(range, kept));
  const ranges = [...named, ...free];
  // What was masked above, or cut, counts as well.
  if (ranges.length === 0) return { text, isMasked: text !== whole, hitsKept };
  return { text: dotted(text, ranges), isMasked: true, hitsKept };
}

/** A path, a URL or a pointer without what looks secret: also parts that look random. */
export function maskPlaces(whole: string): string {
  const text = whole.slice(0, charsMax);
  return dotted(maskSecrets(text).text, rangesOf(text, randomText, 0));
}

/** Masks what no evidence may show either. Nothing moves. */
export function maskUserInfo(text: string): string {
  const ranges = rangesOf(text, userInfo, 1);
  return ranges.length === 0 ? text : dotted(text, ranges);
}

/** Masks the first word of an excerpt that begins in the middle of a text: its name is not seen. */
export function maskHead(text: string, kept: Range): string {
  const end = /[\s&;,"'<>{}]/.exec(text)?.index ?? text.length;
  return dotted(text, outside([0, end], kept));
}

function namedRanges(text: string): Range[] {
  const ranges: Range[] = [];
  for (const pattern of namedValues) {
    for (const match of text.matchAll(pattern)) {
      const range = match.indices?.[2];
      if (range !== undefined && isSecretName(match[1] ?? '')) ranges.push(range);
    }
  }
  return ranges;
}

function freeRanges(text: string): Range[] {
  const ranges = rangesOf(text, schemes, 1);
  for (const pattern of [webTokens, ownKeys, mailAddresses]) {
    ranges.push(...rangesOf(text, pattern, 0));
  }
  for (const match of text.matchAll(longNumbers)) {
    if (isCardNumber(match[0])) ranges.push(match.indices?.[0] ?? [0, 0]);
  }
  return ranges;
}

/** Where a group of a pattern, or all of it, stands in a text. */
function rangesOf(text: string, pattern: RegExp, group: 0 | 1): Range[] {
  return [...text.matchAll(pattern)].map((match) => match.indices?.[group] ?? [0, 0]);
}

/** The check digit of ISO/IEC 7812-1, annex B. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function overlaps([start, end]: Range, [from, to]: Range): boolean {
  return start < to && from < end;
}

function outside(range: Range, kept: Range): Range[] {
  if (!overlaps(range, kept)) return [range];
  const rest: Range[] = [
    [range[0], kept[0]],
    [kept[1], range[1]],
  ];
  return rest.filter(([start, end]) => start < end);
}

function dotted(text: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    result += text.slice(at, Math.max(at, start)) + dot.repeat(end - Math.max(at, start));
    at = end;
  }
  return result + text.slice(at);
}
