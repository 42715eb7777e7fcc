import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serve } from '@hono/node-server';
import { Controller, Get, type MiddlewareConsumer, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardRequest } from '../../src/clients/guard.ts';
import { sallyport as forHono } from '../../src/clients/hono.ts';
import { sallyport as forNest } from '../../src/clients/nest.ts';
import { expectRoutes, listening, noting } from './routes-sent.ts';

const express4 = createRequire(import.meta.url)('express4') as typeof express;
const none = undefined;
const ok = (_req: unknown, res: { end(text: string): unknown }): void => void res.end('ok');

for (const [name, framework] of [
  ['Express 5', express],
  ['Express 4', express4],
] as const) {
  test(`${name} passes the template of the route that the middleware is used on`, async (t) => {
    const { screener, sent } = noting();
    const guard = forExpress({ screener });
    const app = framework();
    const router = framework.Router();
    router.get('/orders/:order', guard, ok);
    router.get('/', guard, ok);
    app.get('/users/:id', guard, ok);
    app.get(/^\/tags\/(.+)$/, guard, ok);
    app.get(['/list', '/lists'], guard, ok);
    app.get(name === 'Express 4' ? '/files/*' : '/files/*path', guard, ok);
    app.get(name === 'Express 4' ? '/maybe/:id?' : '/maybe{/:id}', guard, ok);
    if (name === 'Express 4') app.get('/digits/:id(\\d+)', guard, ok);
    app.use('/v1', router);
    app.use('/of/:tenant', router);
    app.use(guard, ok);
    const server = createServer(app);
    const port = await listening(t, server);
    await expectRoutes(port, sent, [
      ['/users/7?q=1', '/users/{id}'],
      ['/USERS/7/', '/users/{id}'],
      ['/tags/a', none],
      ['/list', none],
      ['/files/a/b', none],
      ['/maybe', '/maybe'],
      ['/maybe/7', '/maybe/{id}'],
      ...(name === 'Express 4' ? ([['/digits/7', '/digits/{id}']] as const) : []),
      ['/v1/orders/7', '/v1/orders/{order}'],
      ['/V1/orders/7', '/V1/orders/{order}'],
      ['/v1', '/v1/'],
      // Of a mount with a parameter Express has what the client wrote.
      ['/of/a/orders/7', '/of/a/orders/{order}'],
      ['/of/:a(b)/orders/7', none],
      ['/of/%7Bid%7D/orders/7', none],
      ['/elsewhere', none],
    ]);
  });
}

test('Fastify passes the template of each route', async (t) => {
  const { screener, sent } = noting();
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } });
  const asked: (string | undefined)[] = [];
  const skip = ({ route }: GuardRequest) => asked.push(route) < 0;
  app.register(forFastify, { screener, skip });
  for (const path of [
    '/users/:id',
    '/maybe/:id?',
    '/digits/:file(^\\d+).png',
    '/near/:lat-:long',
    '/files/*',
  ]) {
    app.get(path, async () => 'ok');
  }
  const inner = async (one: FastifyInstance) => void one.get('/:order', async () => 'ok');
  app.register(inner, { prefix: '/v1/orders' });
  t.after(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  await expectRoutes(port, sent, [
    ['/users/7?q=1', '/users/{id}'],
    ['/USERS/7/', '/users/{id}'],
    ['/maybe', '/maybe'],
    ['/maybe/7', '/maybe/{id}'],
    ['/digits/7.png', '/digits/{file}.png'],
    ['/near/1-2', '/near/{lat}-{long}'],
    ['/v1/orders/7', '/v1/orders/{order}'],
    ['/files/a/b', none],
    ['/elsewhere', none],
  ]);
  // Hooks get it as the framework has it.
  assert.deepEqual(asked.slice(-4), ['/near/:lat-:long', '/v1/orders/:order', '/files/*', none]);
});

test('Hono passes the template of the handler, and none of a middleware', async (t) => {
  const { screener, sent } = noting();
  const app = new Hono();
  app.use(forHono({ screener }));
  app.use('/users/*', async (_c, next) => next());
  app.use('/about/:page/all', async (_c, next) => next());
  app.get('/users/me', (c) => c.text('ok'));
  app.get('/users/:id', (c) => c.text('ok'));
  app.all('/hooks/:name', (c) => c.text('ok'));
  app.get('/digits/:id{[0-9]+}', (c) => c.text('ok'));
  app.get('/maybe/:id?', (c) => c.text('ok'));
  app.get('/wild/*/card', (c) => c.text('ok'));
  const inner = new Hono();
  inner.get('/:order', (c) => c.text('ok'));
  inner.all('/of/:client', (c) => c.text('ok'));
  inner.onError((_error, c) => c.text('failed', 500));
  app.route('/v1/orders', inner);
  app.all('/proxy/*', (c) => c.text('ok'));
  app.get('/assets/*', async (_c, next) => next());
  app.get('/:kind/:name', (c) => c.text('ok'));
  app.get('/v1/orders/of/:name', (c) => c.text('ok'));
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (at) =>
      resolve(at.port),
    );
    t.after(() => server.close());
  });
  await expectRoutes(port, sent, [
    ['/users/7?q=1', '/users/{id}'],
    ['/users/me', '/users/me'],
    ['/hooks/a', '/hooks/{name}'],
    ['/digits/7', '/digits/{id}'],
    ['/maybe', '/maybe'],
    ['/maybe/7', '/maybe/{id}'],
    ['/v1/orders/7', '/v1/orders/{order}'],
    ['/v1/orders/of/a', '/v1/orders/of/{client}'],
    ['/proxy/a', none],
    ['/assets/a', '/{kind}/{name}'],
    ['/wild/a/card', none],
    ['/about/us/all', none],
    ['/elsewhere', none],
  ]);
});

test('NestJS passes what its adapter sees', async (t) => {
  for (const [name, adapter, route] of [
    ['Express', new ExpressAdapter(), '/users/{id}'],
    ['Fastify', new FastifyAdapter(), none],
  ] as const) {
    const { screener, sent } = noting();
    const app = await NestFactory.create(nestModule(forNest({ screener })), adapter, {
      logger: false,
    });
    t.after(() => app.close());
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    assert.ok(port > 0, name);
    await expectRoutes(port, sent, [['/users/7', route]]);
  }
});

/** As decorators, which TypeScript does not simply strip. */
function nestModule(guard: ReturnType<typeof forNest>): new () => unknown {
  class Users {
    one(): string {
      return 'ok';
    }
  }
  Get(':id')(Users.prototype, 'one', Object.getOwnPropertyDescriptor(Users.prototype, 'one') ?? {});
  Controller('users')(Users);
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(guard).forRoutes(Users);
    }
  }
  Module({ controllers: [Users] })(AppModule);
  return AppModule;
}
