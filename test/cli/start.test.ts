import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeVersionAdvice } from '../../src/cli/node-version.ts';

test('a Node.js that is too old is named, with what to do', () => {
  for (const version of ['v18.20.0', 'v20.20.2', 'v22.15.1']) {
    assert.match(nodeVersionAdvice(version) ?? '', new RegExp(`needs Node.js 22.16.*${version}`));
  }
  for (const version of ['v22.16.0', 'v22.23.3', 'v24.0.0', process.version]) {
    assert.equal(nodeVersionAdvice(version), undefined);
  }
});

/** Of modules that every Node has; a static import of one stops an older Node before it is refused. */
const newerNames = ['glob', 'globSync', 'styleText', 'stripTypeScriptTypes', 'registerHooks'];

/** All modules that are loaded before a command runs, with the names they import of Node's own. */
function staticImports(): { readonly paths: Set<string>; readonly newer: readonly string[] } {
  const paths = new Set<string>();
  const newer: string[] = [];
  const visit = (path: string) => {
    if (paths.has(path)) return;
    paths.add(path);
    const source = readFileSync(path, 'utf8');
    const imports = source.matchAll(/^(?:import|export) (?!type )([^;]*?) from '([^']+)';/gm);
    for (const [, names = '', from = ''] of imports) {
      if (from.startsWith('.')) visit(join(dirname(path), from));
      if (!from.startsWith('node:')) continue;
      const used = names.split(/\W+/).filter((name) => newerNames.includes(name));
      newer.push(...used.map((name) => `${path}: ${name}`));
      if (from === 'node:sqlite') newer.push(`${path}: ${from}`);
    }
  };
  visit(fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url)));
  return { paths, newer };
}

test('a Node.js that is too old gets as far as to be refused', () => {
  const { paths, newer } = staticImports();
  assert.ok(paths.size > 30, 'the imports were not followed');
  assert.deepEqual(newer, []);
});

test('a command starts without the rules and the reader of documents, which take half a second', () => {
  const heavy = [...staticImports().paths].filter((path) =>
    /src\/(?:core\/(?:engine|rules|grammars)|shape|storage|http)\b/.test(path),
  );
  assert.deepEqual(heavy, []);
});
