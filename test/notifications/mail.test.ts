import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Target } from '../../src/contract/notification.ts';
import { noticeOf } from '../../src/notifications/notice.ts';
import { createSender } from '../../src/notifications/send.ts';
import { makeCertificate } from '../support/certificate.ts';
import { tempDir } from '../support/temp-dir.ts';
import { channelOf, tallyOf } from './fixture.ts';

const evil = 'x\r\n.\r\nBcc: all@evil.example\r\n\r\n<a href="https://evil.example">';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  readonly text: string;
}

/** A real mail server that refuses mails to `unknown@…` and takes all others; gone after the test. */
async function startMailServer(t: TestContext, options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'gate' && password === 'hush') done(null, { user: username });
      else done(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      const known = !address.startsWith('unknown');
      done(known ? null : Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
    },
    async onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      mails.push({ from, to, isEncrypted: secure, text: Buffer.concat(chunks).toString() });
      done();
    },
    ...options,
  });
  // Clients that do not trust a certificate hang up.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mails, port: (server.server.address() as AddressInfo).port };
}

const send = createSender({ version: '1.2.3', isPlainAllowed: false });

function sendTo(port: number, target: Target) {
  const tally = tallyOf(Date.parse('2026-03-10T12:00:00Z'), { client: evil });
  const sample = { ...tally.sample, evidence: evil, path: evil };
  const to = ['team@shop.example', 'night@shop.example'];
  const channel = channelOf({
    kind: 'email',
    target: { host: '127.0.0.1', port, security: 'none', from: 'gate@shop.example', to, ...target },
  });
  const notice = noticeOf({
    channel,
    kind: 'alert',
    tallies: [{ ...tally, sample }],
    reached: [],
    publicUrl: 'https://gate.example',
  });
  return send(channel, notice);
}

test('a mail arrives at each address, as plain text that an attacker cannot leave', async (t) => {
  const { mails, port } = await startMailServer(t);
  const sending = await sendTo(port, { user: 'gate', password: 'hush' });
  assert.equal(sending.kind, 'sent', sending.answer);
  assert.match(sending.answer, /^250 /);
  const [mail] = mails;
  assert.ok(mail);
  assert.deepEqual(
    [mail.from, mail.to],
    ['gate@shop.example', ['team@shop.example', 'night@shop.example']],
  );
  const end = mail.text.indexOf('\r\n\r\n');
  const [head, body] = [mail.text.slice(0, end), mail.text.slice(end)];
  assert.match(head, /^Subject: Sallyport: 1 request blocked \(high\)$/m);
  assert.match(head, /^Auto-Submitted: auto-generated$/m);
  assert.match(head, /^Content-Type: text\/plain; charset=utf-8$/m);
  assert.doesNotMatch(head, /Bcc|evil/i);
  const decoded = body.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  assert.match(decoded, /^Open the events: https:\/\/gate\.example\/dashboard\/events\?/m);
  assert.doesNotMatch(decoded, /^Bcc|(?<!\])\/\/evil|evil\.example"/m);
});

test('the answer of the server is shown, and a refusal is not tried again', async (t) => {
  const { mails, port } = await startMailServer(t);
  const unknown = await sendTo(port, { to: ['unknown@shop.example'] });
  assert.deepEqual(unknown, { kind: 'refused', answer: '550 No such mailbox' });
  const some = await sendTo(port, { to: ['unknown@shop.example', 'team@shop.example'] });
  assert.equal(some.kind, 'sent');
  assert.match(some.answer, /; not for 1 of 2$/);
  assert.equal(mails.length, 1);
  const wrong = await sendTo(port, { user: 'gate', password: 'guessed' });
  assert.deepEqual(wrong, { kind: 'refused', answer: '535 Wrong user or password' });
  const gone = await sendTo(1, {});
  assert.deepEqual(gone, { kind: 'failed', answer: 'the connection was refused' });
  for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0']) {
    assert.equal((await sendTo(port, { host })).kind, 'refused', host);
  }
});

test('the certificate must be for the name of the server, and known', async (t) => {
  const { certFile, keyFile } = makeCertificate(tempDir());
  const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
  const starting = await startMailServer(t, { cert, key });
  const secure = await startMailServer(t, { cert, key, secure: true });
  const bare = await startMailServer(t, { hideSTARTTLS: true });
  const ways = [
    { port: starting.port, security: 'starttls', host: 'localhost' },
    { port: secure.port, security: 'tls', host: 'localhost' },
  ] as const;
  for (const { port, ...target } of ways) {
    const { kind, answer } = await sendTo(port, target);
    assert.equal(kind, 'failed');
    assert.match(answer, /certificate/i);
  }
  const unencrypted = await sendTo(bare.port, { security: 'starttls', host: 'localhost' });
  assert.deepEqual([unencrypted.kind, bare.mails.length], ['failed', 0]);
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, cert.toString()]);
  t.after(() => setDefaultCACertificates(known));
  for (const { port, ...target } of ways) {
    assert.equal((await sendTo(port, target)).kind, 'sent', target.security);
  }
  assert.ok([...starting.mails, ...secure.mails].every(({ isEncrypted }) => isEncrypted));
  const elsewhere = await sendTo(secure.port, { security: 'tls', host: '127.0.0.1' });
  assert.equal(elsewhere.kind, 'failed', 'the certificate is not for the address');
});
