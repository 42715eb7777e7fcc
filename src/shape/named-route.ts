import { plainTemplate } from '../client-request/route-template.ts';
import {
  decodedText,
  matchSegment,
  pathCharsMax,
  readSegment,
  segmentsOf,
  type TemplateSegment,
} from './template.ts';

/** A path template that a router named, and what of the path stands in it. */
export interface NamedRoute {
  /** What stands in front of it: a prefix that the router did not see. */
  readonly before: readonly string[];
  readonly segments: readonly TemplateSegment[];
  /** What of the path stands in each of them, decoded. */
  readonly texts: readonly string[];
  /** Decoded values of its parameters, in their order. */
  readonly values: readonly string[];
}

/**
 * The template that a router named, laid on the end of a path: case, empty segments and escaped
 * slashes aside, each word of it must be there. Undefined where it cannot be, so that no parameter
 * goes unchecked, and for paths that lead elsewhere when they are resolved.
 */
export function namedRoute(template: string, path: string): NamedRoute | undefined {
  const plain = plainTemplate(template, path);
  const texts = plain === undefined ? undefined : looseSegments(path);
  if (plain === undefined || texts === undefined) return undefined;
  const sources = plain === '/' ? [] : segmentsOf(plain);
  const start = texts.length - sources.length;
  if (start < 0 || (sources.length === 0 && start > 0)) return undefined;
  const segments: TemplateSegment[] = [];
  const values: string[] = [];
  for (const [at, source] of sources.entries()) {
    const segment = readSegment(source);
    if (segment === undefined || !fits(segment, texts[start + at] ?? '', values)) return undefined;
    segments.push(segment);
  }
  const before = texts.slice(0, start);
  if (mayBeginIn(before, segments[0])) return undefined;
  return { before, segments, texts: texts.slice(start), values };
}

/**
 * Whether the template may begin in what stands in front of its place, as its last parameter may
 * hold slashes, or the router cut the path at a `;`. What is read there would go unchecked.
 */
function mayBeginIn(before: readonly string[], first: TemplateSegment | undefined): boolean {
  if (before.length === 0 || first === undefined) return false;
  if (first.names.length > 0) return true;
  return before.some((text) => inner.test(text) || fits(first, text, []));
}

/** What a router may end a segment or a path at. */
const inner = /[/;]/;

function fits(segment: TemplateSegment, text: string, values: string[]): boolean {
  if (segment.names.length > 0) return matchSegment(segment, text, values);
  return segment.literals[0]?.toLowerCase() === text.toLowerCase();
}

/** The decoded segments of a path that are not empty; undefined for one that may lead elsewhere. */
function looseSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || path.length > pathCharsMax) return undefined;
  const texts: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    const text = decodedText(segment);
    if (text === undefined || leadsElsewhere.test(text)) return undefined;
    texts.push(text);
  }
  return texts;
}

/** A step to the folder itself or above, also behind an escaped slash, and what cuts a path off. */
const leadsElsewhere = /(?:^|\/)\.\.?(?:\/|$)|[\\?#\x00-\x1f]/;
