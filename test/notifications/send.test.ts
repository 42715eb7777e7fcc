import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls';
import type { Channel } from '../../src/contract/notification.ts';
import { noticeOf } from '../../src/notifications/notice.ts';
import { createSender } from '../../src/notifications/send.ts';
import {
  checkedAddress,
  isLocalHost,
  refusedLiteral,
} from '../../src/telemetry/exporters/outgoing-address.ts';
import { makeCertificate } from '../support/certificate.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../telemetry/exporters/receiver.ts';
import { channelOf, tallyOf } from './fixture.ts';

const send = createSender({ version: '1.2.3', isPlainAllowed: false });

function sendTo(parts: Partial<Channel>) {
  const channel = channelOf(parts);
  const tallies = [tallyOf(Date.parse('2026-03-10T12:00:00Z'), { client: 'x" evil="1]' })];
  const kind = 'alert';
  return send(channel, noticeOf({ channel, kind, tallies, reached: [], publicUrl: undefined }));
}

test('a syslog receiver gets one message of RFC 5424', async (t) => {
  let got = '';
  const server = createServer((socket) =>
    socket.setEncoding('utf8').on('data', (data) => {
      got += data;
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `tcp://127.0.0.1:${port}?facility=local4`;
  const ended = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  assert.deepEqual(await sendTo({ kind: 'syslog', target: { url } }), {
    kind: 'sent',
    answer: 'written',
  });
  await ended;
  assert.match(
    got,
    /^\d+ <164>1 2026-03-10T12:00:00\.000Z \S+ sallyport \d+ notification \[sallyport@32473 id="/,
  );
  assert.match(got, / client="x\\" evil=\\"1\\\]" rule="sqli\.union" policy="Shop"\] Sallyport: 1/);
});

test('syslog over TLS goes to the address that was checked, with a certificate of the name', async (t) => {
  const { certFile, keyFile } = makeCertificate(tempDir());
  const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
  const names: unknown[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    names.push(socket.servername);
    socket.resume();
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const target = { url: `tls://localhost:${port}` };
  assert.match((await sendTo({ kind: 'syslog', target })).answer, /certificate/i);
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, cert.toString()]);
  t.after(() => setDefaultCACertificates(known));
  assert.equal((await sendTo({ kind: 'syslog', target })).kind, 'sent');
  await until('the receiver has it', () => names.length > 0);
  assert.deepEqual(names, ['localhost']);
  const elsewhere = { url: `tls://127.0.0.1:${port}` };
  assert.equal((await sendTo({ kind: 'syslog', target: elsewhere })).kind, 'failed');
  const socket = { url: 'unix:/dev/log' };
  assert.equal((await sendTo({ kind: 'syslog', target: socket })).kind, 'refused');
});

test('a redirect is not followed, and a long answer is cut', async (t) => {
  const other = await startReceiver(t);
  const headers = { location: other.url };
  const receiver = await startReceiver(t, (nth) =>
    nth === 1 ? { status: 307, headers } : { status: 200, text: `\u0007${'x'.repeat(100_000)}` },
  );
  const target = { url: receiver.url.replace('127.0.0.1', 'localhost') };
  assert.deepEqual(await sendTo({ target }), { kind: 'refused', answer: 'answered 307' });
  assert.equal(other.received.length, 0);
  const { kind, answer } = await sendTo({ target });
  assert.equal(kind, 'sent');
  assert.ok(answer.startsWith('accepted: \\u{7}xxx') && answer.length < 300, answer);
});

test('addresses of the link, of many and of clouds are refused, by any spelling', async () => {
  for (const host of [
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[::ffff:169.254.169.254]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    // NAT64: the well-known prefix, and those within a network of 96, 64, 56 and 48 bits.
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::169.254.169.254]',
    '[64:ff9b:1:0:a9:fea9:fe00:0]',
    '[64:ff9b:1:a9:fe:a9fe::]',
    '[64:ff9b:1:a9fe:a9:fe00::]',
    // 6to4, Teredo, ISATAP, IPv4-compatible and IPv4-translated.
    '[2002:a9fe:a9fe::1]',
    '[2001:0:a9fe:a9fe::1]',
    '[2001:0:cb00:7109::5601:5601]',
    '[2001:db8::5efe:169.254.169.254]',
    '[::169.254.169.254]',
    '[::ffff:0:169.254.169.254]',
  ]) {
    assert.ok(refusedLiteral(host, true), host);
    await assert.rejects(checkedAddress(host, true), /^AddressError: Nothing is sent to/, host);
  }
  for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', '192.168.1.1', '203.0.113.9']) {
    assert.equal(refusedLiteral(host, false), undefined, host);
  }
  for (const host of [
    '[64:ff9b::203.0.113.9]',
    '[64:ff9b:1::203.0.113.9]',
    '[64:ff9b:1:cb00:71:900::]',
    '[2002:cb00:7109::1]',
    '[2001:db8::a9fe:a9fe]',
  ]) {
    assert.equal(refusedLiteral(host, false), undefined, `${host} leads to none of these`);
  }
  // The machine itself behind a gateway is no receiver that a user named as such.
  for (const host of ['[64:ff9b::7f00:1]', '[2002:7f00:1::1]', '[::127.0.0.1]']) {
    assert.equal(isLocalHost(host), false, host);
    assert.match(refusedLiteral(host, false) ?? '', /of this machine only/, host);
  }
  assert.equal(await checkedAddress('127.0.0.1', false), '127.0.0.1');
  assert.match(await checkedAddress('localhost', false), /^(?:127\.0\.0\.1|::1)$/);
  // These are names to us and this machine to the resolver, as a name of an attacker could be.
  for (const host of ['127.1', '0x7f.0.0.1', '2130706433']) {
    assert.equal(isLocalHost(host), false);
    await assert.rejects(checkedAddress(host, false), /of this machine only/, host);
    assert.equal(await checkedAddress(host, true), '127.0.0.1');
  }
  await assert.rejects(checkedAddress('169.254.43518', true), /reserved/);
});
