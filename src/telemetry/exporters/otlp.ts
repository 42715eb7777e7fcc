import { randomBytes } from 'node:crypto';
import { type AnswerName, answers } from '../../contract/live.ts';
import type { RequestTrace, TraceEnd } from '../../contract/trace.ts';

// OTLP in its JSON form, https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. Three
// spans of a few members each: the packages of OpenTelemetry would be 20 MB for it.

export interface EndedTrace {
  readonly trace: RequestTrace;
  readonly end: TraceEnd;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const spanKind = { internal: 1, server: 2 } as const;
const statusError = 2;

const answerNames = Object.fromEntries(
  Object.entries(answers).map(([name, kind]) => [kind, name]),
) as Readonly<Record<number, AnswerName>>;

/** The body of a request to a collector. */
export function otlpBody(ended: readonly EndedTrace[], resource: Attributes): string {
  const spans = ended.flatMap(spansOf);
  const scope = { name: 'sallyport' };
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans }] },
    ],
  });
}

/** The span of the request, and those of the queue and the engine if it came so far. */
function spansOf({ trace, end }: EndedTrace): readonly object[] {
  const { traceId, spanId, parentId, name, timing } = trace;
  const [method, route] = name.split(' ');
  const isFault = end.status >= 500;
  const request = {
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    kind: spanKind.server,
    startTimeUnixNano: unixNano(end.startedAt),
    endTimeUnixNano: unixNano(end.endedAt),
    attributes: attributesOf({
      'http.request.method': method,
      'http.route': route,
      'url.path': route,
      'http.response.status_code': end.status,
      'error.type': isFault ? (end.problem ?? String(end.status)) : undefined,
      'sallyport.decision': answerNames[end.kind],
      'sallyport.decision_id': end.decisionId,
      'sallyport.problem': end.problem,
    }),
    ...(isFault ? { status: { code: statusError } } : {}),
  };
  // A request that was refused before has not been in a thread.
  if (timing === undefined || timing.startedAt === 0) return [request];
  const part = (what: string, from: number, to: number) => ({
    traceId,
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: spanId,
    name: what,
    kind: spanKind.internal,
    startTimeUnixNano: unixNano(from),
    endTimeUnixNano: unixNano(to),
  });
  const { queuedAt, startedAt, engineFrom, engineMs } = timing;
  return [
    request,
    part('queue', queuedAt, startedAt),
    part('engine', engineFrom, engineFrom + engineMs),
  ];
}

function attributesOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [
      { key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } },
    ];
  });
}

/** Nanoseconds since 1970 as a text: they are beyond what a number holds. */
function unixNano(ms: number): string {
  return `${Math.round((performance.timeOrigin + ms) * 1_000)}000`;
}
