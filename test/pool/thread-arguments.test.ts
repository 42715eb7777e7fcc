import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { threadArguments } from '../../src/contract/thread-arguments.ts';

test('threads load their modules by import, so that they may be ended while they start', async () => {
  const filename = fileURLToPath(new URL('./fixture-loading.ts', import.meta.url));
  const execArgv = threadArguments;
  const threads = new Piscina({ filename, minThreads: 1, maxThreads: 1, execArgv });
  try {
    assert.equal(await threads.run(undefined, { name: 'canRequireModules' }), false);
  } finally {
    await threads.destroy();
  }
});

test('no thread is made without them', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const texts = globSync('{src,workers}/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(`${root}${file}`, 'utf8'),
  );
  const made = texts.flatMap((text) => text.match(/new Piscina\(\{[^}]*/g) ?? []);
  assert.ok(made.length >= 3);
  for (const options of made) assert.match(options, /execArgv: threadArguments/);
});
