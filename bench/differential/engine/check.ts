import type { Screener } from '../../../src/clients/outcome.ts';
import { attacks } from '../generator/texts.ts';
import { Coverage, charsMin } from './coverage.ts';
import {
  isExempt,
  isOwnForm,
  jointOf,
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
    if (sighting.text.length < charsMin || found.has(where)) continue;
    const text = where.startsWith('raw') ? withoutFiles(sighting.text, request) : sighting.text;
    const missing = coverage.missing(text, jointOf(sighting, request));
    // Lines of a header are joined with a blank behind the comma by some, and without by others.
    if (where.startsWith('header ') && !coverage.missing(text.replace(/\s*,\s*/g, ', '))) continue;
    if (missing === undefined || isExempt(sighting, request)) continue;
    const given = withoutSyntax(withoutNoise(missing, sighting, request), request);
    if (coverage.missing(given) === undefined) continue;
    found.set(where, { kind: 'unscreened', where, text: missing });
  }
  if (found.size > 0) return [...found.values()];
  return passedAttacks(
    seen.filter((sighting) => !isExempt(sighting, request) && !isOwnForm(sighting, request)),
    texts,
    screener,
  );
}

/** An attack is looked for in short texts only: a long one is a body, which says nothing plain. */
const attackCharsMax = 400;

async function passedAttacks(
  seen: readonly Sighting[],
  texts: readonly string[],
  screener: Screener,
): Promise<Disagreement[]> {
  const planted = seen.filter(({ text }) => hasAttack(text) && text.length <= attackCharsMax);
  if (planted.length === 0 || (await isBlocked(texts, screener))) return [];
  for (const { where, text } of planted) {
    const plain = JSON.stringify({ [memberFor(where)]: text });
    if (await isBlocked([plain], screener)) return [{ kind: 'passed', where, text }];
  }
  return [];
}

function hasAttack(text: string): boolean {
  return attacks.some((attack) => text.includes(attack));
}

async function isBlocked(texts: readonly string[], screener: Screener): Promise<boolean> {
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
