import 'reflect-metadata';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import multipart from '@fastify/multipart';
import { serve } from '@hono/node-server';
import { bodyParser } from '@koa/bodyparser';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import multer from 'multer';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardOptions, Verdict } from '../../src/clients/guard.ts';
import { sallyport as forHono } from '../../src/clients/hono.ts';
import { sallyport as forKoa } from '../../src/clients/koa.ts';
import { sallyport as forNest } from '../../src/clients/nest.ts';
import { sallyport as forNodeHttp, type NodeRequest } from '../../src/clients/node-http.ts';

/** It has no types of its own, and for what is used here it is the same. */
const express4 = createRequire(import.meta.url)('express4') as typeof express;

/** Marks the answers of the handler, whatever the framework answers by itself. */
export const reachedHeader = 'x-reached';

/** An application that answers every request with what it saw of it. */
export interface App {
  readonly address: string;
  /** How many requests the handler of the application has seen. */
  reached(): number;
  close(): Promise<void>;
}

/** Builds an application; without options it stands there unguarded. */
export type BuildApp = (options: GuardOptions | undefined) => Promise<App>;

/** Every framework, with the line where its documentation puts it. */
export const frameworks: Readonly<Record<string, BuildApp>> = {
  'node:http': buildNodeHttp,
  'Express 5': (options) => buildExpress(express, options),
  'Express 4': (options) => buildExpress(express4, options),
  'Express 5, before the body parsers': buildExpressInFront,
  'Fastify 5': buildFastify,
  'Koa 3': (options) => buildKoa(options, [bodyParser({ jsonStrict: false })]),
  'Koa 3, without a body parser': (options) => buildKoa(options, []),
  Hono: buildHono,
  'NestJS on Express': (options) => buildNest(new ExpressAdapter(), ['/', '*path'], options),
  'NestJS on Fastify': (options) => buildNest(new FastifyAdapter(), ['*'], options),
};

/** Says what the handler was told of the request. */
export const verdictHeader = 'x-verdict';

const decisionOf = (verdict: Verdict | undefined) => verdict?.decision ?? 'none';

const seen = (method: unknown, url: unknown, body: unknown) => ({
  method,
  url,
  body: body ?? null,
});

async function buildNodeHttp(options: GuardOptions | undefined): Promise<App> {
  let reached = 0;
  const handler = (req: NodeRequest, res: ServerResponse) => {
    reached += 1;
    res.setHeader(verdictHeader, decisionOf(req.sallyport));
    void rest(req).then(
      (body) => {
        res.setHeader(reachedHeader, 'yes');
        res.end(JSON.stringify(seen(req.method, req.url, body)));
      },
      () => res.destroy(),
    );
  };
  const server = createServer(options === undefined ? handler : forNodeHttp(options, handler));
  return listening(server, () => reached);
}

async function buildExpress(
  framework: typeof express,
  options: GuardOptions | undefined,
): Promise<App> {
  let reached = 0;
  const app = framework();
  app.set('env', 'test');
  app.use(framework.json(), framework.urlencoded({ extended: true }), framework.text());
  app.use(multer().any());
  if (options !== undefined) app.use(forExpress(options));
  app.use((req, res) => {
    reached += 1;
    res.set(verdictHeader, decisionOf(req.sallyport));
    const files = ((req.files ?? []) as Express.Multer.File[]).map((file) => file.originalname);
    res.set(reachedHeader, 'yes').json({ ...seen(req.method, req.originalUrl, req.body), files });
  });
  return listening(createServer(app), () => reached);
}

async function buildExpressInFront(options: GuardOptions | undefined): Promise<App> {
  let reached = 0;
  const app = express();
  app.set('env', 'test');
  if (options !== undefined) app.use(forExpress(options));
  app.use(express.json(), express.urlencoded(), express.text(), multer().any());
  app.use((req, res) => {
    reached += 1;
    res.set(verdictHeader, decisionOf(req.sallyport));
    res.set(reachedHeader, 'yes').json(seen(req.method, req.originalUrl, req.body));
  });
  return listening(createServer(app), () => reached);
}

async function buildFastify(options: GuardOptions | undefined): Promise<App> {
  let reached = 0;
  const app = fastify();
  app.register(multipart);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request: unknown, text: unknown) =>
      Promise.resolve(Object.fromEntries(new URLSearchParams(String(text)))),
  );
  if (options !== undefined) app.register(forFastify, options);
  app.all('/*', async (request, reply) => {
    reached += 1;
    reply.header(reachedHeader, 'yes').header(verdictHeader, decisionOf(request.sallyport));
    const parts: unknown[] = [];
    if (request.isMultipart()) {
      for await (const part of request.parts()) {
        const content = part.type === 'file' ? (await part.toBuffer()).toString() : part.value;
        parts.push([part.fieldname, content]);
      }
    }
    return { ...seen(request.method, request.originalUrl, request.body), parts };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { address: addressOf(app.server), reached: () => reached, close: () => app.close() };
}

async function buildKoa(
  options: GuardOptions | undefined,
  parsers: readonly Koa.Middleware[],
): Promise<App> {
  let reached = 0;
  const app = new Koa();
  app.silent = true;
  for (const parser of parsers) app.use(parser);
  if (options !== undefined) app.use(forKoa(options));
  app.use(async (ctx) => {
    reached += 1;
    const parsed: unknown = Reflect.get(ctx.request, 'body');
    const body = ctx.req.readableEnded ? parsed : await rest(ctx.req);
    ctx.set(reachedHeader, 'yes');
    ctx.set(verdictHeader, decisionOf(ctx.state['sallyport'] as Verdict | undefined));
    ctx.body = seen(ctx.method, ctx.originalUrl, body);
  });
  return listening(createServer(app.callback()), () => reached);
}

async function buildHono(options: GuardOptions | undefined): Promise<App> {
  let reached = 0;
  const app = new Hono();
  if (options !== undefined) app.use(forHono(options));
  app.all('*', async (c) => {
    reached += 1;
    c.header(reachedHeader, 'yes');
    c.header(verdictHeader, decisionOf(c.get('sallyport')));
    return c.json(seen(c.req.method, c.req.url.replace(/^http:\/\/[^/]+/, ''), await c.req.text()));
  });
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(appOn(server as Server, () => reached)),
    );
  });
}

async function buildNest(
  adapter: ExpressAdapter | FastifyAdapter,
  paths: string[],
  options: GuardOptions | undefined,
): Promise<App> {
  let reached = 0;
  class EchoController {
    echo(req: NestRequest, res: Sender): void {
      reached += 1;
      res.header(reachedHeader, 'yes');
      res.header(verdictHeader, decisionOf((req.raw ?? req).sallyport));
      res.send(seen(req.method, req.originalUrl, req.body));
    }
  }
  // As decorators, which TypeScript does not simply strip.
  const method = Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo') ?? {};
  All(paths)(EchoController.prototype, 'echo', method);
  Req()(EchoController.prototype, 'echo', 0);
  Res()(EchoController.prototype, 'echo', 1);
  Controller()(EchoController);
  class AppModule {}
  Module({ controllers: [EchoController] })(AppModule);
  const app = await NestFactory.create(AppModule, adapter, { logger: false });
  if (options !== undefined) app.use(forNest(options));
  await app.listen(0, '127.0.0.1');
  const close = () => app.close();
  return { address: addressOf(app.getHttpServer()), reached: () => reached, close };
}

/** On Fastify the middleware saw `raw`. */
type NestRequest = NodeRequest & { readonly originalUrl: string; readonly raw?: NodeRequest };

interface Sender {
  header(name: string, value: string): unknown;
  send(body: unknown): void;
}

async function rest(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

async function listening(server: Server, reached: () => number): Promise<App> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return appOn(server, reached);
}

function appOn(server: Server, reached: () => number): App {
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { address: addressOf(server), reached, close };
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What answers requests by itself, listening. */
export function served(handler: (req: IncomingMessage, res: ServerResponse) => void): Promise<App> {
  return listening(createServer(handler), () => 0);
}
