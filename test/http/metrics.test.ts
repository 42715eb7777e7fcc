import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { HttpServerOptions } from '../../src/http/uws-server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { connect } from './raw-client.ts';
import { checkProblem, exchange, serve } from './test-server.ts';

const source = { contentType: 'text/plain; version=0.0.4', text: async () => 'a_total 1\n' };
const token = 'a-token-for-tests';

function request(headers: Readonly<Record<string, string>> = {}, method = 'GET'): string {
  const all = Object.entries({ host: '127.0.0.1:9464', ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /metrics HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function serveMetrics(t: TestContext, options: Partial<HttpServerOptions> = {}) {
  return serve(t, { metrics: source, ...options });
}

test('this machine reads the metrics without a token', async (t) => {
  const to = await serveMetrics(t);
  for (const host of ['127.0.0.1:9464', 'localhost', '[::1]:80']) {
    const answer = await exchange(to, request({ host }));
    assert.equal(answer.status, 200, host);
    assert.equal(answer.body, 'a_total 1\n');
    assert.equal(answer.headers.get('content-type'), source.contentType);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
  const bare = await exchange(to, request({}, 'HEAD'));
  assert.deepEqual([bare.status, bare.headers.get('content-length')], [200, '10']);
});

test('a proxy on this machine, or a page under another name, does not', async (t) => {
  const to = await serveMetrics(t);
  const strangers = [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'rebound.example' },
    { host: '127.0.0.1.example' },
  ];
  for (const headers of strangers) {
    const answer = await exchange(to, request(headers));
    assert.match(checkProblem(answer, 401, 'metrics-not-allowed'), /metricsToken/);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  }
});

test('with a token the metrics are for who has it, and for nobody else', async (t) => {
  const to = await serveMetrics(t, { metricsToken: token });
  const bearers = [`Bearer ${token}`, `bearer  ${token}`];
  for (const authorization of bearers) {
    const headers = { authorization, host: 'sallyport.example', via: '1.1 proxy' };
    assert.equal((await exchange(to, request(headers))).status, 200, authorization);
  }
  for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const answer = await exchange(to, request({ authorization }));
    checkProblem(answer, 401, 'metrics-not-allowed');
  }
});

test('a Unix socket is guarded by its rights', async (t) => {
  const to = await serveMetrics(t, { socketPath: `${tempDir()}/s` });
  assert.equal((await exchange(to, request({ host: 'whatever' }))).status, 200);
});

test('on a port of its own there are metrics and health, and on the other none', async (t) => {
  const to = await serveMetrics(t, { metricsAt: { host: '127.0.0.1', port: 0 } });
  const { metricsAddress = '' } = to.server;
  checkProblem(await exchange(to, request()), 404, 'not-found');
  for (const [path, status] of Object.entries({
    '/metrics': 200,
    '/livez': 200,
    '/readyz': 200,
    '/control': 404,
  })) {
    const client = await connect(metricsAddress);
    client.send(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    assert.equal((await client.answer()).status, status, path);
    client.end();
  }
  await to.server.stop();
  await assert.rejects(connect(metricsAddress), { code: 'ECONNREFUSED' });
});

test('metrics that cannot be read are a defect that the log names', async (t) => {
  const text = () => Promise.reject(new Error('on purpose'));
  const to = await serveMetrics(t, { metrics: { ...source, text } });
  checkProblem(await exchange(to, request()), 500, 'internal-error');
  assert.match(String(to.log.errors[0]?.['err']), /on purpose/);
});

test('without a source there are no metrics', async (t) => {
  checkProblem(await exchange(await serve(t), request()), 404, 'not-found');
});
