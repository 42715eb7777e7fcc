import { contextParts, noContext, type RequestContext } from '../contract/request.ts';
import type { UwsRequest } from './uws.ts';

/** The context of the client's request from the `x-forwarded-*` headers. */
export function readContext(req: UwsRequest): RequestContext {
  let context: { -readonly [part in keyof RequestContext]: string } | undefined;
  for (const { part, header } of contextParts) {
    const value = req.getHeader(header);
    if (value === '') continue;
    context ??= { ...noContext };
    context[part] = value;
  }
  return context ?? noContext;
}
