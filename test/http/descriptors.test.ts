import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuTimeOf } from '../../bench/lib/process-usage.ts';
import { DescriptorGuard } from '../../src/http/descriptor-guard.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { FakeLog } from './test-server.ts';

describe('the guard of the files that may be opened', () => {
  test('refuses where hardly any are free, and says so once', () => {
    const log = new FakeLog();
    // This process has more open than a quarter of four.
    const guard = new DescriptorGuard(log, 4);
    assert.deepEqual([guard.mustRefuse(1), guard.mustRefuse(2)], [true, true]);
    assert.deepEqual(log.warnings, [{ connections: 1, refused: 1, openFilesMax: 4 }]);
  });

  test('refuses no connection while there is room, or where the limit is not known', () => {
    const log = new FakeLog();
    assert.equal(new DescriptorGuard(log, 1_000).mustRefuse(900), false);
    assert.equal(new DescriptorGuard(log, Number.POSITIVE_INFINITY).mustRefuse(1e6), false);
    assert.deepEqual(log.warnings, []);
  });
});

// More than the limit of the process below, however few files it opens itself.
const callers = 700;
const livez = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n';

/** What becomes of a caller. */
interface Caller {
  readonly socket: Socket;
  state: 'waits' | 'answered' | 'refused';
}

function call(port: number): Caller {
  const caller: Caller = { socket: connect(port, '127.0.0.1'), state: 'waits' };
  caller.socket.on('error', () => undefined);
  caller.socket.on('data', () => {
    caller.state = 'answered';
  });
  caller.socket.on('close', () => {
    if (caller.state === 'waits') caller.state = 'refused';
  });
  caller.socket.write(livez);
  return caller;
}

test('at the limit of open files callers are refused and the process rests; then it goes on', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const limited = ['sh', '-c', 'ulimit -n 400 && exec "$@"', 'sh'];
  const served = await startServing(t, tempDir(), ['serve'], {}, limited);
  const port = Number(new URL(served.address).port);
  const { pid = 0 } = served.child;
  const all = Array.from({ length: callers }, () => call(port));
  await until('each caller is answered or refused', () =>
    all.every(({ state }) => state !== 'waits'),
  );
  const answered = all.filter(({ state }) => state === 'answered');
  assert.ok(answered.length > 10 && answered.length < callers, `${answered.length} answered`);
  assert.match(served.out(), /connections are refused/);

  // Those that have a connection are served as before.
  const [first] = answered;
  assert.ok(first !== undefined);
  const again = once(first.socket, 'data');
  first.socket.write(livez);
  await again;

  const startedAt = performance.now();
  const before = cpuTimeOf([pid]);
  await delay(2_000);
  const after = cpuTimeOf([pid]);
  assert.ok(before !== undefined && after !== undefined);
  const share = (after.mainMs - before.mainMs) / (performance.now() - startedAt);
  assert.ok(share < 0.25, `a share of ${share.toFixed(2)} of a processor without requests`);

  for (const { socket } of answered) socket.destroy();
  await until('new callers are answered', async () => (await fetchedLivez(port)) === 200);
});

async function fetchedLivez(port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    ({ status }) => status,
    () => 0,
  );
}
