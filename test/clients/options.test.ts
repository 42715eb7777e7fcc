import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { createClient } from '../../src/clients/client.ts';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardOptions } from '../../src/clients/guard.ts';
import { sallyport as forKoa } from '../../src/clients/koa.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import { createScreener } from '../../src/screener.ts';
import { connect } from '../http/raw-client.ts';
import { frameworks, reachedHeader } from './apps.ts';
import { deadAddress } from './false-sallyport.ts';

const target = { url: deadAddress, key: 'sp_live_any' };

test('an option that nobody reads is refused, and the nearest one named', async (t) => {
  const misspelt: object = { onOutge: 'block' };
  const options = { ...target, ...misspelt };
  const near = /no option onOutge: did you mean onOutage\?/;
  assert.throws(() => forExpress(options), near);
  assert.throws(() => forKoa(options), near);
  assert.throws(() => forNodeHttp(options, () => undefined), near);
  await assert.rejects(async () => {
    const app = fastify();
    t.after(() => app.close());
    await app.register(forFastify, options);
  }, near);
  const client: object = { timeoutMS: 5 };
  assert.throws(() => createClient({ ...target, ...client }), /did you mean timeoutMs\?/);
  const screener: object = { thread: 2 };
  assert.throws(() => createScreener(screener), /did you mean threads\?/);
  const strange: object = { zzzzzzzz: 1 };
  assert.throws(() => forExpress({ ...target, ...strange }), /its options are onOutage, /);
});

test('Fastify keeps the options that are its own', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  app.register(forFastify, { ...target, prefix: '/a', logLevel: 'warn' });
  await app.ready();
});

/** Whether requests reach the handler, by their targets. */
async function reached(
  t: TestContext,
  name: string,
  options: GuardOptions,
  targets: readonly string[],
): Promise<readonly boolean[]> {
  const app = await frameworks[name]?.(options);
  assert.ok(app !== undefined);
  t.after(() => app.close());
  const client = await connect(app.address);
  t.after(() => client.end());
  const found: boolean[] = [];
  for (const one of targets) {
    client.send(`GET ${one} HTTP/1.1\r\nhost: x\r\n\r\n`);
    found.push((await client.answer()).headers.has(reachedHeader));
  }
  return found;
}

test('one comparison with `path` meets all spellings of a path', async (t) => {
  const options: GuardOptions = {
    ...target,
    inlineOnOutage: false,
    onError: () => undefined,
    onOutage: ({ path }) => (path.toLowerCase() === '/pay' ? 'block' : 'allow'),
  };
  const spellings = [
    ...['/pay', '/PAY', '/pay/', '/pay?a=/b', 'http://x/pay', 'HTTP://x:80/Pay?a', '//pay'],
    ...[
      '/x/../pay',
      '/x/%2e%2E/pay',
      '/./pay',
      '/%70ay',
      '/%50%61%59',
      '/a/../../pay',
      '/x/..//pay',
    ],
  ];
  const others = ['/', '/payment', '/x?next=/pay', '/x/pay', '/pay/../x', '/pay/%2e%2e/x', '/%ff'];
  for (const name of ['node:http', 'Express 5', 'Koa 3', 'Fastify 5']) {
    const seen = await reached(t, name, options, spellings);
    assert.deepEqual(
      spellings.filter((_, index) => seen[index]),
      [],
      name,
    );
  }
  const seen = await reached(t, 'node:http', options, others);
  assert.deepEqual(
    others.filter((_, index) => !seen[index]),
    [],
  );
});

test('skip is not asked where routers may differ about the path', async (t) => {
  const options: GuardOptions = {
    screener: createScreener(),
    skip: ({ path }) => path.startsWith('/static/'),
  };
  const attack = "?q='%20OR%201=1%20--";
  const targets = [
    '/pay/../static/a',
    '/pay/..%2fstatic/a',
    '/pay/%2e%2e/static/a',
    '//x/static/a',
  ];
  const seen = await reached(t, 'node:http', options, [
    `/static/a${attack}`,
    ...targets.map((one) => one + attack),
  ]);
  assert.deepEqual(seen, [true, ...targets.map(() => false)]);
});
