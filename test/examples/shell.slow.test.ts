import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { httpAnswer } from '../clients/false-sallyport.ts';
import { startApi } from '../http/api/api-server.ts';
import { collect } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { until } from '../support/until.ts';
import { folder } from './app.ts';
import { StandIn } from './stand-in.ts';

type Environment = Readonly<Record<string, string>>;

/** Runs the script with a body, as a CGI program would. */
async function screen(body: string, environment: Environment) {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn('bash', ['shell/screen.sh'], { cwd: folder, env });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  const [code] = await once(child, 'close');
  return { code, out: out(), err: err() };
}

test('the example for the shell', async (t) => {
  if (!requireTool(t, 'bash') || !requireTool(t, 'curl')) return;
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  await until('the key is known', async () => (await api.screen(secret, {})).status === 200);
  const patiently = {
    SALLYPORT_URL: api.origin,
    SALLYPORT_KEY: secret,
    SALLYPORT_TIMEOUT_MS: '30000',
  };
  const quiet = { code: 0, out: '', err: '' };

  await t.test('lets honest data through, silently', async () => {
    assert.deepEqual(await screen('{"text":"it\'s 5 o\'clock"}', patiently), quiet);
  });
  await t.test('says why data are refused', async () => {
    const refused = await screen('{"text":"<svg onload=alert(1)>"}', patiently);
    assert.equal(refused.code, 1, refused.err);
    assert.match(refused.err, /blocked: .*"detail":"Cross-site scripting in \/text","id":"[\w-]+"/);
  });
  await t.test('hands on what CGI knows of the request', async () => {
    const cgi = { REQUEST_METHOD: 'POST', HTTP_HOST: 'shop.example', REQUEST_URI: '/pay' };
    const own = { ...patiently, ...cgi, HTTP_ORIGIN: 'https://shop.example' };
    assert.deepEqual(await screen('{"amount":100}', own), quiet);
    const forged = await screen('{}', { ...own, HTTP_ORIGIN: 'https://mallory.example' });
    assert.equal(forged.code, 1);
    assert.match(forged.err, /Cross-site request forgery/);
  });
  await t.test('a body that cannot be screened is not taken for a harmless one', async () => {
    const broken = await screen('{', { ...patiently, SALLYPORT_ON_OUTAGE: 'block' });
    assert.equal(broken.code, 1);
    assert.match(broken.err, /not screened: answer 400: .*Body is not JSON/);
  });
  await t.test('an outage lets through or not, as it is told', async () => {
    const { SALLYPORT_TIMEOUT_MS: _patience, ...hastily } = patiently;
    await api.running.stop();
    const standIn = await StandIn.on(t);
    const silent = { ...hastily, SALLYPORT_URL: standIn.origin };
    for (const settings of [hastily, silent]) {
      const open = await screen('{}', settings);
      assert.equal(open.code, 0);
      assert.match(open.err, /not screened: curl: /);
      const strict = await screen('{}', { ...settings, SALLYPORT_ON_OUTAGE: 'block' });
      assert.equal(strict.code, 1);
    }
    standIn.answer = (socket) => void socket.end(httpAnswer(200, '<h1>Welcome</h1>', 'text/html'));
    assert.match((await screen('{}', silent)).err, /not screened/);
  });
  await t.test('without a key it says what to do', async () => {
    const { err, code } = await screen('{}', { SALLYPORT_URL: api.origin });
    assert.notEqual(code, 0);
    assert.match(err, /SALLYPORT_KEY.*sallyport keys create/);
  });
});
