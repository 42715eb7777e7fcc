import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { type TestContext, test } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { Block, GuardOptions, Outage } from '../../src/clients/guard.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import type { Screener } from '../../src/clients/outcome.ts';
import { createScreener } from '../../src/screener.ts';
import { connect, type RawClient } from '../http/raw-client.ts';
import { until } from '../support/until.ts';
import { type App, type BuildApp, frameworks, reachedHeader, served } from './apps.ts';

const screener = createScreener();
const head = (method: string, target: string, headers: string) =>
  `${method} ${target} HTTP/1.1\r\nhost: app.test\r\n${headers}\r\n`;
const get = (target: string, headers = '') => head('GET', target, headers);
const attackTarget = "/echo?q='%20OR%201=1%20--";

async function start(t: TestContext, build: BuildApp, options: GuardOptions): Promise<App> {
  const app = await build(options);
  t.after(() => app.close());
  return app;
}

async function open(t: TestContext, address: string): Promise<RawClient> {
  const client = await connect(address);
  t.after(() => client.end());
  return client;
}

test('hooks are told, and their faults change nothing', async (t) => {
  const blocks: Block[] = [];
  const outages: Outage[] = [];
  const app = await start(t, frameworks['Express 5'] as BuildApp, {
    screener,
    skip: ({ url }) => {
      if (url.includes('skip')) return true;
      throw new Error('a fault of skip');
    },
    onBlock: (block, { method, address }) => {
      assert.equal(method, 'GET');
      assert.match(address, /127\.0\.0\.1$/);
      blocks.push(block);
      throw new Error('a fault of onBlock');
    },
  });
  const client = await open(t, app.address);
  client.send(get(attackTarget, 'accept: application/json\r\n'));
  const refused = await client.answer();
  assert.equal(refused.status, 403);
  const page: unknown = JSON.parse(refused.body);
  assert.deepEqual(Object.keys(page as object), ['type', 'title', 'status', 'detail', 'id']);
  assert.doesNotMatch(refused.body, /sql|rule|query/i);
  assert.equal(blocks.length, 1);
  assert.equal(blocks[0]?.enforced, true);
  assert.equal(blocks[0]?.id, refused.headers.get('x-decision-id'));
  assert.equal(refused.headers.get('cache-control'), 'no-store');

  client.send(get(`${attackTarget}&skip`));
  assert.equal((await client.answer()).status, 200);

  const strict = await start(t, frameworks['node:http'] as BuildApp, {
    screener,
    onError: async (outage) => {
      outages.push(outage);
      throw new Error('a fault of onError');
    },
    onIncomplete: () => {
      throw new Error('a fault of onIncomplete');
    },
  });
  const other = await open(t, strict.address);
  const coding = 'content-type: application/json\r\ncontent-encoding: zstd\r\n';
  other.send(`${head('POST', '/echo', `${coding}content-length: 2\r\n`)}{}`);
  const unseen = await other.answer();
  assert.equal(unseen.status, 415, 'a choice that fails is a block');
  assert.equal(outages[0]?.code, 'incomplete');
  assert.equal(outages[0]?.omission, 'coding');
  assert.equal(outages[0]?.id, unseen.headers.get('x-decision-id'));
});

test('in monitor mode everything passes and is told', async (t) => {
  for (const [name, options] of Object.entries({
    'of the middleware': { screener, monitor: true },
    'of the policy': { screener: createScreener({ policy: { mode: 'monitor' } }) },
  })) {
    await t.test(name, async (t) => {
      const blocks: Block[] = [];
      const onBlock = (block: Block) => void blocks.push(block);
      const app = await start(t, frameworks['Koa 3'] as BuildApp, { ...options, onBlock });
      const client = await open(t, app.address);
      client.send(get(attackTarget));
      const answer = await client.answer();
      assert.equal(answer.status, 200);
      assert.ok(answer.headers.has(reachedHeader));
      assert.equal(blocks.length, 1);
      assert.equal(blocks[0]?.enforced, false);
      assert.equal(blocks[0]?.findings[0]?.category, 'sqli');
    });
  }
});

const long = 'x'.repeat(3_000_000);

test('a body beyond the bound is streamed on, or refused, and the connection lives on', async (t) => {
  const readers = ['node:http', 'Koa 3, without a body parser', 'Hono'];
  for (const name of readers) {
    for (const choice of ['allow', 'block'] as const) {
      await t.test(`${name}: ${choice}`, async (t) => {
        const outages: Outage[] = [];
        const app = await start(t, frameworks[name] as BuildApp, {
          screener,
          onIncomplete: choice,
          onError: (outage) => void outages.push(outage),
        });
        const client = await open(t, app.address);
        client.send(head('POST', '/echo', `content-length: ${long.length}\r\n`) + long);
        const answer = await client.answer();
        assert.deepEqual(
          outages.map(({ code }) => code),
          ['incomplete'],
        );
        if (choice === 'allow') {
          assert.equal(answer.status, 200);
          assert.equal(JSON.parse(answer.body).body, long);
        } else {
          assert.equal(answer.status, 413);
        }
        // Hono closes the connection where a body is left unread.
        const next = name === 'Hono' ? await open(t, app.address) : client;
        next.send(get('/echo'));
        assert.equal((await next.answer()).status, 200);
      });
    }
  }
});

test('a body as long as the bound is screened whole, and one byte more is not', async (t) => {
  for (const name of ['node:http', 'Koa 3, without a body parser', 'Hono']) {
    const body = 'x'.repeat(2_000);
    for (const [bodyBytesMax, status] of [
      [body.length, 200],
      [body.length - 1, 413],
    ] as const) {
      const app = await start(t, frameworks[name] as BuildApp, { screener, bodyBytesMax });
      const client = await open(t, app.address);
      client.send(head('POST', '/echo', `content-length: ${body.length}\r\n`) + body);
      assert.equal((await client.answer()).status, status, `${name}: ${bodyBytesMax}`);
    }
  }
});

test('what nobody reads of a long body does not hold up the connection', async (t) => {
  const options = { screener, onIncomplete: 'allow' } as const;
  const app = await served(forNodeHttp(options, (_req, res) => res.end('unread')));
  t.after(() => app.close());
  const client = await open(t, app.address);
  for (let i = 0; i < 3; i += 1) {
    client.send(head('POST', '/', `content-length: ${long.length}\r\n`) + long);
    assert.equal((await client.answer()).body, 'unread');
  }
});

test('a body that comes byte by byte is screened whole', async (t) => {
  const body = `{"q":"' OR 1=1 --"}`;
  for (const name of ['node:http', 'Express 5, before the body parsers', 'Hono']) {
    const app = await start(t, frameworks[name] as BuildApp, { screener });
    const client = await open(t, app.address);
    const type = 'content-type: application/json\r\n';
    client.send(head('POST', '/echo', `${type}content-length: ${body.length}\r\n`));
    for (const byte of body) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await client.answer()).status, 403, name);
    assert.equal(app.reached(), 0);
  }
});

test('a client that goes in the middle of the body does not get past the guard', async (t) => {
  for (const [name, build] of Object.entries(frameworks)) {
    await t.test(name, async (t) => {
      const { screener: seen, asked } = counting();
      const app = await start(t, build, { screener: seen });
      const client = await open(t, app.address);
      client.send(`${head('POST', attackTarget, 'content-length: 100\r\n')}part`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      client.end();
      await client.closed;
      // The application answers somebody else as before.
      const other = await open(t, app.address);
      other.send(get('/echo'));
      assert.equal((await other.answer()).status, 200);
      await until('all questions are answered', () => asked.open === 0);
      assert.equal(app.reached(), 1);
    });
  }
});

function counting(): { screener: Screener; asked: { open: number } } {
  const asked = { open: 0 };
  const screen: Screener['screen'] = async (data) => {
    asked.open += 1;
    try {
      return await screener.screen(data);
    } finally {
      asked.open -= 1;
    }
  };
  return { asked, screener: { screen, close: () => Promise.resolve() } };
}

test('the hook of Fastify holds for routes that were declared before it', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  app.get('/before', async () => 'reached');
  app.register(async (child) => {
    child.get('/child', async () => 'reached');
  });
  app.register(forFastify, { screener });
  app.get('/after', async () => 'reached');
  for (const path of ['/before', '/child', '/after']) {
    const query = "?q='%20OR%201=1%20--";
    assert.equal((await app.inject(`${path}${query}`)).statusCode, 403, path);
    assert.equal((await app.inject(path)).body, 'reached');
  }
});

test('a router that cuts the path off leaves it whole for the guard', async (t) => {
  const blocks: Block[] = [];
  const router = express.Router();
  router.use(forExpress({ screener, onBlock: (block) => void blocks.push(block) }));
  router.get('/*rest', (_req, res) => void res.end('reached'));
  const app = await served(express().use('/files', router));
  t.after(() => app.close());
  const client = await open(t, app.address);
  client.send(get('/files/a'));
  assert.equal((await client.answer()).body, 'reached');
  client.send(get('/files/..%2f..%2f..%2fetc%2fpasswd'));
  assert.equal((await client.answer()).status, 403);
  assert.match(blocks[0]?.findings[0]?.evidence ?? '', /passwd/);
});

test('a second guard sees what the first has read ahead', async (t) => {
  const express4 = createRequire(import.meta.url)('express4') as typeof express;
  for (const framework of [express, express4]) {
    const app = framework();
    app.use(framework.json(), forExpress({ screener, monitor: true }), forExpress({ screener }));
    app.use((_req, res) => void res.end('reached'));
    const running = await served(app);
    t.after(() => running.close());
    const client = await open(t, running.address);
    for (const [type, body, status] of [
      ['text/plain', "' OR 1=1 --", 403],
      ['application/json', `{"q":"' OR 1=1 --"}`, 403],
      ['text/plain', 'fine', 200],
      ['application/json', '{"q":"fine"}', 200],
    ] as const) {
      const headers = `content-type: ${type}\r\ncontent-length: ${body.length}\r\n`;
      client.send(head('POST', '/', headers) + body);
      assert.equal((await client.answer()).status, status, `${type}: ${body}`);
    }
  }
});
