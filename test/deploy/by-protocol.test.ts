import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { exchangeAll } from '../clients/exchange.ts';
import { conformanceRows, type Row } from '../clients/requests.ts';
import { serveForward } from '../http/forward/ask.ts';
import { splitRow } from './split-row.ts';

// Traefik and Envoy themselves are not here: these tests ask what they would ask, as their
// documentation and their configuration files in src/deploy/proxies say.

const read = (name: string): string =>
  readFileSync(new URL(`../../src/deploy/proxies/${name}`, import.meta.url), 'utf8');

type Header = readonly [name: string, value: string];

function question(line: string, headers: readonly Header[], body: Buffer): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${line}\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

const hopByHop = new Set([
  ...['connection', 'keep-alive', 'te', 'trailers', 'transfer-encoding', 'upgrade'],
  'content-length',
]);

/** A GET of the address with all headers of the client, its own five, and the body. */
function asTraefik(row: Row): Row {
  const { method, target, headers, body } = splitRow(row);
  const own: readonly Header[] = [
    ['Host', '127.0.0.1:8080'],
    ['X-Api-Key', 'good-key'],
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Method', method],
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-Host', headers.find(([name]) => name === 'host')?.[1] ?? ''],
    ['X-Forwarded-Uri', target],
    ...(body.length === 0 ? [] : [['Content-Length', String(body.length)] as const]),
  ];
  const theirs = headers.filter(([name]) => name !== 'host' && !hopByHop.has(name));
  const bytes = question('GET /forward HTTP/1.1', [...own, ...theirs], body);
  return { ...row, method: 'GET', bytes };
}

const envoyFile = read('envoy.yaml');
const partialBytes = Number(/max_request_bytes: (\d+)/.exec(envoyFile)?.[1]);

/** The method as it is, the path behind the prefix, the headers that the file allows, the body. */
function asEnvoy(row: Row): Row {
  const { method, target, headers, body } = splitRow(row);
  const isPartial = body.length > partialBytes;
  const part = body.subarray(0, partialBytes);
  const theirs = headers.filter(([name]) => !hopByHop.has(name));
  const own: readonly Header[] = [
    ['content-length', String(part.length)],
    ['x-envoy-auth-partial-body', String(isPartial)],
    ['x-envoy-internal', 'true'],
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-proto', 'http'],
    ['x-api-key', 'good-key'],
  ];
  const bytes = question(`${method} /forward${target} HTTP/1.1`, [...theirs, ...own], part);
  return { ...row, bytes };
}

test('the file for Envoy hands every header on', () => {
  const patterns = /allowed_headers:\s+patterns:\s+- (.*)\n/.exec(envoyFile)?.[1];
  assert.equal(patterns, 'safe_regex: { regex: ".+" }');
});

test('the file for Traefik keeps the key from the application, and trusts no client', () => {
  const file = read('traefik.yml');
  assert.match(file, /middlewares: \[sallyport-key, sallyport, sallyport-key-off\]/);
  assert.match(file, /sallyport-key-off:[\s\S]*X-Api-Key: ""/);
  assert.match(file, /trustForwardHeader: false/);
  assert.match(file, /forwardBody: true/);
});

for (const [name, ask] of Object.entries({ Traefik: asTraefik, Envoy: asEnvoy })) {
  test(`what ${name} asks is screened whole`, async (t) => {
    const { server, blocks } = await serveForward(t, { scanner: createInlineScanner() });
    const rows = conformanceRows();
    const answers = await exchangeAll(server.address, rows.map(ask));
    for (const [index, row] of rows.entries()) {
      const expected = row.pointer === undefined ? 200 : 403;
      assert.equal(answers[index]?.status, expected, row.name);
    }
    assert.equal(blocks.length, rows.filter(({ pointer }) => pointer !== undefined).length);
    for (const { body } of blocks) {
      const members = JSON.parse(Buffer.from(body).toString());
      assert.equal(members['header.host'], 'app.test');
      assert.equal(members['header.x-forwarded-for'], '203.0.113.9');
    }
  });
}
