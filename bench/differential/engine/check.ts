import type { Screener } from '../../../src/clients/outcome.ts';
import { attacks } from '../generator/texts.ts';
import { Coverage, charsMin } from './coverage.ts';
import {
  isExempt,
  isOwnForm,
  jointOf,
  standsInFile,
  withoutFiles,
  withoutNoise,
  withoutSyntax,
} from './exemptions.ts';
import type { Observation, Sighting } from './reader.ts';
import type { WireRequest } from './wire-request.ts';

/** Where an application and Sallyport read a request differently. */
export interface Disagreement {
  /** A string was seen and not screened; or an attack passed that is blocked plain. */
  readonly kind: 'unscreened' | 'passed';
  readonly where: string;
  /** What was seen, or the run of it that is missing. */
  readonly text: string;
}

/** Finds what the handler saw of a request and Sallyport did not: one of each place. */
export async function check(
  request: WireRequest,
  observation: Observation,
  screener: Screener,
): Promise<Disagreement[]> {
  const { seen, texts } = observation;
  if (seen.length === 0) return [];
  const coverage = new Coverage(texts);
  const found = new Map<string, Disagreement>();
  for (const sighting of seen) {
    const { where } = sighting;
    const text = found.has(where) ? undefined : unscreened(sighting, request, coverage);
    if (text !== undefined) found.set(where, { kind: 'unscreened', where, text });
  }
  if (found.size > 0) return [...found.values()];
  const planted = seen.filter(
    (sighting) =>
      sighting.text.length <= attackCharsMax &&
      hasAttack(plainPartOf(sighting)) &&
      !isExempt(sighting, request) &&
      !isOwnForm(sighting, request) &&
      // Screened in its pieces, and each piece is seen, and checked, by itself.
      (sighting.where !== 'raw' || jointOf(sighting, request) === undefined),
  );
  return passedAttacks(planted, texts, screener);
}

/** The run of a sighting that was not screened, and should have been. */
function unscreened(
  sighting: Sighting,
  request: WireRequest,
  coverage: Coverage,
): string | undefined {
  const { where } = sighting;
  if (sighting.text.length < charsMin || coverage.has(sighting.text)) return undefined;
  // Most of what is exempt: to look for it behind each decoding costs more than all the rest.
  if (where.startsWith('header') && isExempt(sighting, request)) return undefined;
  const mayHoldFiles = where.startsWith('raw') || where === 'file';
  const whole = mayHoldFiles ? withoutFiles(sighting.text, request) : sighting.text;
  // Empty values of a list say nothing.
  const text = where.endsWith(' joined') ? whole.replace(/^,+|,+$/g, '') : whole;
  const missing = coverage.missing(text, jointOf(sighting, request));
  // Lines of a header are joined with a blank behind the comma by some, and without by others.
  const commas = joinedLines.test(where) ? [', ', ','] : [];
  if (commas.some((one) => !coverage.missing(text.replace(/\s*,\s*/g, one)))) return undefined;
  if (missing === undefined || isExempt(sighting, request)) return undefined;
  const given = withoutSyntax(withoutNoise(missing, sighting, request), request);
  if (coverage.missing(given) === undefined) return undefined;
  return standsInFile(given, sighting, request) ? undefined : missing;
}

const joinedLines = /^(?:header|cookie)\b/;

/** An attack is looked for in short texts only: a long one is a body, which says nothing plain. */
const attackCharsMax = 400;

async function passedAttacks(
  planted: readonly Sighting[],
  texts: readonly string[],
  screener: Screener,
): Promise<Disagreement[]> {
  if (planted.length === 0 || (await isBlocked(membersWith(planted, texts), screener))) return [];
  if (await isBlocked(texts, screener)) return [];
  for (const { where, text } of planted) {
    if (await isBlockedPlain(where, [text, unescaped(text)], screener)) {
      return [{ kind: 'passed', where, text }];
    }
  }
  return [];
}

/** As it was seen, and without escapes: blanks behind these may make it a part of a sentence. */
async function isBlockedPlain(
  where: string,
  texts: readonly string[],
  screener: Screener,
): Promise<boolean> {
  const isName = where.endsWith(' name');
  for (const text of new Set(texts)) {
    const plain = JSON.stringify(isName ? { [`body.${text}`]: 'k' } : { [memberFor(where)]: text });
    if (!(await isBlocked([plain], screener))) return false;
  }
  return true;
}

function unescaped(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Of a target the path: its parameters are seen, and checked, each by itself. */
function plainPartOf({ where, text }: Sighting): string {
  return where === 'url' ? text.replace(/\?.*/s, '') : text;
}

function hasAttack(text: string): boolean {
  return attacks.some((attack) => text.includes(attack));
}

/**
 * The members that hold what was seen, each by itself: the whole is blocked where one of them is,
 * and they cost a tenth of it. A long request is always screened as a whole, since its bounds count.
 */
function* membersWith(planted: readonly Sighting[], texts: readonly string[]): Generator<string> {
  const [text = '', ...others] = texts;
  if (others.length > 0 || text.length > wholeCharsMin) return;
  const wanted = new Set(planted.map((one) => one.text));
  for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
    if (typeof value === 'string' && wanted.has(value)) yield JSON.stringify({ [name]: value });
  }
}

const wholeCharsMin = 8_192;

async function isBlocked(texts: Iterable<string>, screener: Screener): Promise<boolean> {
  for (const text of texts) {
    const outcome = await screener.screen(text);
    if (outcome.kind !== 'allowed') return true;
  }
  return false;
}

/** The name that a member of such a place has. */
function memberFor(where: string): string {
  const [part = 'body', name = 'k'] = where.split(' ');
  switch (part) {
    case 'header':
      return `header.${name}`;
    case 'query':
    case 'cookie':
      return `${part}.k`;
    case 'url':
    case 'params':
      return 'path';
    case 'raw':
      return 'body';
    default:
      return 'body.k';
  }
}
