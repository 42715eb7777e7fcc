import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect } from './raw-client.ts';
import {
  allowed,
  checkAnswer,
  checkProblem,
  controlRequest,
  serve,
  type TestServer,
  until,
} from './test-server.ts';

const body = '{"a":"b"}';

function holdScan(to: TestServer): { release: () => void } {
  const held = { release: (): void => undefined };
  to.scanner.scanAs = async () => {
    await new Promise<void>((resolve) => {
      held.release = resolve;
    });
    return allowed(9);
  };
  return held;
}

test('what is in flight or comes on an open connection is answered', async (t) => {
  const to = await serve(t, { drainMsMax: 10_000 });
  const held = holdScan(to);
  const inFlight = await to.open();
  const upload = await to.open();
  const keptAlive = await to.open();
  const probing = await to.open();
  const idle = await to.open();
  keptAlive.send('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n');
  await keptAlive.answer();
  inFlight.send(controlRequest(body));
  await until(() => to.scanner.inputs.length === 1);
  const request = controlRequest(body);
  upload.send(request.slice(0, -4));
  await new Promise((resolve) => setTimeout(resolve, 20));

  const stopped = to.server.stop();
  await assert.rejects(connect(to.server.address), { code: 'ECONNREFUSED' });
  probing.send('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
  const ready = await probing.answer();
  const state = { status: 'not-ready', notReady: ['draining'], degraded: [] };
  assert.deepEqual(checkAnswer(ready, 503), state);

  held.release();
  const answer = await inFlight.answer();
  checkAnswer(answer, 200);
  assert.equal(answer.headers.get('connection'), 'close');
  to.scanner.scanAs = () => allowed(9);
  keptAlive.send(controlRequest(body));
  const last = await keptAlive.answer();
  checkAnswer(last, 200);
  assert.equal(last.headers.get('connection'), 'close');
  assert.equal(await keptAlive.closed, undefined);
  upload.send(request.slice(-4));
  checkAnswer(await upload.answer(), 200);
  await stopped;
  await idle.closed;
  assert.equal(to.server.stop(), to.server.stop());
});

test('a request that does not end holds the stop up only so long', async (t) => {
  const to = await serve(t, { drainMsMax: 50 });
  const held = holdScan(to);
  const client = await to.open();
  client.send(controlRequest(body));
  await until(() => to.scanner.inputs.length === 1);
  await to.server.stop();
  await client.closed;
  assert.equal(client.rest, '');
  held.release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(to.log.errors, []);
});

test('a refused upload during the drain still gets its answer', async (t) => {
  const to = await serve(t, { drainMsMax: 5_000 });
  const held = holdScan(to);
  const inFlight = await to.open();
  inFlight.send(controlRequest(body));
  await until(() => to.scanner.inputs.length === 1);
  const late = await to.open();
  late.send('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n');
  await late.answer();
  const stopped = to.server.stop();
  const request = controlRequest(body, { 'x-api-key': 'no' });
  late.send(request.slice(0, -4));
  checkProblem(await late.answer(), 401, 'key-not-valid');
  late.send(request.slice(-4));
  assert.equal(await late.closed, undefined);
  held.release();
  checkAnswer(await inFlight.answer(), 200);
  await stopped;
});

test('a server that hands over lets idle connections send one more request', async (t) => {
  const to = await serve(t, { sharePort: true, graceMs: 60_000 });
  const [first, second] = [await to.open(), await to.open()];
  for (const client of [first, second]) {
    client.send(controlRequest(body));
    checkAnswer(await client.answer(), 200);
  }
  let isStopped = false;
  const stopped = to.server.stop().then(() => {
    isStopped = true;
  });
  for (const client of [first, second]) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(isStopped, false);
    client.send(controlRequest(body));
    const answer = await client.answer();
    checkAnswer(answer, 200);
    assert.equal(answer.headers.get('connection'), 'close');
    assert.equal(await client.closed, undefined);
  }
  await stopped;
});

test('a server that hands over waits for idle connections only so long', async (t) => {
  const to = await serve(t, { sharePort: true, graceMs: 50 });
  const idle = await to.open();
  idle.send(controlRequest(body));
  checkAnswer(await idle.answer(), 200);
  await to.server.stop();
  await idle.closed;
  assert.equal(idle.rest, '');
});

test('after the stop nothing keeps the process alive', async () => {
  const script = fileURLToPath(new URL('./start-and-stop.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.match(output, /^200 stopped\s*$/);
});
