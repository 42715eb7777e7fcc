import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createGuard, type GuardOptions, type Responding, type Verdict } from './guard.ts';
import {
  bodyOf,
  clientRequestOf,
  discardRefused,
  discardUnread,
  isAnswered,
  isAnsweredBy,
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
  Refused,
  ServiceState,
  Verdict,
} from './guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What Sallyport says of the request; undefined for one that `skip` left out. */
    sallyport?: Verdict | undefined;
  }
}

/** Options of the plugin. */
export type FastifyGuardOptions = GuardOptions &
  Responding<[request: FastifyRequest, reply: FastifyReply]>;

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
export const sallyport: FastifyPluginAsync<FastifyGuardOptions> = Object.assign(
  async (app: FastifyInstance, options: FastifyGuardOptions) => {
    const guard = createGuard(options, optionsOfFastify);
    if (!app.hasRequestDecorator('sallyport')) app.decorateRequest('sallyport', undefined);
    app.addHook('preValidation', async (request, reply) => {
      const { raw } = request;
      const route = request.is404 ? undefined : request.routeOptions.url;
      const clientRequest = { ...clientRequestOf(raw), url: request.originalUrl, route };
      if (guard.skips(clientRequest)) return;
      const body = await bodyOf(raw, { value: request.body }, guard.bodyBytesMax);
      discardUnread(raw, reply.raw);
      const refusal = await guard.judge(clientRequest, body, request);
      if (reply.sent || isAnswered(reply.raw)) return reply.hijack();
      if (refusal === undefined) {
        watchUpload(guard, clientRequest, { req: raw, res: reply.raw, seen: request }, (late) => {
          reply.hijack();
          writeLastAnswer(reply.raw, late);
        });
        return;
      }
      const { respond } = options;
      const answered = respond && (() => respond(refusal.refused, request, reply));
      if (!(await isAnsweredBy(answered)) && !reply.sent) {
        reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
      }
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
