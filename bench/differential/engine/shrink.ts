import type { Header, WireRequest } from './wire-request.ts';

/** Whether a smaller request still shows the same. */
export type StillShows = (request: WireRequest) => Promise<boolean>;

const triesMax = 120;

/** A request that shows the same with less of everything. */
export async function shrink(request: WireRequest, shows: StillShows): Promise<WireRequest> {
  let best = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < triesMax; ) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      tries += 1;
      if (tries >= triesMax) break;
      if (!(await shows(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Less and less much less: the large steps come first. */
function* smaller(request: WireRequest): Generator<WireRequest> {
  const { headers, target, body, framing, method } = request;
  if (target !== '/') yield { ...request, target: '/' };
  if (target.includes('?')) yield { ...request, target: target.slice(0, target.indexOf('?')) };
  for (let index = headers.length - 1; index >= 0; index -= 1) {
    if (headers[index]?.[0].toLowerCase() === 'host') continue;
    yield { ...request, headers: headers.filter((_, at) => at !== index) };
  }
  if (body.length > 0) yield { ...request, body: Buffer.alloc(0), framing: { kind: 'none' } };
  if (framing.kind !== 'none' && framing.kind !== 'length') {
    yield { ...request, framing: { kind: 'length' } };
  }
  if (method !== 'POST' && method !== 'GET') yield { ...request, method: 'POST' };
  for (const part of lessBytes(body)) yield { ...request, body: part };
  for (const part of lessText(target)) {
    if (part.startsWith('/')) yield { ...request, target: part };
  }
  for (const [index, header] of headers.entries()) {
    for (const value of lessText(header[1])) yield withValue(request, index, [header[0], value]);
  }
}

function withValue(request: WireRequest, index: number, header: Header): WireRequest {
  return { ...request, headers: request.headers.map((own, at) => (at === index ? header : own)) };
}

/** Without a half, a quarter, an eighth … at each place. */
function* lessBytes(bytes: Buffer): Generator<Buffer> {
  for (let size = bytes.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= bytes.length; at += size) {
      yield Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
    }
  }
}

function* lessText(text: string): Generator<string> {
  for (let size = text.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= text.length; at += size) {
      yield text.slice(0, at) + text.slice(at + size);
    }
  }
}
