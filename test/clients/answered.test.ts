import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardOptions } from '../../src/clients/guard.ts';
import { sallyport as forKoa } from '../../src/clients/koa.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import type { Outcome, Screener } from '../../src/clients/outcome.ts';
import { connect, type RawClient } from '../http/raw-client.ts';
import { type App, served } from './apps.ts';

const get = (target: string) => `GET ${target} HTTP/1.1\r\nhost: app.test\r\n\r\n`;

async function open(t: TestContext, address: string): Promise<RawClient> {
  const client = await connect(address);
  t.after(() => client.end());
  return client;
}

/** A screener that notes when it is asked, and answers when the test lets it. */
function slowScreener(): { screener: Screener; asked: Promise<void>; answer: () => void } {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: outcome, resolve: onOutcome } = Promise.withResolvers<Outcome>();
  const blocked: Outcome = {
    kind: 'blocked',
    answer: { id: '0190', decision: 'block', score: 99, findings: [] },
  };
  return {
    asked,
    answer: () => onOutcome(blocked),
    screener: {
      screen: () => {
        onAsked();
        return outcome;
      },
      close: () => Promise.resolve(),
    },
  };
}

type EarlyApp = (options: GuardOptions, early: (end: () => void) => void) => Promise<App>;

/** Applications that answer by themselves while the guard still waits; none may be handled. */
const earlyApps: Readonly<Record<string, EarlyApp>> = {
  'node:http': (options, early) => {
    const guarded = forNodeHttp(options, () => assert.fail('handled'));
    return served((req, res) => {
      early(() => res.end('early'));
      guarded(req, res);
    });
  },
  Express: (options, early) => {
    const app = express();
    app.use((_req, res, next) => {
      early(() => res.end('early'));
      next();
    });
    app.use(forExpress(options), () => assert.fail('handled'));
    return served(app);
  },
  Koa: (options, early) => {
    const app = new Koa();
    app.use((ctx, next) => {
      early(() => ctx.res.end('early'));
      return next();
    });
    app.use(forKoa(options)).use(() => assert.fail('handled'));
    return served(app.callback());
  },
  Fastify: async (options, early) => {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => {
      early(() => reply.raw.end('early'));
    });
    app.register(forFastify, options);
    app.get('/*', () => assert.fail('handled'));
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    return { address, close: () => app.close(), reached: () => 0 };
  },
};

test('nothing is written where the application has answered in the meantime', async (t) => {
  for (const [name, build] of Object.entries(earlyApps)) {
    await t.test(name, async (t) => {
      const { screener, asked, answer } = slowScreener();
      let endEarly: () => void = () => undefined;
      const app = await build({ screener }, (end) => {
        endEarly = end;
      });
      t.after(() => app.close());
      const client = await open(t, app.address);
      client.send(get('/'));
      await asked;
      endEarly();
      assert.equal((await client.answer()).body, 'early');
      answer();
      client.send(get('/'));
      assert.equal((await client.answer()).status, 403, 'the answer to the second request');
      assert.equal(client.rest, '');
    });
  }
});

test('what has its answer before the guard is neither screened nor handed on', async (t) => {
  const screener: Screener = {
    screen: () => assert.fail('screened'),
    close: () => Promise.resolve(),
  };
  for (const name of ['node:http', 'Express', 'Koa']) {
    await t.test(name, async (t) => {
      const app = await earlyApps[name]?.({ screener }, (end) => end());
      assert.ok(app !== undefined);
      t.after(() => app.close());
      const client = await open(t, app.address);
      client.send(get('/'));
      assert.equal((await client.answer()).body, 'early');
      client.send(get('/'));
      assert.equal((await client.answer()).body, 'early', 'the answer to the second request');
    });
  }
});

test('Fastify: an answer that has begun is left to the application', async (t) => {
  const { screener, asked, answer } = slowScreener();
  const app = fastify();
  let raw: ServerResponse | undefined;
  app.addHook('onRequest', async (_request, reply) => {
    raw = reply.raw;
  });
  app.register(forFastify, { screener });
  app.get('/*', () => assert.fail('handled'));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const client = await open(t, address);
  client.send(get('/'));
  await asked;
  raw?.write('ea');
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  raw?.end('rly');
  const { status, body } = await client.answer();
  assert.deepEqual([status, body], [200, 'early']);
});
