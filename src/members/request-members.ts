import { addFiles, addParsedBody } from './body-members.ts';
import { formPairs } from './form-pairs.ts';
import { MemberWriter } from './member-writer.ts';
import { addRawBody, type RawBody } from './raw-body.ts';

/** The body of a request, in the state in which the middleware found it. */
export type RequestBody =
  | { readonly kind: 'none' }
  /** `files`: what a parser of multipart put beside the fields. */
  | { readonly kind: 'parsed'; readonly value: unknown; readonly files?: unknown }
  | ({ readonly kind: 'raw' } & RawBody)
  /** Consumed by something that left nothing to look at. */
  | { readonly kind: 'gone' };

/** A request of the application's client, the same for all frameworks. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query as they came, such as `/search?q=a%20b`. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Network address of whoever is connected; empty when not known. */
  readonly address: string;
}

/** Headers that rules know of, and that attackers fill. Secrets are not among them. */
export const screenedHeaders: readonly string[] = [
  ...['host', 'origin', 'referer', 'user-agent', 'content-type', 'sec-fetch-site'],
  ...['x-requested-with', 'x-http-method-override', 'x-http-method', 'x-method-override'],
  ...['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-server', 'forwarded', 'x-host'],
  ...['x-original-url', 'x-rewrite-url', 'x-override-url', 'x-middleware-subrequest'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'range', 'accept-language', 'from', 'via'],
];

/** The members of a request as the texts of one or, for large requests, several JSON objects. */
export async function membersOf(
  request: ClientRequest,
  body: RequestBody,
  furtherHeaders: readonly string[] = [],
): Promise<{ readonly texts: readonly string[]; readonly isComplete: boolean }> {
  const writer = new MemberWriter();
  const question = request.url.indexOf('?');
  const path = question < 0 ? request.url : request.url.slice(0, question);
  writer.add('method', request.method);
  writer.add('path', path);
  addHeaders(writer, request, furtherHeaders);
  writer.endHead();
  for (const line of valuesOf(request, 'cookie')) addCookies(writer, line);
  if (question >= 0) {
    for (const [name, value] of formPairs(request.url.slice(question + 1))) {
      writer.add(`query.${name}`, value);
    }
  }
  await addBody(writer, request, body);
  return writer.finish();
}

function addHeaders(
  writer: MemberWriter,
  request: ClientRequest,
  furtherHeaders: readonly string[],
): void {
  for (const name of [...screenedHeaders, ...furtherHeaders]) {
    for (const value of valuesOf(request, name)) writer.add(`header.${name}`, value);
  }
  // As a proxy would add it: the nearest client last.
  const forwarded = [...valuesOf(request, 'x-forwarded-for'), request.address];
  const chain = forwarded.filter((part) => part !== '').join(', ');
  if (chain !== '') writer.add('header.x-forwarded-for', chain);
}

export function valuesOf(request: ClientRequest, name: string): readonly string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function addCookies(writer: MemberWriter, line: string): void {
  for (const pair of line.split(';')) {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? '' : pair.slice(0, equals).trim();
    const value = pair.slice(equals + 1).trim();
    if (name !== '' || value !== '') writer.add(`cookie.${name}`, value);
  }
}

async function addBody(
  writer: MemberWriter,
  request: ClientRequest,
  body: RequestBody,
): Promise<void> {
  const sink = {
    add: (name: string, value: string | number | boolean | null) => writer.add(name, value),
    leaveOut: () => writer.leaveOut(),
  };
  const contentType = valuesOf(request, 'content-type')[0] ?? '';
  switch (body.kind) {
    case 'none':
      return;
    case 'gone':
      writer.leaveOut();
      return;
    case 'raw':
      await addRawBody(sink, body, {
        contentType,
        contentEncoding: valuesOf(request, 'content-encoding').join(','),
      });
      return;
    case 'parsed':
      if (body.value instanceof Uint8Array) {
        const bytes = Buffer.from(body.value);
        // A parser that hands out bytes has undone the content coding.
        await addRawBody(sink, { bytes, isComplete: true }, { contentType, contentEncoding: '' });
      } else {
        addParsedBody(sink, body.value);
      }
      addFiles(sink, body.files);
      return;
  }
}
