import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '../../contract/ports.ts';
import type { RequestTrace, TraceEnd, Tracer } from '../../contract/trace.ts';
import { type EndedTrace, otlpBody } from './otlp.ts';
import { Outbox, type OutboxStats } from './outbox.ts';
import { postJson } from './post.ts';

export interface TracerOptions {
  /** Where spans go, without `/v1/traces`; ids alone are kept without it. */
  readonly endpoint: string | undefined;
  /** `name=value,name=value`, each percent-encoded, as OTEL_EXPORTER_OTLP_HEADERS has them. */
  readonly headers: string | undefined;
  readonly version: string;
  readonly log: Log;
  readonly retryMs?: { readonly first: number; readonly last: number };
}

/** A tracer that ends with the process. */
export interface ClosableTracer extends Tracer {
  stats(): OutboxStats;
  close(): Promise<void>;
}

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;
const tracesPath = '/v1/traces';

/** Follows traces by https://www.w3.org/TR/trace-context/, and sends spans by OTLP over HTTP. */
export function createTracer(options: TracerOptions): ClosableTracer {
  const outbox = options.endpoint === undefined ? undefined : spanBox(options, options.endpoint);
  return {
    begin: (traceparent, name) => beginTrace(traceparent, name, outbox !== undefined),
    ended(trace: RequestTrace, end: TraceEnd) {
      if (trace.timing !== undefined) outbox?.add({ trace, end });
    },
    stats: () => outbox?.stats() ?? { sent: 0, dropped: 0 },
    close: async () => outbox?.close(),
  };
}

function beginTrace(traceparent: string, name: string, areSpansSent: boolean) {
  if (traceparent === '') return undefined;
  const [, version, traceId = '', parentId = '', flags = '', rest] = format.exec(traceparent) ?? [];
  // Later versions may say more; this one may not.
  const isFit =
    version !== undefined && version !== 'ff' && (version !== '00' || rest === undefined);
  if (!isFit || zeros.test(traceId) || zeros.test(parentId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  const spanId = randomBytes(8).toString('hex');
  return {
    traceId,
    parentId,
    spanId,
    name,
    response: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    timing:
      isSampled && areSpansSent
        ? { queuedAt: 0, startedAt: 0, engineFrom: 0, engineMs: 0 }
        : undefined,
  };
}

function spanBox(options: TracerOptions, endpoint: string): Outbox<EndedTrace> {
  const { version, log, retryMs } = options;
  const base = endpoint.replace(/\/+$/, '');
  const url = base.endsWith(tracesPath) ? base : base + tracesPath;
  const headers = { 'user-agent': `sallyport/${version}`, ...headersOf(options.headers ?? '') };
  const resource = {
    'service.name': 'sallyport',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  };
  return new Outbox<EndedTrace>({
    name: 'traces',
    log,
    itemsMax: 4_000,
    batchMax: 200,
    gatherMs: 1_000,
    ...(retryMs === undefined ? {} : { retryMs }),
    send: ({ items }, signal) =>
      postJson(url, { body: otlpBody(items, resource), headers, signal }),
  });
}

function headersOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
