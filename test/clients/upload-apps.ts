import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import multipart from '@fastify/multipart';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import multer from 'multer';
import { sallyport as forExpress } from '../../src/clients/express.ts';
import { sallyport as forFastify } from '../../src/clients/fastify.ts';
import type { GuardOptions } from '../../src/clients/guard.ts';
import { sallyport as forHono } from '../../src/clients/hono.ts';
import { sallyport as forKoa } from '../../src/clients/koa.ts';
import { sallyport as forNodeHttp } from '../../src/clients/node-http.ts';

/** What a handler made of a form: values of fields, and the hash of each file. */
export interface Form {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
}

/** An application with one route that reads a form as it comes. */
export interface UploadApp {
  readonly address: string;
  readonly forms: Form[];
}

type StartUploadApp = (t: TestContext, options: GuardOptions) => Promise<UploadApp>;

/** What is used of formidable, which has no types of its own. */
type Formidable = (options: object) => {
  parse(req: IncomingMessage): Promise<[Record<string, string[]>]>;
};
const formidablePackage: string = 'formidable';
const { default: formidable } = (await import(formidablePackage)) as { default: Formidable };

/** Readers of forms behind the middleware, none of which holds a file in memory. */
export const uploadApps: Readonly<Record<string, StartUploadApp>> = {
  'multer on a route of Express': async (t, options) => {
    const forms: Form[] = [];
    const storage: multer.StorageEngine = {
      _handleFile: (_req, file, done) =>
        void file.stream.pipe(hashing((filename) => done(null, { filename }))),
      _removeFile: (_req, _file, done) => done(null),
    };
    const app = express();
    app.set('env', 'test');
    app.use(forExpress(options));
    app.post('/', multer({ storage }).any(), (req, res) => {
      const files = (req.files as Express.Multer.File[]).map(({ filename }) => filename);
      forms.push({ fields: { ...req.body }, files });
      res.end('handled');
    });
    return listening(t, app, forms);
  },
  'formidable on node:http': async (t, options) => {
    const forms: Form[] = [];
    const handler = (req: IncomingMessage, res: ServerResponse) => handleForm(req, res, forms);
    return listening(t, forNodeHttp(options, handler), forms);
  },
  'formidable in Koa': async (t, options) => {
    const forms: Form[] = [];
    const app = new Koa();
    app.silent = true;
    app.use(forKoa(options));
    app.use(async (ctx) => {
      forms.push(await formOf(ctx.req));
      ctx.body = 'handled';
    });
    return listening(t, app.callback(), forms);
  },
  '@fastify/multipart': (t, options) => startFastify(t, options, false),
  '@fastify/multipart over HTTP/2': (t, options) => startFastify(t, options, true),
  Hono: async (t, options) => {
    const forms: Form[] = [];
    const app = new Hono();
    app.use(forHono(options));
    app.post('/', async (c) => {
      const fields: Record<string, unknown> = {};
      const files: string[] = [];
      for (const [name, value] of await c.req.formData()) {
        if (typeof value === 'string') fields[name] = value;
        else files.push(hashOf(new Uint8Array(await value.arrayBuffer())));
      }
      forms.push({ fields, files });
      return c.text('handled');
    });
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve({ address: `http://127.0.0.1:${port}`, forms }),
      );
      t.after(() => void server.close());
    });
  },
};

async function startFastify(
  t: TestContext,
  options: GuardOptions,
  isHttp2: boolean,
): Promise<UploadApp> {
  const forms: Form[] = [];
  // The types differ, the use does not.
  const app = isHttp2
    ? (fastify({ http2: true }) as unknown as ReturnType<typeof fastify>)
    : fastify();
  t.after(() => app.close());
  app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
  app.register(forFastify, options);
  app.post('/', async (request: FastifyRequest) => {
    const fields: Record<string, unknown> = {};
    const files: string[] = [];
    for await (const part of request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = part.value;
      else {
        const hash = createHash('sha256');
        for await (const chunk of part.file) hash.update(chunk as Buffer);
        files.push(hash.digest('hex'));
      }
    }
    forms.push({ fields, files });
    return 'handled';
  });
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), forms };
}

function handleForm(req: IncomingMessage, res: ServerResponse, forms: Form[]): void {
  formOf(req).then(
    (form) => {
      forms.push(form);
      res.end('handled');
    },
    () => res.destroy(),
  );
}

async function formOf(req: IncomingMessage): Promise<Form> {
  const files: string[] = [];
  const fileWriteStreamHandler = () => hashing((hash) => void files.push(hash));
  const form = formidable({
    fileWriteStreamHandler,
    maxFileSize: 2 ** 30,
    maxTotalFileSize: 2 ** 30,
  });
  const [fields] = await form.parse(req);
  const first = Object.entries(fields).map(([name, [value]]) => [name, value]);
  return { fields: Object.fromEntries(first), files };
}

function hashing(done: (hash: string) => void): Writable {
  const hash = createHash('sha256');
  return new Writable({
    write(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      next();
    },
    final(next) {
      done(hash.digest('hex'));
      next();
    },
  });
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function listening(
  t: TestContext,
  listener: (req: IncomingMessage, res: ServerResponse) => void,
  forms: Form[],
): Promise<UploadApp> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forms };
}
