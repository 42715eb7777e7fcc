import { accessSync, constants } from 'node:fs';
import type { AddressLists } from '../contract/address-list.ts';
import type { ClientReports } from '../contract/client-report.ts';
import type { LearningSink } from '../contract/learnt-shape.ts';
import { limits } from '../contract/limits.ts';
import type { SnapshotState } from '../contract/live.ts';
import type { Management } from '../contract/management.ts';
import type {
  DecisionSink,
  HttpServer,
  KeyVerifier,
  Log,
  Metrics,
  Pages,
  RateLimits,
  RequestMapper,
  Scanner,
  ShadowSink,
} from '../contract/ports.ts';
import type { Tracer } from '../contract/trace.ts';
import { createApiHandler } from './api/router.ts';
import { apiRoutes } from './api/routes/routes.ts';
import { DescriptorGuard } from './descriptor-guard.ts';
import type { Service } from './exchange.ts';
import { FloodGauge } from './flood-gauge.ts';
import { createIdMaker } from './ids.ts';
import { type Listening, listenTcp, listenUnix } from './listen.ts';
import { trustedProxiesOf } from './peer.ts';
import { endBodyWait } from './read-body.ts';
import { Reception } from './reception.ts';
import { attachRoutes, attachWatching } from './routes/routes.ts';
import { SlowBodies } from './slow-bodies.ts';
import { loadUws, type UwsApp, type UwsModule, type UwsResponse } from './uws.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 lets the system choose; `address` says which. */
  readonly port: number;
  /** Listens here instead of on TCP. */
  readonly socketPath?: string;
  readonly tls?: TlsFiles;
  /**
   * Whether other processes listen on the same port (SO_REUSEPORT), or take the Unix socket over.
   * Then the shutdown hands over to them: what clients keep open is closed after one more answer.
   */
  readonly sharePort?: boolean;
  readonly scanner: Scanner;
  readonly keys: KeyVerifier;
  readonly addresses?: AddressLists;
  /** Parts that work from memory because their source is unavailable; for `/readyz`. */
  readonly degraded?: () => readonly string[];
  /** For `/readyz`. */
  readonly snapshot?: () => SnapshotState | undefined;
  readonly log: Log;
  readonly decisions: DecisionSink;
  /** Sees the requests of policies with a candidate. */
  readonly shadow?: ShadowSink;
  readonly learning?: LearningSink;
  /** Told what clients could not have screened. */
  readonly clientReports?: ClientReports;
  /** The name of a policy, by its id; the id when left out. */
  readonly policyNameOf?: (id: string) => string;
  /** Of the service, for the OpenAPI document. */
  readonly version?: string;
  /** Counts the keys that have a rate limit; none is limited without it. */
  readonly rateLimits?: RateLimits;
  /** Writes what proxies ask about; without it there is no `/forward`. */
  readonly mapper?: RequestMapper;
  /** The dashboard; there is none without. */
  readonly pages?: Pages;
  /** Follows the traces of callers; none are followed without. */
  readonly tracer?: Tracer | undefined;
  /** Figures for Prometheus; there are none without. */
  readonly metrics?: Metrics;
  readonly metricsToken?: string;
  /** Where the metrics are served instead of beside the other paths. Port 0 takes a free one. */
  readonly metricsAt?: { readonly host: string; readonly port: number };
  /** Addresses and networks whose `X-Forwarded-For` counts for sign-ins; none by default. */
  readonly trustedProxies?: readonly string[];
  /** What the management API works with; without it there is none. */
  readonly management?: Management;
  /** Longest wait of a request that states none, milliseconds; no bound when left out. */
  readonly deadlineMs?: number;
  /** Instead of `limits.bodyReceiveMs`. */
  readonly bodyReceiveMs?: number;
  /** Instead of `limits.receptionBytesMax`. */
  readonly receptionBytesMax?: number;
  /** Instead of `limits.drainMsMax`. */
  readonly drainMsMax?: number;
  /** Instead of `limits.stopGraceMs`, or `limits.handOverMsMax` where the port is shared. */
  readonly graceMs?: number;
  /** Makes decision ids; UUIDv7 when left out. */
  readonly newId?: () => string;
}

/** Starts the HTTP front end: resolves when it listens, rejects with advice when it cannot. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const uws = loadUws();
  const app = createApp(uws, options.tls);
  const service = createService(options);
  const watching = await startWatching(uws, service, options);
  attachRoutes(app, service, { withMetrics: watching === undefined });
  countConnections(app, service);
  const listening = await listen(uws, app, options).catch((error: unknown) => {
    watching?.end();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  return {
    address: listening.address,
    ...(watching === undefined ? {} : { metricsAddress: watching.address }),
    stop: () => {
      if (stopped === undefined) {
        // A process that takes over can be asked for its figures from here on.
        watching?.close();
        stopped = stop(app, service, listening, options).finally(() => watching?.end());
      }
      return stopped;
    },
  };
}

/** Metrics and health on a port of their own, so that each process can be asked for its figures. */
async function startWatching(
  uws: UwsModule,
  service: Service,
  { metricsAt, tls, sharePort = false }: HttpServerOptions,
): Promise<(Listening & { end(): void }) | undefined> {
  if (metricsAt === undefined) return undefined;
  const app = createApp(uws, tls);
  attachWatching(app, service);
  const target = { ...metricsAt, scheme: schemeOf(tls), sharePort };
  return { ...(await listenTcp(uws, app, target)), end: () => app.close() };
}

function schemeOf(tls: TlsFiles | undefined): 'http' | 'https' {
  return tls === undefined ? 'http' : 'https';
}

function createApp(uws: UwsModule, tls: TlsFiles | undefined): UwsApp {
  if (tls === undefined) return uws.App();
  for (const file of [tls.certFile, tls.keyFile]) {
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      throw new Error(`The TLS file ${file} cannot be read. Correct its path or its permissions.`, {
        cause,
      });
    }
  }
  try {
    return uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
  } catch (cause) {
    throw new Error(
      `TLS cannot be set up with the certificate ${tls.certFile} and the key ${tls.keyFile}. ` +
        'Both must be PEM files without a passphrase, and belong together.',
      { cause },
    );
  }
}

function createService(options: HttpServerOptions): Service {
  const bodyReceiveMs = options.bodyReceiveMs ?? limits.bodyReceiveMs;
  return {
    scanner: options.scanner,
    keys: options.keys,
    addresses: options.addresses,
    degraded: options.degraded ?? (() => []),
    snapshot: options.snapshot ?? (() => undefined),
    log: options.log,
    decisions: options.decisions,
    shadow: options.shadow,
    learning: options.learning,
    clientReports: options.clientReports,
    policyNameOf: options.policyNameOf ?? ((id) => id),
    version: options.version ?? 'unknown',
    rateLimits: options.rateLimits,
    pages: options.pages,
    mapper: options.mapper,
    tracer: options.tracer,
    metrics: options.metrics,
    metricsToken: options.metricsToken,
    trustedProxies: trustedProxiesOf(options.trustedProxies ?? []),
    api:
      options.management === undefined
        ? undefined
        : createApiHandler(apiRoutes, options.management),
    newId: options.newId ?? createIdMaker(),
    deadlineMs: options.deadlineMs ?? Number.POSITIVE_INFINITY,
    bodyReceiveMs,
    slowBodies: new SlowBodies({
      periodMs: Math.max(10, Math.min(250, bodyReceiveMs / 4)),
      onDue: endBodyWait,
    }),
    reception: new Reception(options.receptionBytesMax),
    bodiless: new FloodGauge(limits.bodilessAnswersPerSecondMax),
    endless: new Set(),
    draining: false,
    inFlight: 0,
    connections: 0,
    onIdle: () => undefined,
  };
}

function listen(uws: UwsModule, app: UwsApp, options: HttpServerOptions): Promise<Listening> {
  const { host, port, socketPath, sharePort = false } = options;
  if (socketPath !== undefined) return listenUnix(uws, app, { path: socketPath, sharePort });
  return listenTcp(uws, app, { host, port, scheme: schemeOf(options.tls), sharePort });
}

function countConnections(app: UwsApp, service: Service): void {
  const guard = new DescriptorGuard(service.log);
  const count = (res: UwsResponse, change: number): void => {
    service.connections += change;
    // At once: a caller that is refused can try elsewhere, one that waits cannot.
    if (change > 0 && guard.mustRefuse(service.connections)) res.close();
    if (service.connections === 0) service.onIdle();
  };
  app.filter(count);
}

/** From here on each answer closes its connection. */
async function stop(
  app: UwsApp,
  service: Service,
  listening: Listening,
  options: HttpServerOptions,
): Promise<void> {
  const { drainMsMax = limits.drainMsMax, sharePort = false } = options;
  const { graceMs = sharePort ? limits.handOverMsMax : limits.stopGraceMs } = options;
  service.draining = true;
  listening.close();
  for (const end of service.endless) end();
  await idle(service, () => service.connections === 0, graceMs);
  await idle(service, () => service.inFlight === 0, drainMsMax);
  // The last answers may have been written in this turn: let them reach the kernel.
  await new Promise((resolve) => setImmediate(resolve));
  app.close();
  service.slowBodies.close();
}

/** Resolves when there is nothing left of one kind, or after the time. */
function idle(service: Service, isOver: () => boolean, msMax: number): Promise<void> {
  if (isOver()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, msMax);
    service.onIdle = () => {
      if (!isOver()) return;
      clearTimeout(timer);
      resolve();
    };
  });
}
