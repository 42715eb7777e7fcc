import type { Reader } from '../engine/reader.ts';
import { expressReaders } from './express.ts';
import { fastifyReaders } from './fastify.ts';
import { honoReaders } from './hono.ts';
import { koaReaders } from './koa.ts';
import { nestReaders } from './nest.ts';
import { nodeHttpReaders } from './node-http.ts';
import { outsideReaders } from './outside.ts';

/** Readers on Node.js: the middleware stands in the application. */
export const nodeReaders: readonly Reader[] = [
  ...nodeHttpReaders,
  ...expressReaders,
  ...fastifyReaders,
  ...koaReaders,
  ...honoReaders,
  ...nestReaders,
];

export { outsideReaders };

/** All readers. */
export const readers: readonly Reader[] = [...nodeReaders, ...outsideReaders];
