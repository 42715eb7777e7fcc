import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { PageFile, Pages } from '../contract/ports.ts';

const typeOf: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the built dashboard into memory. Without a build it has no files. */
export function loadPages(folder: string): Pages {
  const files = new Map<string, PageFile>();
  if (existsSync(folder)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const type = typeOf[extname(name)];
      if (type !== undefined) files.set(`/${name.replaceAll('\\', '/')}`, readPage(folder, name));
    }
  }
  return {
    // A path without an ending is a place inside the page, which finds its way by itself.
    find: (path) => files.get(extname(path) === '' ? '/index.html' : path),
  };
}

function readPage(folder: string, name: string): PageFile {
  const path = join(folder, name);
  return {
    type: typeOf[extname(name)] ?? '',
    immutable: name.startsWith('assets'),
    plain: readFileSync(path),
    ...(existsSync(`${path}.gz`) ? { gzip: readFileSync(`${path}.gz`) } : {}),
    ...(existsSync(`${path}.br`) ? { brotli: readFileSync(`${path}.br`) } : {}),
  };
}
