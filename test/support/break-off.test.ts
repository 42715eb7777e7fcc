import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { breakOff } from './break-off.ts';

for (const isEnding of [true, false]) {
  test(`a socket is broken off${isEnding ? ' while it is shut down' : ' by a reset'}`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const far = createConnection((server.address() as AddressInfo).port);
    const [near]: Socket[] = await once(server, 'connection');
    assert.ok(near !== undefined);
    const errors: string[] = [];
    near.on('error', ({ message }) => errors.push(message));
    const ended = once(far, 'close').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    far.resume();
    if (isEnding) near.end();
    // A shutdown begins in this tick and is over in the next turn of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    breakOff(near);
    const code = await ended;
    assert.deepEqual(errors, []);
    assert.equal(code, isEnding ? undefined : 'ECONNRESET');
  });
}
