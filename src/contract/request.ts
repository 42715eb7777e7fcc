/**
 * What the application server says about the client's request, from `x-forwarded-*` headers.
 * A part that was not sent is the empty string.
 */
export interface RequestContext {
  readonly method: string;
  readonly proto: string;
  readonly host: string;
  readonly uri: string;
  readonly for: string;
  readonly origin: string;
  readonly referer: string;
  readonly secFetchSite: string;
  readonly contentType: string;
  readonly cookie: string;
  /**
   * The address that the service takes for the client's, in its one written form: set only where a
   * policy asks for it, and never screened.
   */
  readonly client?: string;
}

/** A part of the context that a header brings. */
export type ContextPart = Exclude<keyof RequestContext, 'client'>;

/** The chain of addresses that a request came by, as our own clients send it. */
export const forwardedForMember = 'header.x-forwarded-for';

/**
 * The context parts in their wire order: request header, and the member name under which our own
 * clients send the same part in the body.
 */
export const contextParts: readonly {
  readonly part: ContextPart;
  readonly header: string;
  readonly member: string;
}[] = [
  { part: 'method', header: 'x-forwarded-method', member: 'method' },
  { part: 'proto', header: 'x-forwarded-proto', member: 'header.x-forwarded-proto' },
  { part: 'host', header: 'x-forwarded-host', member: 'header.host' },
  { part: 'uri', header: 'x-forwarded-uri', member: 'path' },
  { part: 'for', header: 'x-forwarded-for', member: forwardedForMember },
  { part: 'origin', header: 'x-forwarded-origin', member: 'header.origin' },
  { part: 'referer', header: 'x-forwarded-referer', member: 'header.referer' },
  { part: 'secFetchSite', header: 'x-forwarded-sec-fetch-site', member: 'header.sec-fetch-site' },
  { part: 'contentType', header: 'x-forwarded-content-type', member: 'header.content-type' },
  { part: 'cookie', header: 'x-forwarded-cookie', member: 'header.cookie' },
];

/**
 * The context of a request that came without any context header. Shared, so that it costs nothing.
 */
export const noContext: RequestContext = Object.freeze({
  method: '',
  proto: '',
  host: '',
  uri: '',
  for: '',
  origin: '',
  referer: '',
  secFetchSite: '',
  contentType: '',
  cookie: '',
});

/** A context with the client that the service takes for the sender; '' where it knows none. */
export function addClient(context: RequestContext, client: string): RequestContext {
  return client === '' ? context : { ...context, client };
}

/** One request to screen: the JSON text as the caller sent it, and the context. */
export interface ScreeningRequest {
  readonly body: string;
  readonly context: RequestContext;
}

/**
 * `x-context-in: body` says that the caller has put the client's request into fields of the body
 * itself. Without it, a body may be the client's own text, and what it says of its client is no
 * reason to let it pass.
 */
export const contextInHeader = 'x-context-in';
export const contextInBody = 'body';
