import { sallyport as expressMiddleware, type Middleware } from './express.ts';
import type { GuardOptions } from './guard.ts';
import type { NodeResponding } from './node-request.ts';

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

/**
 * Screens requests before anything else of a NestJS application, on Express as on Fastify.
 *
 *     const app = await NestFactory.create(AppModule);
 *     app.use(sallyport({ url: 'http://127.0.0.1:8080', key }));
 *
 * It stands before the body parsers of Nest, which come last: bodies are read ahead up to
 * `bodyBytesMax` and given back. For some routes: `consumer.apply(sallyport({ … })).forRoutes(…)`.
 */
export function sallyport(options: GuardOptions & NodeResponding): Middleware {
  return expressMiddleware(options);
}
