import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const question = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n';

/** What became of the requests of one connection that is kept open. */
interface Tally {
  sent: number;
  answered: number;
  isToldToClose: boolean;
}

/** Asks again and again on one connection, until an answer closes it or nobody listens. */
async function askOn(port: number, tally: Tally): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  let settle: (answer: string | undefined) => void = () => undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => settle(String(chunk)));
  socket.on('close', () => settle(undefined));
  await once(socket, 'connect');
  while (!tally.isToldToClose) {
    const answer = new Promise<string | undefined>((resolve) => {
      settle = resolve;
    });
    tally.sent += 1;
    socket.write(question);
    const came = await answer;
    if (came === undefined) return;
    tally.answered += 1;
    tally.isToldToClose = /^connection: close/im.test(came);
    await delay(Math.random() * 20);
  }
  socket.destroy();
}

test('SIGTERM loses no request of those that keep their connection', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const served = await startServing(t, tempDir(), ['serve']);
    const port = Number(new URL(served.address).port);
    const tallies = Array.from({ length: 24 }, (): Tally => {
      return { sent: 0, answered: 0, isToldToClose: false };
    });
    const asking = tallies.map((tally) => askOn(port, tally));
    await until('all ask', () => tallies.every(({ answered }) => answered > 3));
    served.child.kill('SIGTERM');
    await Promise.all(asking);
    assert.equal(await served.ended, 0);
    const lost = tallies.filter(({ sent, answered }) => answered < sent);
    assert.deepEqual(lost, [], `round ${round}`);
  }
});

test('SIGHUP reads keys and policies anew, and stops nothing', async (t) => {
  const served = await startServing(t, tempDir(), ['serve']);
  for (let times = 1; times <= 3; times += 1) {
    served.child.kill('SIGHUP');
    await until('the log says so', () => {
      return served.out().split('keys and policies read anew').length > times;
    });
    assert.equal((await fetch(`${served.address}/livez`)).status, 200);
  }
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
});
