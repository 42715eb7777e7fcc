import { createServer, type IncomingMessage } from 'node:http';
import * as zlib from 'node:zlib';
import { sallyport } from '../../../src/clients/node-http.ts';
import type { Reader } from '../engine/reader.ts';
import type { Sightings } from '../engine/sightings.ts';
import { listening, nodeReader } from './node-reader.ts';
import { seeHeaders, seeTarget, seeText, tried } from './see.ts';

/** Requests read by hand, in all the ways that people do it. */
export const nodeHttpReaders: readonly Reader[] = [
  nodeReader('node-http', (options, probe) =>
    listening(
      createServer(
        sallyport(options, (req, res) => {
          const { sightings } = probe;
          seeHead(sightings, req);
          whole(req).then(
            (body) => {
              seeBody(sightings, req, body);
              res.end();
            },
            () => res.destroy(),
          );
        }),
      ),
    ),
  ),
];

function seeHead(sightings: Sightings, req: IncomingMessage): void {
  sightings.add('method', req.method);
  seeTarget(sightings, req.url ?? '');
  seeHeaders(sightings, req.headers);
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    for (const value of values) sightings.add(`header ${name}`, value);
  }
}

/** All of a body. */
export async function whole(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function seeBody(sightings: Sightings, req: IncomingMessage, body: Buffer): void {
  if (body.length === 0) return;
  const type = req.headers['content-type'] ?? '';
  seeText(sightings, body.toString('utf8'));
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1];
  if (charset !== undefined) {
    const text = tried(() => new TextDecoder(charset).decode(body));
    if (text !== undefined) seeText(sightings, text);
  }
  const inflated = unpacked(body, req.headers['content-encoding'] ?? '');
  if (inflated !== undefined) seeText(sightings, inflated.toString('utf8'));
}

/** One coding, and the first of several: more is done by few. */
function unpacked(body: Buffer, encoding: string): Buffer | undefined {
  const limit = { maxOutputLength: 16_777_216 };
  switch (encoding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return tried(() => zlib.gunzipSync(body, limit));
    case 'deflate':
      return tried(() => zlib.inflateSync(body, limit)) ?? tried(() => zlib.inflateRawSync(body));
    case 'br':
      return tried(() => zlib.brotliDecompressSync(body, limit));
    case 'zstd':
      return tried(() => zlib.zstdDecompressSync(body, limit));
    default:
      return undefined;
  }
}
