import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScanOutcome } from '../../src/contract/ports.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { controlRequest, finding, serve, verdict } from './test-server.ts';

const connections = 20;
const requests = 500;
const growthMax = 50 * 1024 * 1024;

/** Resident memory of a process, in bytes. */
function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

async function flood(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The server may end the connection in the middle of the flood.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(request.repeat(requests));
  return socket;
}

function ask(port: number, path: string, agent: string): Promise<Socket> {
  return flood(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nuser-agent: ${agent}\r\n\r\n`);
}

for (const path of ['/openapi.json', '/dashboard', '/nothing', '/livez', '/api/nothing']) {
  test(`answers of ${path} that nobody reads take no memory`, async (t) => {
    const served = await startServing(t, tempDir(), ['serve']);
    const { port } = new URL(served.address);
    const pid = served.child.pid ?? 0;
    const before = residentBytes(pid);
    const sockets = await Promise.all(
      Array.from({ length: connections }, (_, n) => ask(Number(port), path, `flood ${n}`)),
    );
    let highest = before;
    for (let look = 0; look < 10; look += 1) {
      const answer = await fetch(`${served.address}/livez`);
      assert.equal(answer.status, 200);
      highest = Math.max(highest, residentBytes(pid));
      await delay(50);
    }
    for (const socket of sockets) socket.destroy();
    const grown = `${Math.round((highest - before) / 1024 / 1024)} MiB more`;
    t.diagnostic(grown);
    assert.ok(highest - before <= growthMax, grown);
  });
}

for (const line of ['HEAD /livez', 'OPTIONS /livez', 'GET /', 'HEAD /openapi.json']) {
  test(`a flood of ${line} ends its connections, since such an answer cannot wait`, async (t) => {
    const to = await serve(t);
    const { port } = new URL(to.server.address);
    const request = `${line} HTTP/1.1\r\nhost: a\r\n\r\n`;
    const sockets = await Promise.all(
      Array.from({ length: connections }, () => flood(Number(port), request)),
    );
    let answers = 0;
    const ended = sockets.map(async (socket) => {
      socket.on('data', (data) => {
        answers += data.toString('latin1').split('HTTP/1.1 ').length - 1;
      });
      socket.resume();
      await once(socket, 'close');
    });
    await Promise.race([Promise.all(ended), delay(20_000, undefined, { ref: false })]);
    assert.ok(
      sockets.every(({ destroyed }) => destroyed),
      'connections stay open',
    );
    assert.ok(answers < (connections * requests) / 2, `${answers} answers`);
    const client = await to.open();
    client.send(request);
    assert.ok((await client.answer({ headOnly: true })).status < 400);
  });
}

for (const [name, outcome] of [
  ['short', block(1, 300)],
  ['long', block(16, 400)],
] as const) {
  test(`unread ${name} answers to screened requests take no memory`, async (t) => {
    const to = await serve(t);
    const client = await to.open();
    client.socket.pause();
    let isOver = false;
    to.scanner.scanAs = () => outcome;
    // The next request comes when the answer to the last one has been written.
    const request = controlRequest('{"a":"b"}');
    for (let sent = 1; sent <= 60_000 && !isOver; sent += 1) {
      client.send(request);
      for (let turn = 0; to.scanner.inputs.length < sent && !isOver; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        isOver = turn > 2_000;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(isOver, 'the server goes on');
  });
}

function block(count: number, messageChars: number): ScanOutcome {
  const message = 'm'.repeat(messageChars);
  const findings = Array.from({ length: count }, () => ({ ...finding, message }));
  return {
    kind: 'verdict',
    verdict: verdict({ decision: 'block', score: 92, findings }),
  };
}

test('a document comes whole to a reader that is slow, and compressed to one that asks', async (t) => {
  const served = await startServing(t, tempDir(), ['serve']);
  const url = `${served.address}/openapi.json`;
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const text = await plain.text();
  assert.equal(JSON.parse(text).openapi, '3.1.0');

  // Asks three times, one after the other, and does not read at first.
  const socket = connect(Number(new URL(served.address).port), '127.0.0.1');
  socket.pause();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  for (let times = 1; times <= 3; times += 1) {
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n');
    socket.pause();
    await delay(100);
    socket.resume();
    await until('all of the document has come', () => {
      assert.equal(socket.destroyed, false);
      return Buffer.concat(chunks).toString().split(text).length > times;
    });
  }
  socket.destroy();

  const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.equal(await packed.text(), text);
  assert.notEqual(packed.headers.get('etag'), plain.headers.get('etag'));
});

test('a client that has a document already is told so', async (t) => {
  const served = await startServing(t, tempDir(), ['serve']);
  for (const path of ['/openapi.json', '/dashboard']) {
    const first = await fetch(served.address + path);
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    assert.match(etag, /^"[\w-]{22}-(?:br|gzip)"$/, path);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(served.address + path, { headers: { 'if-none-match': tag } });
      assert.equal(again.status, 304, tag);
      assert.equal(again.headers.get('etag'), etag);
      assert.equal(await again.text(), '');
    }
    const changed = await fetch(served.address + path, { headers: { 'if-none-match': '"old"' } });
    assert.equal(changed.status, 200);
    await changed.text();
  }
});
