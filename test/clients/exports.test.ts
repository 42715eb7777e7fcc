import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const { exports: entries } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};

const promised: Readonly<Record<string, string>> = {
  '.': 'createScreener',
  './client': 'createClient',
  './express': 'sallyport',
  './fastify': 'sallyport',
  './hono': 'sallyport',
  './koa': 'sallyport',
  './nest': 'sallyport',
  './node-http': 'sallyport',
};

test('each entry of the package leads to a source that exports what the README says', async () => {
  assert.deepEqual(
    Object.keys(entries).sort(),
    [...Object.keys(promised), './package.json'].sort(),
  );
  for (const [entry, name] of Object.entries(promised)) {
    const target = entries[entry];
    assert.ok(typeof target === 'object', entry);
    assert.equal(target.types, target.default.replace(/\.js$/, '.d.ts'));
    const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts');
    const file = new URL(source, root);
    assert.ok(existsSync(file), source);
    const exported: Record<string, unknown> = await import(pathToFileURL(file.pathname).href);
    assert.equal(typeof exported[name], 'function', `${entry} exports ${name}`);
  }
});
