import type { ScreeningRequest } from '../contract/request.ts';
import type { ParameterPlace, ShapeField } from '../contract/shape.ts';
import type { Where } from '../contract/verdict.ts';
import { isMembers, type Members } from './reading.ts';

/** A value that came as a text, and where it stands. */
export interface GivenText {
  readonly name: string;
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly where: Where;
}

/** A member that our clients write for a part of a body, such as `body.a[0]`. */
export interface BodyMember {
  readonly key: string;
  readonly value: unknown;
}

/** What a request is, in either of the forms in which it comes to `/control`. */
export interface RequestParts {
  readonly method: string | undefined;
  /** Without the query. */
  readonly path: string | undefined;
  /** The path template that the router of the application named, where it named one. */
  route(): string | undefined;
  /** Where the path stands. */
  readonly target: Pick<GivenText, 'path' | 'where'>;
  readonly contentTypes: readonly string[];
  /** The parameters of a place, read where a route declares any there. */
  given(place: Exclude<ParameterPlace, 'path'>): readonly GivenText[];
  /** Whether headers and cookies are all there, so that a missing one is known to be missing. */
  readonly hasHeaders: boolean;
  readonly body:
    | { readonly kind: 'none' }
    /** Written member by member, as `body.a.b`. */
    | { readonly kind: 'members'; readonly members: readonly BodyMember[] }
    /** The JSON itself, at a place in the body of `/control`. */
    | { readonly kind: 'json'; readonly value: unknown; readonly path: readonly string[] };
  /** The body of `/control` itself. */
  readonly whole: unknown;
}

/**
 * The parts of a request. With the context headers the body of `/control` is that of the client;
 * without them, members with the names that our own clients use are its parts.
 */
export function partsOf(
  { body, context }: ScreeningRequest,
  fields: readonly ShapeField[],
): RequestParts {
  const whole: unknown = JSON.parse(body);
  if (context.uri === '' && isMembers(whole)) {
    const { method, path } = whole;
    if (typeof method === 'string' && typeof path === 'string') {
      return partsOfMembers(joined(whole, fields), method, path, () => routeIn(whole, fields));
    }
  }
  const [path, query] = splitTarget(context.uri);
  const isKnown = context.uri !== '';
  return {
    method: isKnown && context.method !== '' ? context.method : undefined,
    path: isKnown ? path : undefined,
    // The body is that of the client, who may name nothing.
    route: () => undefined,
    target: { path: ['path'], where: 'context' },
    contentTypes: context.contentType === '' ? [] : [context.contentType],
    given(place) {
      if (place === 'query') return pairsOf(query, '&', ['path']);
      return place === 'cookie' ? pairsOf(context.cookie, ';', ['header.cookie']) : [];
    },
    hasHeaders: false,
    body: { kind: 'json', value: whole, path: [] },
    whole,
  };
}

function splitTarget(target: string): readonly [path: string, query: string] {
  const question = target.indexOf('?');
  return question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question + 1)];
}

function pairsOf(text: string, separator: string, path: readonly string[]): GivenText[] {
  if (text === '') return [];
  return text
    .split(separator)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? '' : pair.slice(equals + 1);
      return { name: decoded(name), text: decoded(value), path, where: 'context' };
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Which of two is the router's cannot be known. */
function routeIn({ route }: Members, fields: readonly ShapeField[]): string | undefined {
  if (typeof route !== 'string') return undefined;
  let count = 0;
  for (const { where, node } of fields) {
    if (where === 'name' && node.key === 'route' && node.parent === undefined) count += 1;
  }
  return count === 1 ? route : undefined;
}

function partsOfMembers(
  whole: Members,
  method: string,
  target: string,
  route: () => string | undefined,
): RequestParts {
  const contentTypes: string[] = [];
  const members: BodyMember[] = [];
  let nested: unknown;
  for (const key in whole) {
    const value = whole[key];
    if (isBodyName(key)) {
      if (key === 'body' && typeof value === 'object' && value !== null) nested = value;
      else members.push({ key, value });
    } else if (typeof value === 'string' && isTypeName(key)) contentTypes.push(value);
  }
  const [path, ownQuery] = splitTarget(target);
  return {
    method,
    path,
    route,
    target: { path: ['path'], where: 'value' },
    contentTypes,
    given(place) {
      const texts = membersAt(whole, place);
      return place === 'query' ? [...texts, ...pairsOf(ownQuery, '&', ['path'])] : texts;
    },
    hasHeaders: true,
    body: bodyOf(members, nested, contentTypes.length > 0),
    whole,
  };
}

/** Whether a member is a body, or a part of one. */
export function isBodyName(name: string): boolean {
  if (!name.startsWith('body')) return false;
  const next = name.charCodeAt('body'.length);
  return next === dot || next === bracket || name === 'body';
}

const dot = 46;
const bracket = 91;

/** Whether a member is the media type of the body; a second one has a number. */
export function isTypeName(key: string): boolean {
  return key.startsWith(typeHeader) && numbered.test(key.slice(typeHeader.length));
}

export const typeHeader = 'header.content-type';
const numbered = /^(?:\[\d+\])?$/;

function membersAt(whole: Members, place: ParameterPlace): GivenText[] {
  const texts: GivenText[] = [];
  const from = place.length + 1;
  for (const key in whole) {
    const value = whole[key];
    if (typeof value !== 'string' || !key.startsWith(place)) continue;
    if (key.charCodeAt(place.length) !== dot) continue;
    texts.push({ name: key.slice(from), text: value, path: [key], where: 'value' });
  }
  return texts;
}

function bodyOf(
  members: readonly BodyMember[],
  nested: unknown,
  hasType: boolean,
): RequestParts['body'] {
  if (nested !== undefined) return { kind: 'json', value: nested, path: ['body'] };
  // Of an empty object nothing is written.
  return members.length > 0 || hasType ? { kind: 'members', members } : { kind: 'none' };
}

/** Our clients cut a long value into pieces of one name, which overlap. */
const overlapChars = 2_048;

/** `JSON.parse` keeps the last piece only: the others are taken from the fields. */
function joined(whole: Members, fields: readonly ShapeField[]): Members {
  let names = 0;
  for (const { where, node } of fields) {
    if (where === 'name' && node.parent === undefined) names += 1;
  }
  if (names === Object.keys(whole).length) return whole;
  const texts = new Map<string, string>();
  for (const { where, node, text } of fields) {
    if (where !== 'value' || node.parent !== undefined) continue;
    const key = String(node.key);
    const before = texts.get(key);
    texts.set(key, before === undefined ? text : before + text.slice(overlapChars));
  }
  return { ...whole, ...Object.fromEntries(texts) };
}
