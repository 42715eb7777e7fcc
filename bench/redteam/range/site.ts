import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express';
import { type Outage, sallyport } from '../../../src/clients/express.ts';
import type { Reply } from '../contract.ts';
import { frontPage } from './front-page.ts';
import type { Route, RouteReply, RunningEngine } from './route.ts';

/** A request as it came, to be sent again. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Values that reached their interpreter and a canary there. */
export interface Hit {
  readonly route: Route;
  readonly values: readonly string[];
  readonly request: SentRequest;
}

/** What came to a site. */
export interface SiteLog {
  requests: number;
  /** Refused by Sallyport. */
  blocked: number;
  /** Those that reached the code of a route. */
  arrived: number;
  readonly hits: Hit[];
  /** Requests that the service did not screen in time: they were refused with another status. */
  readonly outages: Outage[];
}

/** Where a Sallyport serves, and a key of it. */
export interface Guard {
  readonly url: string;
  readonly key: string;
}

/** A site that serves the range on loopback. */
export interface Site {
  readonly url: string;
  readonly log: SiteLog;
  close(): Promise<void>;
}

/** A route and its interpreter, which runs. */
export type OpenRoute = Route & { readonly running: RunningEngine };

/** Longer than the second that tools wait for. */
const slowMs = 1_300;
const storedMax = 20;

/** Serves the range, behind Sallyport where a guard is given: the one line `app.use(sallyport(…))`. */
export async function openSite(routes: readonly OpenRoute[], guard?: Guard): Promise<Site> {
  const log: SiteLog = { requests: 0, blocked: 0, arrived: 0, hits: [], outages: [] };
  const app = express();
  app.set('etag', false);
  app.use((_req, res, next) => {
    log.requests += 1;
    res.once('finish', () => {
      if (res.statusCode === 403) log.blocked += 1;
    });
    next();
  });
  app.use(express.json({ verify: keepBody }), express.urlencoded({ verify: keepBody }));
  if (guard !== undefined) {
    app.use(
      sallyport({
        ...guard,
        // Time enough for a machine that the tools keep busy: speed is not what is measured.
        timeoutMs: 20_000,
        inlineOnOutage: false,
        onOutage: 'block',
        onError: (outage) => log.outages.push(outage),
        onStatus: () => undefined,
      }),
    );
  }
  app.get('/', (_req, res) => {
    res.send(frontPage(routes));
  });
  for (const route of routes) addRoute(app, route, log);
  app.use(showErrors);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function addRoute(app: Express, route: OpenRoute, log: SiteLog): void {
  const { path, at, context, running } = route;
  const stored: string[] = [];
  const handle = async (req: Request, res: Response) => {
    log.arrived += 1;
    const values = valuesOf(route, req);
    const reply = await running.reply(context, values);
    if (await works(route, values, reply)) log.hits.push({ route, values, request: sentOf(req) });
    if (reply.isSlow === true) await delay(slowMs);
    if (route.isStored) {
      stored.push(values[0] ?? '');
      stored.splice(0, stored.length - storedMax);
    }
    send(res, reply);
  };
  const isPosted = at === 'form' || at === 'json';
  if (isPosted) app.post(path, handle);
  else app.get(at === 'path' ? `${path}/:${route.fields[0]}` : path, handle);
  if (route.isStored) app.get(path, (_req, res) => void res.send(stored.join('\n')));
}

/** Twice: on a machine that tools keep busy, a statement may pass its time limit without an attack. */
async function works(route: OpenRoute, values: readonly string[], first: Reply): Promise<boolean> {
  if (first.effect !== 'effective') return false;
  return (await route.running.reply(route.context, values)).effect === 'effective';
}

function send(res: Response, { text, hasFailed, location }: RouteReply): void {
  if (location !== undefined) res.redirect(location);
  else
    res
      .status(hasFailed === true ? 500 : 200)
      .type('html')
      .send(text);
}

function valuesOf({ at, fields }: Route, req: Request): string[] {
  const sources: Readonly<Record<Route['at'], () => Readonly<Record<string, unknown>>>> = {
    query: () => req.query,
    form: () => req.body ?? {},
    json: () => req.body ?? {},
    path: () => req.params,
    cookie: () => cookiesOf(req.headers.cookie ?? ''),
    header: () => req.headers,
  };
  const source = sources[at]();
  return fields.map((field) => textOf(source[field]));
}

function cookiesOf(header: string): Readonly<Record<string, string>> {
  const pairs = header.split(';').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1))];
  });
  return Object.fromEntries(pairs);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

const bodies = new WeakMap<IncomingMessage, Buffer>();

function keepBody(req: IncomingMessage, _res: unknown, body: Buffer): void {
  bodies.set(req, body);
}

/** What the framing of the request is made of anew when it is sent again. */
const framing = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

function sentOf(req: Request): SentRequest {
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    framing.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  return {
    method: req.method,
    target: req.originalUrl,
    headers: Object.fromEntries(headers),
    body: (bodies.get(req) ?? Buffer.alloc(0)).toString('latin1'),
  };
}

/** As many do: the message is for everybody. */
const showErrors: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  const { status = 500 } = error as { readonly status?: number };
  res.status(status).type('text').send(String(error));
};
