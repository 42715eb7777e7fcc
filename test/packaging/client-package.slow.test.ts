import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { clientPackageName, writeClientPackage } from '../../src/packaging/client-package.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { installInEmptyFolder, nodesFrom, pack, repository, startProgram } from './empty-folder.ts';
import { startRegistry } from './registry.ts';

const entries = ['client', 'express', 'fastify', 'hono', 'koa', 'nest', 'node-http'];
const login = { username: 'anna', password: 'correct horse' };
const injection = { username: "' OR 1=1 --", password: 'x' };

async function packClient(): Promise<string> {
  const folder = join(tempDir(), 'package');
  await writeClientPackage(repository, folder);
  return pack(folder, tempDir());
}

/** Both kinds of modules of an application; each says where it listens. */
const applications: Readonly<Record<string, string>> = {
  'app.mjs': `
    import express from 'express';
    import { sallyport } from 'sallyport-client/express';
    start(express, sallyport);`,
  'app.cjs': `
    const express = require('express');
    const { sallyport } = require('sallyport-client/express');
    start(express, sallyport);`,
};

const start = `
function start(express, sallyport) {
  const app = express();
  app.use(express.json());
  app.use(sallyport({ url: process.env.SALLYPORT_URL, key: process.env.SALLYPORT_KEY, timeoutMs: 20_000, onError() {} }));
  app.post('/login', (req, res) => res.send('hello ' + req.body.username));
  const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
}`;

async function statusOf(port: string, body: object): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

test('the tarball of the client', async (t) => {
  const registry = await startRegistry(t, join(repository, 'node_modules'));
  const tarball = await packClient();
  const packages = [tarball, 'express', '@types/node', '@types/express', 'fastify', 'hono'];
  const folder = await installInEmptyFolder({ registry, packages });

  await t.test('brings undici with it and nothing else', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const neededBy = (name: string) => lock.packages[`node_modules/${name}`].dependencies;
    assert.deepEqual(Object.keys(neededBy(clientPackageName)), ['undici']);
    assert.equal(neededBy('undici'), undefined);
  });

  await t.test('can be imported and required, each entry of it', () => {
    checkLoading(folder);
  });

  await t.test('has types for both kinds of modules', () => {
    checkTypes(folder);
  });

  await t.test('protects applications on each Node, also while the service is down', async (t) => {
    const service = await serviceFromTarball(t, registry);
    const ports: string[] = [];
    for (const [name, text] of Object.entries(applications)) {
      writeFileSync(join(folder, name), `${text}\n${start}`);
      for (const { path, version } of nodesFrom(20)) {
        const command = { words: [path, name], cwd: folder, ready: /port \d+\n/ };
        const app = await startProgram(t, command, service.environment);
        const port = await app.says(/port (\d+)/);
        assert.equal(await statusOf(port, login), 200, `${name} on Node ${version}`);
        assert.equal(await statusOf(port, injection), 403, `${name} on Node ${version}`);
        ports.push(port);
      }
    }
    // Lines of the log are written behind the answers.
    const blocks = () => service.program.text().match(/"message":"blocked"/g) ?? [];
    await until('the service logs its blocks', () => blocks().length >= ports.length);
    assert.equal(blocks().length, ports.length, 'the service has blocked each of them');

    // Now inline, on the thread that the package brings with it.
    await service.program.stop();
    for (const port of ports) {
      assert.equal(await statusOf(port, login), 200);
      assert.equal(await statusOf(port, injection), 403);
    }
  });
});

/** The service as its own tarball installs it, with a key for it. */
async function serviceFromTarball(t: TestContext, registry: string) {
  const packages = [pack(repository, tempDir())];
  const home = await installInEmptyFolder({ registry, packages });
  // Without `--call`, npx would take over that of a command around it.
  const words = [
    'npx',
    '--call=',
    '--no-install',
    '--',
    'sallyport',
    'up',
    '--port',
    '0',
    '--workers',
    '1',
  ];
  const program = await startProgram(t, { words, cwd: home, ready: /"message":"ready"/ });
  const environment = {
    SALLYPORT_KEY: await program.says(/x-api-key: (sp_live_\w+)/),
    SALLYPORT_URL: await program.says(/Sallyport is ready at (\S+)/),
  };
  return { program, environment };
}

const specifiers = ['', ...entries.map((entry) => `/${entry}`)].map(
  (entry) => `${clientPackageName}${entry}`,
);

function checkLoading(folder: string): void {
  const check = `if (typeof (m.sallyport ?? m.createClient) !== 'function') throw Error(s);`;
  const each = `for (const s of ${JSON.stringify(specifiers)})`;
  writeFileSync(join(folder, 'all.mjs'), `${each} { const m = await import(s); ${check} }`);
  writeFileSync(join(folder, 'all.cjs'), `${each} { const m = require(s); ${check} }`);
  for (const { path } of nodesFrom(20)) {
    for (const name of ['all.mjs', 'all.cjs']) {
      const done = spawnSync(path, [name], { cwd: folder, encoding: 'utf8' });
      assert.equal(done.stderr, '', `${name} with ${path}`);
      assert.equal(done.status, 0);
    }
  }
}

function checkTypes(folder: string): void {
  const imports = specifiers.map((name, i) => `import * as m${i} from '${name}';`).join('\n');
  const typed = `${imports}
import express from 'express';
import { sallyport } from '${clientPackageName}/express';
import { createClient, type Outcome } from '${clientPackageName}';
const options = { url: 'http://127.0.0.1:1', key: 'k' };
express().use(sallyport(options));
const outcome: Promise<Outcome> = createClient(options).screen({ a: 'b' });
// @ts-expect-error: an option that does not exist
sallyport({ ...options, onOutge: 'allow' });
export { outcome, ${specifiers.map((_, i) => `m${i}`).join(', ')} };
`;
  for (const name of ['typed.mts', 'typed.cts']) writeFileSync(join(folder, name), typed);
  const words = ['--target', 'es2022', '--types', 'node', '--exactOptionalPropertyTypes'];
  const modules = ['--module', 'node16', '--moduleResolution', 'node16', '--esModuleInterop'];
  assert.equal(typeErrors(folder, [...words, ...modules, 'typed.mts', 'typed.cts']), '');
}

function typeErrors(cwd: string, words: readonly string[]): string {
  const tsc = join(repository, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['--noEmit', '--strict', ...words], { cwd, encoding: 'utf8' }).stdout;
}

test('what runs in applications needs nothing newer than Node 20', () => {
  const config = ['--ignoreConfig', '--allowImportingTsExtensions', '--skipLibCheck'];
  const words = [
    '--target',
    'es2023',
    '--lib',
    'es2023',
    '--types',
    'node',
    '--module',
    'nodenext',
  ];
  const sources = [...entries.map((name) => `src/clients/${name}.ts`), 'workers/inline.ts'];
  assert.equal(typeErrors(repository, [...config, ...words, ...sources]), '');
});

test('the client package loads nothing of the service', async () => {
  const folder = join(tempDir(), 'package');
  await writeClientPackage(repository, folder);
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  assert.ok(scripts.includes('workers/inline.js'), scripts.join());
  for (const name of scripts) {
    const text = readFileSync(join(folder, name), 'utf8');
    // Not within a line: words to be detected stand there.
    const loaded = [
      ...text.matchAll(/^(?:import|export|let|const)\b.*(?:from |require\()"([^"]+)"/gm),
    ];
    for (const [, specifier = ''] of loaded) {
      assert.match(specifier, /^(?:node:|\.\/|undici$)/, `${name} loads ${specifier}`);
    }
  }
});
