import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageInfo } from '../../../src/config/package-info.ts';
import type { Random } from '../../lib/random.ts';
import { drawnTexts, filesBelow } from './files.ts';
import type { BenignText, Origin } from './origin.ts';

const charactersMax = 4_000;
const piecesEach = 8;

function folders(): readonly string[] {
  const all = [join(packageInfo().root, 'node_modules'), '/usr/share', '/usr/lib/node_modules'];
  return all.filter((folder) => existsSync(folder));
}

/** Parts of JSON files: schemas, their examples, settings, tables, translations. */
export const json: Origin = {
  name: 'JSON documents',
  missing: () => (folders().length > 0 ? [] : ['node_modules']),
  *texts(random) {
    const paths = filesBelow(folders(), /\.json$/);
    for (const { path, text } of drawnTexts(random, paths)) {
      const root = parsed(text);
      if (root === undefined) continue;
      const kind = /schema|openapi|swagger/i.test(path) ? 'schema' : 'document';
      for (const one of random.times(piecesEach, () => part(random, root, kind))) {
        if (one !== undefined) yield one;
      }
    }
  },
};

/** Undefined for what is no JSON, such as a file with comments or the start of a long one. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An object or a text somewhere inside, under the name of its member. */
function part(random: Random, root: object, kind: string): BenignText | undefined {
  let name = 'payload';
  let value: unknown = root;
  for (let depth = 0; depth < 24; depth += 1) {
    if (typeof value === 'string') {
      const text = value.slice(0, charactersMax).toWellFormed();
      return text.length < 4
        ? undefined
        : { name: `body.${name}`, text, kind: `text of a ${kind}` };
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const text = JSON.stringify(value, undefined, random.chance(50) ? 2 : 0);
    if (text.length <= charactersMax && text.length >= 20 && random.chance(30)) {
      return { name: random.pick(['body.payload', 'body.config', 'body.data']), text, kind };
    }
    const entries = Object.entries(value);
    if (entries.length === 0) return undefined;
    const [key, inner] = random.pick(entries);
    if (!Array.isArray(value)) name = key;
    value = inner;
  }
  return undefined;
}
