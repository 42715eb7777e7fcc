import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Koa from 'koa';
import { sallyport } from '../../src/clients/koa.ts';
import { expectRoutes, listening, noting, type Rows } from './routes-sent.ts';

/** What is used of `@koa/router`. */
interface Router {
  use(...middleware: readonly (string | Koa.Middleware)[]): Router;
  get(path: string | RegExp, ...middleware: readonly Koa.Middleware[]): Router;
  routes(): Koa.Middleware;
}

const { Router } = createRequire(import.meta.url)('@koa/router') as {
  readonly Router: new (options?: {
    readonly prefix?: string;
    readonly exclusive?: boolean;
  }) => Router;
};

const none = undefined;
const ok: Koa.Middleware = (ctx) => {
  ctx.body = 'ok';
};

const builds: Readonly<
  Record<string, readonly [(guard: Koa.Middleware) => Koa.Middleware[], Rows]>
> = {
  'on a router': [
    (guard) => {
      const router = new Router({ prefix: '/v1' }).use(guard);
      router.get('/users/me', ok).get('/users/:id', ok).get('/maybe{/:id}', ok);
      router.get('/files/*path', ok).get(/^\/tags\/.+$/, ok);
      return [router.routes()];
    },
    [
      ['/v1/users/7?q=1', '/v1/users/{id}'],
      ['/v1/USERS/7/', '/v1/users/{id}'],
      ['/v1/users/me', '/v1/users/me'],
      ['/v1/maybe', '/v1/maybe'],
      ['/v1/maybe/7', '/v1/maybe/{id}'],
      ['/v1/files/a/b', none],
    ],
  ],
  'on a part of a router': [
    (guard) => [new Router().use('/users', guard).get('/users/:id', ok).routes()],
    [['/users/7', '/users/{id}']],
  ],
  'on routes': [
    (guard) => {
      const router = new Router({ exclusive: true });
      router.get('/users/:id', guard, ok).get('/users/me', guard, ok);
      return [router.get(/^\/tags\/.+$/, guard, ok).routes()];
    },
    [
      ['/users/7', '/users/{id}'],
      ['/users/me', '/users/me'],
      ['/tags/a', none],
    ],
  ],
  'on a router in another': [
    (guard) => {
      const inner = new Router().use(guard).get('/:order', ok);
      return [new Router().use('/of/:tenant', inner.routes()).routes()];
    },
    [['/of/a/7', '/of/{tenant}/{order}']],
  ],
  'on the application': [
    (guard) => [guard, new Router().get('/users/:id', ok).routes()],
    [['/users/7', none]],
  ],
};

for (const [name, [build, rows]] of Object.entries(builds)) {
  test(`Koa passes the template of the route ${name}`, async (t) => {
    const { screener, sent } = noting();
    const app = new Koa();
    for (const middleware of build(sallyport({ screener }))) app.use(middleware);
    await expectRoutes(await listening(t, createServer(app.callback())), sent, rows);
  });
}
