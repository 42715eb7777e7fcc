import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Pages } from '../../src/contract/ports.ts';
import { loadPages } from '../../src/dashboard/pages.ts';
import { checkAnswer, exchange, serve, type TestServer } from '../http/test-server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { pageFolder } from './page-folder.ts';

const firstLoadBytesMax = 80_000;
const compressions = ['', 'gzip', 'br'] as const;

function serveBuild(t: TestContext): Promise<TestServer> {
  return serve(t, { pages: loadPages(pageFolder()) });
}

async function fetchPath(to: TestServer, path: string, encoding = ''): Promise<Response> {
  return fetch(`${to.server.address}${path}`, {
    headers: { 'accept-encoding': encoding === '' ? 'identity' : encoding },
    redirect: 'manual',
  });
}

/** The files that the page asks for before anything is on the screen. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(([, path]) => path ?? '');
}

function pageHtml(pages: Pages): string {
  return Buffer.from(pages.find('')?.plain ?? []).toString();
}

test('the page is answered for every place inside it, asked for anew, under a strict policy', async (t) => {
  const to = await serveBuild(t);
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/events/abc', '/dashboard?a=1']) {
    const answer = await fetchPath(to, path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    for (const name of ['x-content-type-options', 'referrer-policy', 'vary']) {
      assert.ok(answer.headers.has(name), name);
    }
    assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(await answer.text(), /<div id="app">/);
  }
});

test('the page has no script and no style of its own, and takes nothing from elsewhere', () => {
  const html = pageHtml(loadPages(pageFolder()));
  assert.doesNotMatch(html, /<style|style=|\son\w+=/i);
  assert.doesNotMatch(html, /<script(?![^>]* src=)/i);
  assert.doesNotMatch(html, /(?:src|href)="(?!\/dashboard\/)/);
});

test('files keep for ever and come compressed as the browser can take them', async (t) => {
  const to = await serveBuild(t);
  const files = filesOf(pageHtml(loadPages(pageFolder())));
  assert.ok(files.length >= 3, 'script, style and icon');
  for (const path of files) {
    const plain = Buffer.from(await (await fetchPath(to, path)).arrayBuffer());
    for (const encoding of compressions) {
      const request = `GET ${path} HTTP/1.1\r\nhost: a\r\naccept-encoding: ${encoding}\r\n\r\n`;
      const answer = await exchange(to, request);
      assert.equal(answer.headers.get('content-encoding') ?? '', encoding);
      assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
    }
    const pages = loadPages(pageFolder()).find(path.slice('/dashboard'.length));
    assert.deepEqual(gunzipSync(pages?.gzip ?? Buffer.alloc(0)), plain);
    assert.deepEqual(brotliDecompressSync(pages?.brotli ?? Buffer.alloc(0)), plain);
  }
});

test('the first load is at most 80 kB, compressed by either way', (t) => {
  const pages = loadPages(pageFolder());
  const files = filesOf(pageHtml(pages)).map((path) => path.slice('/dashboard'.length));
  for (const encoding of ['gzip', 'brotli'] as const) {
    const sizes = ['', ...files].map((path) => pages.find(path)?.[encoding]?.byteLength);
    assert.ok(!sizes.includes(undefined), 'every file is compressed');
    const sum = sizes.reduce((total: number, size) => total + (size ?? 0), 0);
    t.diagnostic(`first load: ${sum} bytes by ${encoding}`);
    assert.ok(sum <= firstLoadBytesMax, `${sum} bytes by ${encoding}`);
  }
});

test('what is not there is 404, and the bare address leads to the page', async (t) => {
  const to = await serveBuild(t);
  for (const path of [
    '/dashboard/assets/gone.js',
    '/dashboard/../../package.json',
    '/dashboardx',
  ]) {
    assert.equal((await fetchPath(to, path)).status, 404, path);
  }
  const home = await fetchPath(to, '/');
  assert.equal(home.status, 302);
  assert.equal(home.headers.get('location'), '/dashboard');
  assert.equal(home.headers.get('content-length'), '0', 'or clients wait for a body');
  const head = await exchange(to, 'HEAD /dashboard HTTP/1.1\r\nhost: a\r\n\r\n');
  assert.deepEqual([head.status, head.body], [200, '']);
  assert.ok(Number(head.headers.get('content-length')) > 0);
  const post = 'POST /dashboard HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n';
  checkAnswer(await exchange(to, post), 405);
});

test('a connection that closes while it sends still gets the whole page', async (t) => {
  const to = await serveBuild(t);
  const request =
    'GET /dashboard HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\n';
  const client = await to.open();
  client.send(request);
  const answer = await client.answer();
  client.send('{}');
  assert.equal(answer.body.trimEnd(), pageHtml(loadPages(pageFolder())).trimEnd());
});

test('without a build there is no page, and the rest works', async (t) => {
  const to = await serve(t, { pages: loadPages(`${tempDir()}/none`) });
  assert.equal((await fetchPath(to, '/dashboard')).status, 404);
  assert.equal((await fetchPath(to, '/livez')).status, 200);
});
