import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardOptions, Refused } from '../../src/clients/guard.ts';
import { sallyport as forHono } from '../../src/clients/hono.ts';
import { sallyport as forKoa } from '../../src/clients/koa.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';
import { createScreener } from '../../src/screener.ts';
import { frameworks, reachedHeader, verdictHeader } from './apps.ts';
import { deadAddress } from './false-sallyport.ts';

const screener = createScreener();
const attack = "/?q='%20OR%201=1%20--";

test('the application finds the verdict on the request', async (t) => {
  const dead = { url: deadAddress, key: 'sp_live_any', inlineOnOutage: false } as const;
  const quiet = { onError: () => undefined, onStatus: () => undefined };
  for (const [name, build] of Object.entries(frameworks)) {
    await t.test(name, async (t) => {
      const decision = async (options: GuardOptions, target: string) => {
        const app = await build(options);
        t.after(() => app.close());
        const { headers } = await fetch(app.address + target);
        assert.equal(headers.get(reachedHeader), 'yes');
        return headers.get(verdictHeader);
      };
      assert.equal(await decision({ screener }, '/?q=hello'), 'allow');
      assert.equal(await decision({ screener, monitor: true }, attack), 'block');
      const monitoring = createScreener({ policy: { mode: 'monitor' } });
      assert.equal(await decision({ screener: monitoring }, attack), 'block');
      assert.equal(await decision({ ...dead, ...quiet }, attack), 'unscreened');
      const inline = { ...dead, ...quiet, inlineOnOutage: true, monitor: true };
      assert.equal(await decision(inline, attack), 'block');
      assert.equal(await decision({ screener, skip: () => true }, attack), 'none');
    });
  }
});

/** Builds an application whose own answer says `own` and why, as far as `mode` lets it. */
type BuildOwn = (t: TestContext, respond: (refused: Refused) => 'own' | 'usual') => Promise<string>;

async function listening(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const textOf = ({ why, id, block }: Refused) => `own ${why} ${id === block?.id}`;

const builders: Readonly<Record<string, BuildOwn>> = {
  'node:http': (t, choose) =>
    listening(
      t,
      createServer(
        forNodeHttp(
          {
            screener,
            respond: (refused, _req, res) => {
              if (choose(refused) === 'usual') return false;
              res.writeHead(418).end(textOf(refused));
              return undefined;
            },
          },
          () => assert.fail('handled'),
        ),
      ),
    ),
  Express: (t, choose) => {
    const app = express();
    const respond = async (refused: Refused, _req: express.Request, res: express.Response) => {
      if (choose(refused) === 'usual') return false;
      return res.status(418).send(textOf(refused));
    };
    app.use(forExpress({ screener, respond }));
    return listening(t, createServer(app));
  },
  Koa: (t, choose) => {
    const app = new Koa();
    const respond = (refused: Refused, ctx: Koa.Context) => {
      if (choose(refused) === 'usual') return false;
      ctx.status = 418;
      ctx.body = textOf(refused);
      return undefined;
    };
    app.use(forKoa({ screener, respond }));
    return listening(t, createServer(app.callback()));
  },
  Fastify: async (t, choose) => {
    const app = fastify();
    t.after(() => app.close());
    app.register(forFastify, {
      screener,
      respond: (refused, _request, reply) =>
        choose(refused) === 'usual' ? false : reply.code(418).send(textOf(refused)),
    });
    app.get('/*', () => assert.fail('handled'));
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  Hono: (t, choose) => {
    const app = new Hono();
    const respond = (refused: Refused) =>
      choose(refused) === 'usual' ? false : new Response(textOf(refused), { status: 418 });
    app.use(forHono({ screener, respond }));
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      );
      t.after(() => server.close());
    });
  },
};

test('the application answers a refused request by itself, or leaves it', async (t) => {
  for (const [name, build] of Object.entries(builders)) {
    await t.test(name, async (t) => {
      const ask = async (respond: (refused: Refused) => 'own' | 'usual') => {
        const address = await build(t, respond);
        const answer = await fetch(address + attack, { headers: { connection: 'close' } });
        return [answer.status, (await answer.text()).slice(0, 17)] as const;
      };
      assert.deepEqual(await ask(() => 'own'), [418, 'own harmful true']);
      const usual = [403, 'Forbidden\n\nThis r'] as const;
      assert.deepEqual(await ask(() => 'usual'), usual);
      const fail = () => {
        throw new Error('a fault of respond');
      };
      assert.deepEqual(await ask(fail), usual);
    });
  }
});

test('browsers get a page, in their language or of the application', async (t) => {
  const page = async (blockPage: GuardOptions['blockPage'], accept = 'text/html,*/*;q=0.8') => {
    const options = blockPage === undefined ? { screener } : { screener, blockPage };
    const app = await frameworks['Express 5']?.(options);
    assert.ok(app !== undefined);
    t.after(() => app.close());
    const headers = { accept, 'accept-language': 'xx, de-AT;q=0.9, en;q=0.5' };
    const answer = await fetch(app.address + attack, { headers });
    assert.equal(answer.status, 403);
    const id = answer.headers.get('x-decision-id') ?? '';
    return { id, text: await answer.text(), headers: answer.headers };
  };
  const usual = await page(undefined);
  assert.match(usual.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(usual.headers.get('content-security-policy') ?? '', /^default-src 'none';/);
  assert.match(usual.text, /<html lang="de">[\s\S]*Anfrage blockiert/);
  assert.ok(usual.text.includes(`<dd>${usual.id}</dd>`));
  const own = await page('<h1>Ours</h1> {{id}} {{id}}');
  assert.equal(own.text, `<h1>Ours</h1> ${own.id} ${own.id}`);
  assert.equal(own.headers.get('content-security-policy'), null);
  const made = await page(({ why, status, language }) => `${why} ${status} ${language}`);
  assert.equal(made.text, 'harmful 403 de');
  const failing = await page(() => {
    throw new Error('a fault of blockPage');
  });
  assert.match(failing.text, /Anfrage blockiert/);
  const json = await page('<h1>Ours</h1>', 'application/json, text/html;q=0.5');
  assert.equal(json.headers.get('content-type'), 'application/problem+json');
});
