import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { sallyport } from '../../../src/clients/koa.ts';
import type { Reader } from '../engine/reader.ts';
import type { Sightings } from '../engine/sightings.ts';
import { listening, nodeReader } from './node-reader.ts';
import { seeFile, seeHeaders, seeTarget, seeText } from './see.ts';

/** It has no types of its own. */
const koaMulter = createRequire(import.meta.url)('@koa/multer') as () => { any(): unknown };

interface Shape {
  readonly name: string;
  readonly front: () => readonly Koa.Middleware[];
  readonly behind: () => readonly Koa.Middleware[];
}

const parser = () =>
  bodyParser({ jsonStrict: false, enableTypes: ['json', 'form', 'text', 'xml'] }) as Koa.Middleware;
const files = () => koaMulter().any() as Koa.Middleware;

const shapes: readonly Shape[] = [
  { name: 'koa', front: () => [parser()], behind: () => [] },
  { name: 'koa-behind', front: () => [], behind: () => [parser()] },
  { name: 'koa-multer', front: () => [files()], behind: () => [] },
  { name: 'koa-multer-behind', front: () => [], behind: () => [files()] },
];

/** Koa with its parsers in front of Sallyport and behind it. */
export const koaReaders: readonly Reader[] = shapes.map((shape) =>
  nodeReader(shape.name, (options, probe) => {
    const app = new Koa();
    app.silent = true;
    for (const one of [...shape.front(), sallyport(options), ...shape.behind()]) {
      app.use(one as Koa.Middleware);
    }
    app.use((ctx) => {
      seeRequest(probe.sightings, ctx, shape.behind().length === 0);
      ctx.body = '';
    });
    return listening(createServer(app.callback()));
  }),
);

function seeRequest(sightings: Sightings, ctx: Koa.Context, isInFront: boolean): void {
  seeTarget(sightings, ctx.originalUrl);
  sightings.add('query', ctx.query);
  seeHeaders(sightings, ctx.headers);
  const body: unknown = Reflect.get(ctx.request, 'body');
  if (typeof body === 'string') seeText(sightings, body);
  else sightings.add('body', body);
  const uploaded: unknown = Reflect.get(ctx.request, 'files') ?? Reflect.get(ctx, 'files');
  if (!Array.isArray(uploaded)) return;
  for (const file of uploaded as Record<string, unknown>[]) seeFile(sightings, file, isInFront);
}
