import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createGuard, type GuardOptions } from './guard.ts';
import {
  bodyOf,
  clientRequestOf,
  discardRefused,
  discardUnread,
  isAnswered,
  watchUpload,
  writeLastAnswer,
} from './node-request.ts';

export type {
  Answer,
  Block,
  Choice,
  ClientRequest,
  GuardOptions,
  GuardRequest,
  Outage,
} from './guard.ts';

/** Options that `register` uses itself and passes on as well. */
const optionsOfFastify = ['prefix', 'logLevel', 'logSerializers'];

/**
 * Screens requests after Fastify has parsed the body, before it validates and handles them.
 *
 *     app.register(sallyport, { url: 'http://127.0.0.1:8080', key });
 *
 * It holds for all routes of the instance that it is registered on. Bodies that a plugin reads in
 * the handler, such as multipart, are read ahead up to `bodyBytesMax` and given back.
 */
export const sallyport: FastifyPluginAsync<GuardOptions> = Object.assign(
  async (app: FastifyInstance, options: GuardOptions) => {
    const guard = createGuard(options, optionsOfFastify);
    app.addHook('preValidation', async (request, reply) => {
      const { raw } = request;
      const clientRequest = { ...clientRequestOf(raw), url: request.originalUrl };
      if (guard.skips(clientRequest)) return;
      const body = await bodyOf(raw, { value: request.body }, guard.bodyBytesMax);
      discardUnread(raw, reply.raw);
      const refusal = await guard.judge(clientRequest, body);
      if (reply.sent || isAnswered(reply.raw)) return reply.hijack();
      if (refusal === undefined) {
        watchUpload(guard, clientRequest, { req: raw, res: reply.raw }, (late) => {
          reply.hijack();
          writeLastAnswer(reply.raw, late);
        });
        return;
      }
      reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
      discardRefused(raw);
      return reply;
    });
  },
  {
    // What fastify-plugin sets: the hook is for the instance, not for a child of it.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'sallyport',
  },
);

/** As plugins of Fastify do: `app.register(import('sallyport/fastify'), { url, key })`. */
export default sallyport;
