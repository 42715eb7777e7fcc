import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from '../support/cli.ts';
import { requireInstalled } from '../support/require-tool.ts';
import { deadAddress } from './false-sallyport.ts';
import { realSallyport } from './real-sallyport.ts';

// The built package as an application gets it: by its name, under the Node of the service and under
// the oldest that the clients promise.

const root = fileURLToPath(new URL('../../', import.meta.url));

const promised: Readonly<Record<string, string>> = {
  sallyport: 'createScreener',
  'sallyport/client': 'createClient',
  'sallyport/express': 'sallyport',
  'sallyport/fastify': 'sallyport',
  'sallyport/koa': 'sallyport',
  'sallyport/hono': 'sallyport',
  'sallyport/nest': 'sallyport',
  'sallyport/node-http': 'sallyport',
};

/** A Node.js of the major version 20 on the PATH. */
function findNode20(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      if (!existsSync(path)) return false;
      return (
        spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('v20.') ?? false
      );
    });
}

/** A folder into which the package was installed, as `npm install ../sallyport` does it. */
const folder = mkdtempSync(join(tmpdir(), 'sallyport-app-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/sallyport'));
symlinkSync(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a script in that folder. */
async function run(node: string, kind: 'commonjs' | 'module', script: string): Promise<string> {
  const file = join(folder, `app.${kind === 'module' ? 'mjs' : 'cjs'}`);
  writeFileSync(file, script);
  const child = spawn(node, [file]);
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, `${out()}${err()}`);
  return out();
}

async function onBoth(t: TestContext, check: (node: string) => Promise<void>): Promise<void> {
  assert.ok(existsSync(join(root, 'dist/src/screener.js')), 'run `npm run build` first');
  await t.test('the Node of the service', () => check(process.execPath));
  await t.test('Node 20', async (t) => {
    const node20 = findNode20();
    if (requireInstalled(t, 'Node 20', node20 !== undefined)) await check(node20 ?? '');
  });
}

test('every entry is required and imported', async (t) => {
  await onBoth(t, async (node) => {
    const list = JSON.stringify(Object.entries(promised));
    const told = 'console.log(JSON.stringify(found));';
    const required = await run(
      node,
      'commonjs',
      `const found = ${list}.map(([entry, name]) => typeof require(entry)[name]); ${told}`,
    );
    const imported = await run(
      node,
      'module',
      `const found = [];
       for (const [entry, name] of ${list}) found.push(typeof (await import(entry))[name]);
       ${told}`,
    );
    const functions = Object.keys(promised).map(() => 'function');
    assert.deepEqual(JSON.parse(required), functions);
    assert.deepEqual(JSON.parse(imported), functions);
  });
});

/** An application on Fastify that says how it answers an attack while no Sallyport answers. */
const fastifyApp = (plugin: string) => `
  const app = fastify();
  app.register(${plugin}, { url: '${deadAddress}', key: 'sp_live_any', onError: () => undefined });
  app.get('/', async () => 'reached');
  app.inject({ url: '/', query: { q: "' OR 1=1 --" } }).then(({ statusCode }) => {
    console.log(statusCode);
    return app.close();
  });`;

test('Fastify registers each form of the plugin', async (t) => {
  await onBoth(t, async (node) => {
    const load = "import fastify from 'fastify';";
    const forms = {
      'a promise of the module': ['module', `${load}${fastifyApp("import('sallyport/fastify')")}`],
      'the default export': [
        'module',
        `${load}import plugin from 'sallyport/fastify';${fastifyApp('plugin')}`,
      ],
      'the required module': [
        'commonjs',
        `const fastify = require('fastify');${fastifyApp("require('sallyport/fastify')")}`,
      ],
    } as const;
    for (const [form, [kind, script]] of Object.entries(forms)) {
      // Blocked by the package itself: the core runs wherever the clients do.
      assert.equal(await run(node, kind, script), '403\n', form);
    }
  });
});

test('a client asks a Sallyport', async (t) => {
  const { url, key } = await realSallyport(t);
  await onBoth(t, async (node) => {
    const options = JSON.stringify({ url, key, timeoutMs: 10_000 });
    const out = await run(
      node,
      'commonjs',
      `const client = require('sallyport/client').createClient(${options});
       client.screen({ q: "' OR 1=1 --" }).then(({ kind }) => {
         console.log(kind);
         return client.close();
       });`,
    );
    assert.equal(out, 'blocked\n');
  });
});

test('createScreener works, or says which Node it needs', async (t) => {
  const script = `
    import { createScreener } from 'sallyport';
    try {
      console.log((await createScreener().screen({ q: "' OR 1=1 --" })).kind);
    } catch (error) {
      console.log(error.message);
    }`;
  assert.equal(await run(process.execPath, 'module', script), 'blocked\n');
  const node20 = findNode20();
  if (!requireInstalled(t, 'Node 20', node20 !== undefined)) return;
  const advice = /^createScreener needs Node\.js 22\.16 or newer, and this is v20\./;
  assert.match(await run(node20 ?? '', 'module', script), advice);
});
