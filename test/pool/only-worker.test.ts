import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Piscina } from 'piscina';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { onlyWorker } from '../../src/pool/only-worker.ts';

test('Piscina describes its worker once, and the description stays true', async () => {
  const seen: unknown[] = [];
  const pool = new Piscina({
    filename: new URL('../../workers/screen.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    loadBalancer: (task, workers) => {
      seen.push(workers[0]);
      return onlyWorker(task, workers);
    },
  });
  try {
    for (let run = 0; run < 4; run++) await pool.run(defaultPolicy, { name: 'checkPolicy' });
    const [first, ...others] = seen;
    assert.ok(others.length >= 3);
    for (const other of others.slice(1)) assert.equal(other, others[0]);
    assert.equal(Reflect.get(Object(first), 'id'), pool.threads[0]?.threadId);
    const running = pool.run(defaultPolicy, { name: 'checkPolicy' });
    assert.equal(Reflect.get(Object(first), 'currentUsage'), 1);
    await running;
    assert.equal(Reflect.get(Object(first), 'currentUsage'), 0);
  } finally {
    await pool.destroy();
  }
});

test('with no worker that is ready there is no choice', () => {
  assert.equal(onlyWorker({} as Parameters<typeof onlyWorker>[0], []), null);
});
