import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import busboy from 'busboy';
import cookieParser from 'cookie-parser';
import express from 'express';
import formidable, { type Fields, type Files } from 'formidable';
import multer from 'multer';
import { sallyport } from '../../../src/clients/express.ts';
import type { Reader } from '../engine/reader.ts';
import type { Sightings } from '../engine/sightings.ts';
import { listening, nodeReader, type Probe } from './node-reader.ts';
import { ownTypes, seeFile, seeHeaders, seeText, tried } from './see.ts';

/** It has no types of its own, and for what is used here it is the same. */
const express4 = createRequire(import.meta.url)('express4') as typeof express;

type Handler = express.RequestHandler;

/** The parsers in front of Sallyport, and those on the route behind it. */
interface Shape {
  readonly name: string;
  readonly framework?: typeof express;
  readonly front?: () => readonly Handler[];
  readonly behind?: () => readonly Handler[];
  /** Reads the body in the handler. */
  readonly read?: (req: express.Request, sightings: Sightings) => Promise<void>;
}

const every = () => true;

const usual = (from: typeof express) => (): Handler[] => [
  from.json(),
  from.urlencoded({ extended: true }),
  from.text(),
  from.raw(),
];

const shapes: readonly Shape[] = [
  { name: 'express5', front: usual(express) },
  { name: 'express5-behind', behind: usual(express) },
  { name: 'express4', framework: express4, front: usual(express4) },
  { name: 'express4-behind', framework: express4, behind: usual(express4) },
  { name: 'express5-simple', front: () => [express.urlencoded({ extended: false })] },
  { name: 'express5-simple-behind', behind: () => [express.urlencoded({ extended: false })] },
  { name: 'express5-json-any', front: () => [express.json({ type: every, strict: false })] },
  { name: 'express5-json-any-behind', behind: () => [express.json({ type: every })] },
  { name: 'express5-form-any', front: () => [express.urlencoded({ type: every })] },
  {
    name: 'express5-form-any-behind',
    behind: () => [express.urlencoded({ type: every, extended: true })],
  },
  { name: 'express5-text-any', front: () => [express.text({ type: every })] },
  { name: 'express5-text-any-behind', behind: () => [express.text({ type: every })] },
  { name: 'express5-raw-any', front: () => [express.raw({ type: every })] },
  { name: 'express5-raw-any-behind', behind: () => [express.raw({ type: every })] },
  { name: 'express5-multer', front: () => [multer().any()] },
  { name: 'express5-multer-behind', behind: () => [multer().any()] },
  { name: 'express5-multer-none', behind: () => [multer().none()] },
  { name: 'express5-formidable', read: readFormidable },
  { name: 'express5-busboy', read: readBusboy },
];

/** Express 4 and 5 with the parsers that people use with it. */
export const expressReaders: readonly Reader[] = shapes.map((shape) =>
  nodeReader(shape.name, (options, probe) => {
    const framework = shape.framework ?? express;
    const app = framework();
    // Otherwise it writes the stack of each error to the console.
    app.set('env', 'test').set('query parser', 'extended');
    app.use(cookieParser('secret'), ...(shape.front?.() ?? []), sallyport(options));
    app.use(...(shape.behind?.() ?? [passOn]));
    app.use('/p', framework.Router().get('/:id', passOn));
    app.all('/p/:id', answer(shape, probe));
    app.use(answer(shape, probe));
    return listening(createServer(app));
  }),
);

const passOn: Handler = (_req, _res, next) => next();

function answer(shape: Shape, probe: Probe): Handler {
  return (req, res) => {
    const { sightings } = probe;
    seeRequest(sightings, req, shape);
    (shape.read?.(req, sightings) ?? Promise.resolve()).then(
      () => res.end(),
      () => res.status(400).end(),
    );
  };
}

function seeRequest(sightings: Sightings, req: express.Request, shape: Shape): void {
  const isInFront = shape.front !== undefined;
  // Who takes any text for a form has no fields, but what is left of a text.
  const place = shape.name.startsWith('express5-form-any') ? 'raw form' : 'body';
  sightings.add('url', req.originalUrl);
  sightings.add('url', req.path);
  sightings.add('params', req.params);
  sightings.add('query', req.query);
  seeHeaders(sightings, req.headers);
  sightings.add('cookie', req.cookies);
  sightings.add('cookie', req.signedCookies);
  const body: unknown = req.body;
  if (typeof body === 'string') seeText(sightings, body);
  else if (Buffer.isBuffer(body)) seeText(sightings, body.toString('utf8'));
  else sightings.add(place, body);
  const files = (req.files ?? []) as unknown as Record<string, unknown>[];
  for (const file of files) seeFile(sightings, file, isInFront);
}

type Parsed = readonly [fields: Fields, files: Files];

/** With files in memory: it would write them to the disk. */
async function readFormidable(req: express.Request, sightings: Sightings): Promise<void> {
  const form = formidable({
    allowEmptyFiles: true,
    minFileSize: 0,
    fileWriteStreamHandler: () => memory(sightings),
  });
  const parsed = new Promise<Parsed>((resolve, reject) => {
    // It throws for codings of parts that it does not know, where nothing could catch it.
    form.onPart = (part) => {
      // It is asynchronous, whatever its type says.
      Promise.resolve(form._handlePart(part)).catch(reject);
    };
    form.parse(req).then(resolve, reject);
  });
  const [fields, files] = await parsed;
  // JSON that is no object.
  if (typeof fields === 'string' || Array.isArray(fields)) {
    sightings.add('body', fields);
    return;
  }
  for (const [name, values] of Object.entries(fields)) {
    // A part without a name is called `null`.
    if (name !== 'null') sightings.add('body name', name);
    sightings.add('body', values);
  }
  for (const [name, list] of Object.entries(files)) {
    if (!ownNames.has(name)) sightings.add('body name', name);
    for (const file of list ?? []) {
      sightings.add('filename', file.originalFilename);
      if (!ownTypes.has(file.mimetype)) sightings.add('file type', file.mimetype);
    }
  }
}

/** What formidable calls a part without a name, and a body that is one file. */
const ownNames: ReadonlySet<string> = new Set(['null', 'file']);

function memory(sightings: Sightings): Writable {
  const contents: Buffer[] = [];
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      contents.push(chunk);
      done();
    },
    final: (done) => {
      sightings.add('file', Buffer.concat(contents));
      done();
    },
  });
}

function readBusboy(req: express.Request, sightings: Sightings): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = tried(() => busboy({ headers: req.headers }));
    if (parser === undefined) {
      req.resume().once('end', resolve);
      return;
    }
    parser.on('field', (name, value) => {
      sightings.add('body name', name);
      sightings.add('body', value);
    });
    parser.on('file', (name, stream, info) => {
      sightings.add('body name', name);
      sightings.add('filename', info.filename);
      if (!ownTypes.has(info.mimeType)) sightings.add('file type', info.mimeType);
      stream.on('data', (chunk: Buffer) => sightings.add('file', chunk));
      // A file without an end is reported here, and once more by the parser.
      stream.on('error', () => undefined);
    });
    parser.once('close', resolve);
    parser.on('error', reject);
    req.once('error', reject);
    req.pipe(parser);
  });
}
