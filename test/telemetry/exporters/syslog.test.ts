import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { createSyslog } from '../../../src/telemetry/exporters/syslog.ts';
import { syslogMessage } from '../../../src/telemetry/exporters/syslog-message.ts';
import { parseSyslogUrl } from '../../../src/telemetry/exporters/syslog-url.ts';
import { memoryLog } from '../../support/scan-input.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { storedEvent } from './event.ts';

const retryMs = { first: 20, last: 100 };
const sender = { hostname: 'gate', pid: 42, facility: 16 };

function open(t: TestContext, url: string) {
  const log = memoryLog();
  const syslog = createSyslog({ url, log, retryMs });
  t.after(() => syslog.close());
  return { syslog, log };
}

/** A receiver of octet-counted messages (RFC 6587, section 3.4.1). */
async function startStream(t: TestContext, listen: (server: Server) => void) {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const [head, length] = /^(\d{1,6}) /.exec(rest.toString('latin1', 0, 7)) ?? [];
        if (head === undefined) return;
        const end = head.length + Number(length);
        if (rest.length < end) return;
        messages.push(rest.subarray(head.length, end).toString());
        rest = rest.subarray(end);
      }
    });
  });
  listen(server);
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  t.after(stop);
  return { messages, server, stop };
}

const format =
  /^<(\d{1,3})>1 (\S+) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) \[(\S+)((?: [!#-<>-\\^-~]{1,32}="(?:[^"\\\]]|\\["\\\]])*")*)\] (.*)$/su;

/** Reads a message as RFC 5424 writes it. */
function parse(message: string) {
  const [, priority, at, hostname, app, pid, kind, dataId, data = '', text] =
    format.exec(message) ?? assert.fail(`not RFC 5424: ${message}`);
  const params = [...data.matchAll(/ ([^=]+)="((?:[^"\\\]]|\\["\\\]])*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replace(/\\(["\\\]])/g, '$1')] as const,
  );
  return {
    head: [priority, at, hostname, app, pid, kind, dataId],
    text,
    ...{ params: new Map(params) },
  };
}

test('a message has the format of RFC 5424', () => {
  const event = storedEvent({ method: 'POST', client: '192.0.2.7', traceId: 't-1' });
  const { head, text, params } = parse(syslogMessage(event, sender));
  const at = '2030-01-02T03:04:05.678Z';
  assert.deepEqual(head, ['132', at, 'gate', 'sallyport', '42', 'block', 'sallyport@32473']);
  assert.equal(text, 'blocked: SQL injection in /q');
  assert.deepEqual(Object.fromEntries(params), {
    id: event.id,
    requestId: 'r-1',
    traceId: 't-1',
    decision: 'block',
    category: 'sqli',
    rule: 'sqli.tautology',
    cwe: 'CWE-89',
    severity: 'critical',
    score: '92',
    threshold: '70',
    pointer: '/q',
    keyId: 'Abc12345',
    keyName: 'shop',
    policyId: 'default',
    method: 'POST',
    client: '192.0.2.7',
  });
  const monitored = parse(syslogMessage(storedEvent({ decision: 'would-block' }), sender));
  assert.deepEqual([monitored.head[0], monitored.head[5]], ['133', 'would-block']);
  assert.ok(!syslogMessage(event, sender).includes('or 1=1'), 'no value of the request');
  const bare = syslogMessage(storedEvent({ findings: [] }), { ...sender, hostname: 'ü ' });
  assert.match(bare, /^<132>1 \S+ - sallyport .* blocked: not screened completely$/);
});

test('nothing that a caller writes breaks out of its place', () => {
  const hostile = fc.string({ unit: 'binary', maxLength: 400 });
  const marks = fc.constantFrom('"', ']', '\\', '\n<1>1 - - - - - -', '\u0000', '\ud800', '"] x');
  const written = fc.array(fc.oneof(hostile, marks), { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(written, written, (pointer, client) => {
      const message = syslogMessage(storedEvent({ pointer, client, method: client }), sender);
      assert.doesNotMatch(message, /[\u0000-\u001f\u007f]/);
      const { params } = parse(message);
      assert.equal(params.size, 15);
      assert.equal(params.get('rule'), 'sqli.tautology');
      assert.ok(Buffer.byteLength(message) < 4_096);
    }),
  );
});

test('a value of more than 200 characters is cut, and says so', () => {
  const sentOf = (pointer: string) =>
    parse(syslogMessage(storedEvent({ pointer }), sender)).params.get('pointer');
  assert.equal(sentOf('x'.repeat(200)), 'x'.repeat(200));
  assert.equal(sentOf('x'.repeat(201)), `${'x'.repeat(200)}…`);
});

test('datagrams arrive one by one', async (t) => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(message.toString()));
  const { port } = socket.address();
  const { syslog } = open(t, `udp://127.0.0.1:${port}?facility=local4`);
  for (let i = 0; i < 3; i += 1) syslog.add(storedEvent());
  await until('they arrive', () => messages.length === 3);
  assert.equal(parse(messages[0] ?? '').head[0], '164');
  assert.deepEqual(syslog.stats(), { sent: 3, dropped: 0 });
});

test('a connection carries messages with their length, and comes back when it broke', async (t) => {
  const first = await startStream(t, (server) => server.listen(0, '127.0.0.1'));
  const { port } = first.server.address() as AddressInfo;
  const { syslog, log } = open(t, `tcp://127.0.0.1:${port}`);
  const odd = storedEvent({ pointer: '/日本"]\\' });
  syslog.add(odd);
  syslog.add(storedEvent());
  await until('they arrive', () => first.messages.length === 2);
  assert.equal(parse(first.messages[0] ?? '').params.get('pointer'), '/日本"]\\');
  first.stop();
  await until('the end is seen', () => !first.server.listening);
  const waiting = storedEvent();
  syslog.add(waiting);
  await until('it fails', () => log.lines.length === 1);
  const second = await startStream(t, (server) => server.listen(port, '127.0.0.1'));
  await until('it arrives at the next one', () => second.messages.length === 1);
  assert.equal(parse(second.messages[0] ?? '').params.get('id'), waiting.id);
  assert.match(log.lines.join('\n'), /^warn exporter fails.*\ninfo exporter works again/);
});

test('a Unix socket is a connection as well', async (t) => {
  const path = `${tempDir()}/s`;
  const { messages } = await startStream(t, (server) => server.listen(path));
  const { syslog } = open(t, `unix:${path}`);
  syslog.add(storedEvent());
  await until('it arrives', () => messages.length === 1);
});

test('a receiver whose certificate nobody vouches for is told nothing', async (t) => {
  const plain = await startStream(t, (server) => server.listen(0, '127.0.0.1'));
  const { port } = plain.server.address() as AddressInfo;
  const warnings = t.mock.method(process, 'emitWarning', () => undefined);
  const { syslog, log } = open(t, `tls://127.0.0.1:${port}`);
  syslog.add(storedEvent());
  await syslog.close();
  assert.deepEqual(syslog.stats(), { sent: 0, dropped: 1 });
  assert.match(log.lines[0] ?? '', /exporter fails/);
  assert.equal(warnings.mock.callCount(), 0);
});

test('addresses are read as they are written, and no others', () => {
  const local0 = { facility: 16 };
  assert.deepEqual(parseSyslogUrl('udp://h'), { kind: 'udp', ...local0, host: 'h', port: 514 });
  assert.deepEqual(parseSyslogUrl('tcp://[::1]'), {
    kind: 'tcp',
    ...local0,
    host: '::1',
    port: 601,
  });
  assert.deepEqual(parseSyslogUrl('tls://h:1'), { kind: 'tls', ...local0, host: 'h', port: 1 });
  assert.deepEqual(parseSyslogUrl('unix:/a%20b?facility=auth'), {
    kind: 'unix',
    facility: 4,
    path: '/a b',
  });
  for (const none of ['', 'h:514', 'http://h', 'udp://', 'unix:', 'udp://h?facility=kern']) {
    assert.equal(parseSyslogUrl(none), undefined, none);
  }
});
