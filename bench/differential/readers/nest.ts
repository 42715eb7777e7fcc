import 'reflect-metadata';
import { All, Body, Controller, Module, Req, UploadedFiles, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AnyFilesInterceptor, ExpressAdapter } from '@nestjs/platform-express';
import type { Request } from 'express';
import { sallyport } from '../../../src/clients/nest.ts';
import type { Reader } from '../engine/reader.ts';
import { nodeReader, type Probe, portOf } from './node-reader.ts';
import { seeFile, seeHeaders, seeText } from './see.ts';

/** NestJS on Express, with the body parsers that it brings and an interceptor for files. */
export const nestReaders: readonly Reader[] = [
  nodeReader('nest', async (options, probe) => {
    const app = await NestFactory.create(moduleFor(probe), new ExpressAdapter(), { logger: false });
    app.use(sallyport(options));
    await app.listen(0, '127.0.0.1');
    return { port: portOf(app.getHttpServer()), close: () => app.close() };
  }),
];

/** Decorators are called by hand: TypeScript does not simply strip them. */
function moduleFor(probe: Probe): new () => object {
  class EchoController {
    echo(req: Request, body: unknown, files: Record<string, unknown>[] | undefined): string {
      const { sightings } = probe;
      sightings.add('url', req.originalUrl);
      for (const value of Object.values(req.params).flat()) sightings.add('params', value);
      sightings.add('query', req.query);
      seeHeaders(sightings, req.headers);
      if (typeof body === 'string') seeText(sightings, body);
      else sightings.add('body', body);
      for (const file of files ?? []) seeFile(sightings, file, false);
      return '';
    }
  }
  const { prototype } = EchoController;
  const method = Object.getOwnPropertyDescriptor(prototype, 'echo') ?? {};
  All(['/p/:id', '/', '*path'])(prototype, 'echo', method);
  UseInterceptors(AnyFilesInterceptor())(prototype, 'echo', method);
  Req()(prototype, 'echo', 0);
  Body()(prototype, 'echo', 1);
  UploadedFiles()(prototype, 'echo', 2);
  Controller()(EchoController);
  class EchoModule {}
  Module({ controllers: [EchoController] })(EchoModule);
  return EchoModule;
}
