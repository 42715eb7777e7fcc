import type { SessionUser } from '../../contract/admin.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { LiveStats } from '../../contract/live.ts';
import type { Management } from '../../contract/management.ts';
import type { Role } from '../../contract/roles.ts';
import type { Schema } from '../../contract/schemas/api/build.ts';
import type { Header } from '../answer.ts';
import type { FieldError } from '../problem.ts';

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The session of a browser, and its administrator. */
export interface CallerSession extends Omit<SessionUser, 'role'> {
  readonly token: string;
}

/** One request to the management API, authenticated and validated. */
export interface ApiCall<Body = unknown, Query = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** For the audit: the name of an administrator or `key:<id> <name>`; `nobody` on public routes. */
  readonly actor: string;
  /** What the caller may do; absent for `nobody`. */
  readonly role?: Role;
  readonly session?: CallerSession;
  /** Network address of the client: that of the peer, unless it is a trusted proxy. */
  readonly address: string;
  /** The browser in a few words. */
  readonly agent: string;
  /** What the browser keeps since an earlier sign-in; '' without. Not checked yet. */
  readonly device: string;
  /** What the browser keeps of a single sign-on that it began; '' without. Not checked yet. */
  readonly flow: string;
}

/** What a route answers. */
export type ApiAnswer =
  | {
      readonly kind: 'json';
      readonly status: 200 | 201;
      readonly body: object;
      readonly headers?: readonly Header[];
    }
  | { readonly kind: 'empty'; readonly headers?: readonly Header[] }
  | {
      readonly kind: 'problem';
      readonly code: ErrorCode;
      readonly detail?: string;
      readonly errors?: readonly FieldError[];
      readonly headers?: readonly Header[];
      /** The name of a refused sign-in as it was typed, for the log. */
      readonly refusedName?: string;
    }
  /** Lines with their ends, as a file of the route's media type. */
  | {
      readonly kind: 'lines';
      readonly lines: AsyncIterable<string>;
      readonly fileName: string;
    }
  /** Server-sent events until the reader goes. */
  | { readonly kind: 'live'; readonly live: LiveStats };

/** A route: what it takes and gives, for the server and for the OpenAPI document alike. */
export interface ApiRoute {
  readonly method: ApiMethod;
  /** `:name` stands for a segment. */
  readonly path: string;
  /** The least role that may use it. The router refuses all others; handlers need not ask. */
  readonly access: 'public' | Role;
  /** Open to those as well who must set up a second factor first. */
  readonly withoutSecondFactor?: true;
  readonly tag: string;
  readonly summary: string;
  /** Members of the query, all optional. */
  readonly query?: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  /** The body is a form that a server sends, with the proof in it: no origin is asked for. */
  readonly isForm?: true;
  /** Of the body that goes with success; none for 204. */
  readonly status: 200 | 201 | 204;
  readonly mediaType?: string;
  /** Of a stream: the shape of each of its parts. */
  readonly answer?: Schema;
  /** Headers of success, beside those that every route has. */
  readonly headers?: readonly ('set-cookie' | 'content-disposition')[];
  /** Errors of its own, beside those that every route can have. */
  readonly problems?: readonly ErrorCode[];
  readonly handle: (call: ApiCall, parts: Management) => Promise<ApiAnswer>;
}

/** A route whose handler sees its body and query with the types that its schemas stand for. */
export function defineRoute<Body = undefined, Query = object>(
  route: Omit<ApiRoute, 'handle'> & {
    readonly handle: (call: ApiCall<Body, Query>, parts: Management) => Promise<ApiAnswer>;
  },
): ApiRoute {
  // The router validates body and query by the route's own schemas before it calls.
  return route as ApiRoute;
}

export function ok(body: object, headers: readonly Header[] = []): ApiAnswer {
  return { kind: 'json', status: 200, body, headers };
}

export function created(body: object, headers: readonly Header[] = []): ApiAnswer {
  return { kind: 'json', status: 201, body, headers };
}

export function problem(code: ErrorCode, detail?: string): ApiAnswer {
  return { kind: 'problem', code, ...(detail === undefined ? {} : { detail }) };
}

/** Lines that the reader downloads, sent as fast as it takes them. */
export function file(fileName: string, lines: AsyncIterable<string>): ApiAnswer {
  return { kind: 'lines', fileName, lines };
}

export const done: ApiAnswer = { kind: 'empty' };
