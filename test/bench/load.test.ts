import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { latencyOf, type Measured, runLoad } from '../../bench/http/load.ts';

const mix = [{ body: 'login', share: 1 }];

/**
 * A server that answers each request with a status. It stalls once, all connections together, when
 * `stallAt` requests have come.
 */
async function startServer(
  t: TestContext,
  how: { readonly status?: number; readonly stallAt?: number; readonly stallMs?: number },
): Promise<Measured> {
  const { status = 200, stallAt = Number.POSITIVE_INFINITY, stallMs = 0 } = how;
  const sockets = new Set<Socket>();
  let requests = 0;
  let stalled: Promise<void> | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', async () => {
      requests += 1;
      if (requests === stallAt) stalled = delay(stallMs);
      await stalled;
      // In two pieces, the first of which ends inside the head.
      socket.write(`HTTP/1.1 ${status} OK\r\nContent-`);
      socket.write('Length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const statuses = { allow: 200, block: 403 };
  return { host: '127.0.0.1', port, key: 'none', pids: [process.pid], statuses };
}

test('an open loop counts the wait of the requests that came due during a stall', async (t) => {
  const server = await startServer(t, { stallAt: 100, stallMs: 800 });
  const load = { mix, connections: 1, warmUpMs: 0, ms: 1_000, rate: 500 };
  const answer = await runLoad(server, load);
  assert.equal(answer.answers, 500, 'each request that came due is answered and counted');
  // Four fifths of the requests came due while nothing was answered: on one connection a generator
  // that waits for the answer before it counts would show a single slow request.
  const median = latencyOf(answer, 'login', 50);
  assert.ok(median > 100, `the median is ${median} ms`);
});

test('a closed loop counts its answers', async (t) => {
  const server = await startServer(t, {});
  const answer = await runLoad(server, { mix, connections: 3, warmUpMs: 10, ms: 100 });
  assert.ok(answer.answers > 3, `${answer.answers} answers`);
  assert.ok(latencyOf(answer, 'login', 99) >= latencyOf(answer, 'login', 50));
});

test('a wrong answer ends the measurement', async (t) => {
  const server = await startServer(t, { status: 503 });
  await assert.rejects(
    runLoad(server, { mix, connections: 1, warmUpMs: 0, ms: 50 }),
    /login: 503 instead of 200/,
  );
});
