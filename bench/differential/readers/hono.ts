import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { sallyport } from '../../../src/clients/hono.ts';
import type { Reader } from '../engine/reader.ts';
import type { Sightings } from '../engine/sightings.ts';
import { appOn, nodeReader } from './node-reader.ts';
import { ownTypes, seeHeaders, seeTarget, seeText } from './see.ts';

type Read = (c: Context, sightings: Sightings) => Promise<void>;

const reads: readonly (readonly [name: string, read: Read])[] = [
  ['hono', async (c, sightings) => seeText(sightings, await c.req.text())],
  ['hono-json', async (c, sightings) => sightings.add('body', await c.req.json())],
  ['hono-form', readForm],
];

/** Hono on Node.js. */
export const honoReaders: readonly Reader[] = reads.map(([name, read]) =>
  nodeReader(name, (options, probe) => {
    const app = new Hono();
    app.use(sallyport(options));
    const handler = async (c: Context): Promise<Response> => {
      const { sightings } = probe;
      seeRequest(sightings, c);
      // A body that cannot be read is an error of the client for most handlers.
      await read(c, sightings).catch(() => undefined);
      return c.text('');
    };
    app.all('/p/:id', handler);
    app.all('*', handler);
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
        resolve(appOn(server as Server)),
      );
    });
  }),
);

function seeRequest(sightings: Sightings, c: Context): void {
  // The origin is its own.
  seeTarget(sightings, c.req.url.replace(/^http:\/\/[^/]*/, ''));
  sightings.add('url', c.req.path);
  sightings.add('params', c.req.param());
  sightings.add('query', c.req.query());
  sightings.add('query', c.req.queries());
  seeHeaders(sightings, c.req.header());
  sightings.add('cookie', getCookie(c));
}

async function readForm(c: Context, sightings: Sightings): Promise<void> {
  const body = await c.req.parseBody({ all: true, dot: true });
  await seeForm(sightings, body);
}

async function seeForm(sightings: Sightings, value: unknown): Promise<void> {
  if (value instanceof File) {
    sightings.add('filename', value.name);
    if (!ownTypes.has(value.type)) sightings.add('file type', value.type);
    sightings.add('file', await value.text());
  } else if (Array.isArray(value)) {
    for (const one of value) await seeForm(sightings, one);
    if (value.every((one) => typeof one === 'string')) sightings.add('body', value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      sightings.add('body name', name);
      await seeForm(sightings, inner);
    }
  } else {
    sightings.add('body', value);
  }
}
