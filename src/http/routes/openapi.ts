import { gzipSync } from 'node:zlib';
import type { PageFile } from '../../contract/ports.ts';
import { writeDocument } from '../document.ts';
import type { Exchange } from '../exchange.ts';
import { openApiDocument } from '../openapi.ts';
import type { UwsRequest } from '../uws.ts';

let file: PageFile | undefined;

/** `GET /openapi.json`: the description of everything that this server answers. */
export function openapi(exchange: Exchange, req: UwsRequest): void {
  file ??= fileOf(exchange.service.version);
  writeDocument(exchange, req, file, [['cache-control', 'public, max-age=300']]);
}

function fileOf(version: string): PageFile {
  const plain = Buffer.from(JSON.stringify(openApiDocument(version)));
  return { type: 'application/json', immutable: false, plain, gzip: gzipSync(plain) };
}
