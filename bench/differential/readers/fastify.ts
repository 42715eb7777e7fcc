import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { sallyport } from '../../../src/clients/fastify.ts';
import type { Reader } from '../engine/reader.ts';
import type { Sightings } from '../engine/sightings.ts';
import { nodeReader, portOf } from './node-reader.ts';
import { ownTypes, seeHeaders, seeText } from './see.ts';

interface Shape {
  readonly name: string;
  readonly isHttp2?: boolean;
  readonly set: (app: FastifyInstance) => void;
}

const shapes: readonly Shape[] = [
  { name: 'fastify', set: (app) => app.register(formbody) },
  { name: 'fastify-http2', isHttp2: true, set: (app) => app.register(formbody) },
  { name: 'fastify-any', set: takeAnyType },
  { name: 'fastify-multipart', set: (app) => app.register(multipart) },
  {
    name: 'fastify-attach',
    set: (app) => app.register(multipart, { attachFieldsToBody: true }),
  },
  {
    name: 'fastify-attach-values',
    set: (app) => app.register(multipart, { attachFieldsToBody: 'keyValues' }),
  },
];

function takeAnyType(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

/** Fastify over HTTP/1.1 and HTTP/2, with its plugins. */
export const fastifyReaders: readonly Reader[] = shapes.map((shape) =>
  nodeReader(
    shape.name,
    async (options, probe) => {
      const made = shape.isHttp2 === true ? fastify({ http2: true }) : fastify();
      const app = made as unknown as FastifyInstance;
      app.register(cookie);
      shape.set(app);
      app.register(sallyport, options);
      const handler = async (request: FastifyRequest): Promise<string> => {
        const { sightings } = probe;
        seeRequest(sightings, request);
        if (shape.name === 'fastify-multipart' && request.isMultipart()) {
          await seeParts(sightings, request);
        }
        return '';
      };
      app.all('/p/:id', handler);
      app.all('/*', handler);
      await app.listen({ port: 0, host: '127.0.0.1' });
      return { port: portOf(app.server), close: () => app.close() };
    },
    shape.isHttp2 === true ? 2 : 1,
  ),
);

function seeRequest(sightings: Sightings, request: FastifyRequest): void {
  sightings.add('url', request.originalUrl);
  sightings.add('params', request.params);
  sightings.add('query', request.query);
  seeHeaders(sightings, request.headers);
  sightings.add('cookie', request.cookies);
  const { body } = request;
  if (typeof body === 'string') seeText(sightings, body);
  else if (typeof body === 'object' && body !== null) seeFields(sightings, body);
  else sightings.add('body', body);
}

/** Attached parts are objects of the plugin with much that is its own. */
function seeFields(sightings: Sightings, body: object): void {
  for (const [name, value] of Object.entries(body)) {
    sightings.add('body name', name);
    for (const one of [value].flat() as unknown[]) seeField(sightings, one);
  }
}

function seeField(sightings: Sightings, one: unknown): void {
  if (Buffer.isBuffer(one)) {
    sightings.add('upload', one);
  } else if (typeof one === 'object' && one !== null && '_buf' in one) {
    sightings.add('upload', one._buf);
    sightings.add('filename', Reflect.get(one, 'filename'));
    const type: unknown = Reflect.get(one, 'mimetype');
    if (!ownTypes.has(type)) sightings.add('file type', type);
  } else if (typeof one === 'object' && one !== null && 'fieldname' in one && 'fields' in one) {
    sightings.add('body', Reflect.get(one, 'value'));
  } else {
    sightings.add('body', one);
  }
}

async function seeParts(sightings: Sightings, request: FastifyRequest): Promise<void> {
  for await (const part of request.parts()) {
    sightings.add('body name', part.fieldname);
    if (part.type === 'field') {
      sightings.add('body', part.value);
      continue;
    }
    sightings.add('filename', part.filename);
    if (!ownTypes.has(part.mimetype)) sightings.add('file type', part.mimetype);
    sightings.add('file', await part.toBuffer());
  }
}
