import { addressWords, readAddress } from '../../contract/address.ts';
import { AddressTable } from '../../contract/address-table.ts';
import type { Exclusion } from '../../contract/policy.ts';
import type { Field } from '../extract/field.ts';

/** What is known for certain of a request: its method, its path, its client. */
export interface Target {
  readonly method: string | undefined;
  /** Without the query. */
  readonly path: string | undefined;
  readonly client: string | undefined;
}

type Scoping = Pick<Exclusion, 'method' | 'path' | 'clients'>;

/** Tells the requests that an exclusion counts for. */
export type Scope = (target: Target) => boolean;

/** Compiles what an exclusion is narrowed to; undefined where it counts for every request. */
export function compileScope({ method, path, clients }: Scoping): Scope | undefined {
  if (method === undefined && path === undefined && clients === undefined) return undefined;
  const isAtPath = path === undefined ? undefined : compilePath(path);
  const isFrom = clients === undefined ? undefined : compileClients(clients);
  return (target) => {
    if (method !== undefined && target.method?.toUpperCase() !== method) return false;
    if (isFrom !== undefined && (target.client === undefined || !isFrom(target.client)))
      return false;
    return isAtPath === undefined || (target.path !== undefined && isAtPath(target.path));
  };
}

/** The four words of an address. They are not used twice at once. */
const words = new Uint32Array(addressWords);

/** Of a network that cannot be read no address is one. */
function compileClients(clients: readonly string[]): (client: string) => boolean {
  const table = new AddressTable(clients.map((network) => ({ network })));
  return (client) => readAddress(client, words) && table.find(words) !== undefined;
}

/**
 * A path that servers may resolve to another one is at no place: an exclusion must not be reached by
 * a detour. The same holds for parameters of segments, which some routers drop.
 */
const detour = /(?:^|\/)\.{0,2}\/|(?:^|\/)\.{1,2}$|[\\;]|%(?:2e|2f|5c|3b|25|00)/i;

/** `*` stands for one segment, a final `**` for any rest, also for none. */
function compilePath(pattern: string): (path: string) => boolean {
  const wanted = pattern.split('/').slice(1);
  const isOpen = wanted.at(-1) === '**';
  if (isOpen) wanted.pop();
  return (path) => {
    if (!path.startsWith('/') || detour.test(path.slice(1))) return false;
    const given = path.split('/').slice(1);
    if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
    return wanted.every((segment, index) => segment === '*' || segment === given[index]);
  };
}

/** Names that our clients give to the parts of a request; all others are a caller's own. */
const ownNames = /^(?:method|path|url|query|header|cookie|body)(?:[.[]|$)/;

/** What the fields of a request name: its client is a part of the context. */
type Named = Omit<Target, 'client'>;

const unknown: Named = { method: undefined, path: undefined };

/**
 * The target of a request: from the context headers or, without any of the two, from the members
 * of our own clients. Where a member has another name, the body is not theirs, and its author may
 * have written `path` as well; a name that comes twice is as doubtful.
 */
export function targetOf(fields: readonly Field[]): Named {
  const named: { -readonly [part in keyof Named]: Named[part] } = { ...unknown };
  for (const { where, node, text } of fields) {
    if (where !== 'context') continue;
    if (node.key === 'method') named.method = text;
    else if (node.key === 'path') named.path = withoutQuery(text);
  }
  if (named.method !== undefined || named.path !== undefined) return named;
  for (const { where, node, text } of fields) {
    if (node.parent !== undefined || where === 'context') continue;
    const { key } = node;
    if (typeof key === 'number' || !ownNames.test(key)) return unknown;
    if (where !== 'value' || (key !== 'method' && key !== 'path')) continue;
    if (named[key] !== undefined) return unknown;
    named[key] = key === 'path' ? withoutQuery(text) : text;
  }
  return named;
}

const queryStart = /[?#]/;

function withoutQuery(uri: string): string {
  const end = uri.search(queryStart);
  return end < 0 ? uri : uri.slice(0, end);
}

/** The same for a request that is known by other means. */
export function scopeMatcher(exclusion: Scoping): (target: Target) => boolean {
  return compileScope(exclusion) ?? (() => true);
}
