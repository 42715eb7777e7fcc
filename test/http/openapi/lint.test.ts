import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '../../support/temp-dir.ts';
import { type Body, startApi } from '../api/api-server.ts';

const packageFile = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const linter = fileURLToPath(new URL('bin/cli.js', `file://${packageFile}`));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

/** Runs the linter over a document. */
function lint(document: Body): { readonly code: number | null; out: string } {
  const cwd = tempDir();
  const file = join(cwd, 'openapi.json');
  writeFileSync(file, JSON.stringify(document, null, 2));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [linter, 'lint', file, '--config', config],
    {
      cwd,
      encoding: 'utf8',
      // It would otherwise ask its maker for news, and tell of its use.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  return { code: status, out: `${stdout}${stderr}` };
}

test('the document that the server gives passes the linter, and a spoilt one does not', async (t) => {
  const api = await startApi(t);
  const { body } = await api.call('/openapi.json');
  const { code, out } = lint(body);
  assert.equal(code, 0, out);
  assert.match(out, /valid/);

  for (const [rule, spoil] of [
    ['struct', (document: Body) => delete document.info.title],
    ['no-unresolved-refs', (document: Body) => delete document.components.schemas.Key],
    [
      'no-invalid-media-type-examples',
      (document: Body) => {
        const { content } = document.paths['/api/keys'].post.requestBody;
        content['application/json'].example.colour = 'blue';
      },
    ],
  ] as const) {
    const spoilt = structuredClone(body);
    spoil(spoilt);
    const refused = lint(spoilt);
    assert.equal(refused.code, 1, `${rule}: ${refused.out}`);
    assert.match(refused.out, new RegExp(rule));
  }
});

test('a tool that imports the document has all that it needs to send requests', async (t) => {
  const api = await startApi(t);
  const { components, paths, servers } = (await api.call('/openapi.json')).body;
  assert.equal(servers[0].url, '{origin}');
  assert.match(servers[0].variables.origin.default, /^http:\/\/127\.0\.0\.1:\d+$/);
  for (const [path, operations] of Object.entries<Body>(paths)) {
    for (const [method, operation] of Object.entries<Body>(operations)) {
      const name = `${method} ${path}`;
      assert.ok(operation.security, `${name} says what it takes to be let in`);
      // Tools take the first way in, and few of them can send a cookie.
      const [scheme] = Object.keys(operation.security[0] ?? {});
      const place = scheme === undefined ? 'header' : components.securitySchemes[scheme].in;
      assert.equal(place, 'header', name);
      for (const content of Object.values<Body>(operation.requestBody?.content ?? {})) {
        assert.ok(content.example ?? content.examples, name);
      }
      for (const parameter of operation.parameters ?? []) {
        const isShown = !parameter.required || parameter.example !== undefined;
        assert.ok(isShown, `${name}: ${parameter.name}`);
      }
    }
  }
});
