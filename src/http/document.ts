import { createHash } from 'node:crypto';
import type { PageFile } from '../contract/ports.ts';
import { type Header, writeAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { statusLine } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/**
 * Answers with a file from memory: compressed where the client takes that, and 304 where it has the
 * same already (RFC 9110, 13.1.2).
 */
export function writeDocument(
  exchange: Exchange,
  req: UwsRequest,
  file: PageFile,
  headers: readonly Header[],
): void {
  const [body, encoding] = encoded(file, req.getHeader('accept-encoding'));
  // Each form has a tag of its own.
  const tag = tagOf(file);
  const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
  const shared: Header[] = [...headers, ['etag', etag], ['vary', 'accept-encoding']];
  if (isKnown(req.getHeader('if-none-match'), etag)) {
    writeAnswer(exchange, { status: statusLine(304), type: '', body: '', headers: shared });
    return;
  }
  if (encoding !== undefined) shared.push(['content-encoding', encoding]);
  writeAnswer(exchange, { status: statusLine(200), type: file.type, body, headers: shared });
}

const tags = new WeakMap<PageFile, string>();

function tagOf(file: PageFile): string {
  const known = tags.get(file);
  if (known !== undefined) return known;
  const tag = createHash('sha256').update(file.plain).digest('base64url').slice(0, 22);
  tags.set(file, tag);
  return tag;
}

function encoded(file: PageFile, accepted: string): [Uint8Array, 'br' | 'gzip' | undefined] {
  const names = accepted.split(',').map((part) => part.trim().toLowerCase());
  if (file.brotli !== undefined && names.includes('br')) return [file.brotli, 'br'];
  if (file.gzip !== undefined && names.includes('gzip')) return [file.gzip, 'gzip'];
  return [file.plain, undefined];
}

function isKnown(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
