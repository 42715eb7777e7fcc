import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answers } from '../../../src/contract/live.ts';
import type { RequestTrace, TraceEnd } from '../../../src/contract/trace.ts';
import { createTracer } from '../../../src/telemetry/exporters/tracer.ts';
import { memoryLog } from '../../support/scan-input.ts';
import { until } from '../../support/until.ts';
import { type Answering, startReceiver } from './receiver.ts';
import { attributesIn, spansIn } from './spans.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const sampled = `00-${traceId}-${parentId}-01`;
const retryMs = { first: 20, last: 100 };
const end: TraceEnd = {
  decisionId: 'd-1',
  startedAt: 1_000,
  endedAt: 1_010,
  status: 200,
  kind: answers.allow,
  problem: undefined,
};

async function open(t: TestContext, answering?: Answering, headers?: string) {
  const { url, received } = await startReceiver(t, answering);
  const log = memoryLog();
  const tracer = createTracer({ endpoint: url, headers, version: '1.2.3', log, retryMs });
  t.after(() => tracer.close());
  const begin = (traceparent = sampled): RequestTrace =>
    tracer.begin(traceparent, 'POST /control') ?? assert.fail(`no trace: ${traceparent}`);
  return { tracer, begin, received, log };
}

test('a traceparent is taken as the standard writes it, and no other', async (t) => {
  const { tracer, begin } = await open(t);
  const { response, spanId, ...trace } = begin();
  assert.deepEqual([trace.traceId, trace.parentId], [traceId, parentId]);
  assert.match(spanId, /^[0-9a-f]{16}$/);
  assert.equal(response, `00-${traceId}-${spanId}-01`);
  assert.ok(begin(`cc-${traceId}-${parentId}-03-more`).timing, 'a later version may say more');
  for (const none of [
    '',
    'x',
    sampled.toUpperCase(),
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parentId}`,
    ` ${sampled}`,
  ]) {
    assert.equal(tracer.begin(none, 'POST /control'), undefined, none);
  }
});

test('the span of a request has those of the queue and the engine below it', async (t) => {
  const { tracer, begin, received } = await open(t, undefined, 'x-tenant=a%20b,authorization=k');
  const trace = begin();
  const timing = { queuedAt: 1_001, startedAt: 1_003.5, engineFrom: 1_004, engineMs: 0.25 };
  Object.assign(trace.timing ?? {}, timing);
  tracer.ended(trace, end);
  await until('the spans arrive', () => received.length > 0);
  const [{ path, headers, body } = assert.fail()] = received;
  assert.equal(path, '/v1/traces');
  assert.deepEqual([headers['x-tenant'], headers.authorization], ['a b', 'k']);
  const [resourceSpans] = JSON.parse(body).resourceSpans;
  const resource = attributesIn(resourceSpans.resource);
  assert.equal(resource['service.name'], 'sallyport');
  assert.equal(resource['service.version'], '1.2.3');
  const [request, queue, engine, ...others] = spansIn(body);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [request?.name, request?.kind, request?.parentSpanId, request?.spanId],
    ['POST /control', 2, parentId, trace.spanId],
  );
  assert.deepEqual(attributesIn(request), {
    'http.request.method': 'POST',
    'http.route': '/control',
    'url.path': '/control',
    'http.response.status_code': 200,
    'sallyport.decision': 'allow',
    'sallyport.decision_id': 'd-1',
  });
  const spans = [request, queue, engine];
  for (const span of spans) assert.equal(span?.traceId, traceId);
  for (const span of [queue, engine]) assert.equal(span?.parentSpanId, trace.spanId);
  const length = (span = request) =>
    Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)) / 1e6;
  assert.deepEqual(spans.map(length), [10, 2.5, 0.25]);
  const startedAt = Number(BigInt(request?.startTimeUnixNano ?? 0) / 1_000_000n);
  assert.ok(Math.abs(startedAt - (performance.timeOrigin + 1_000)) < 2, 'since 1970');
});

test('a request that never came to a thread has one span, and a fault is marked', async (t) => {
  const { tracer, begin, received } = await open(t);
  tracer.ended(begin(), { ...end, status: 503, kind: answers.refused, problem: 'overloaded' });
  await until('the span arrives', () => received.length > 0);
  const [span, ...others] = spansIn(received[0]?.body ?? '');
  assert.deepEqual(others, []);
  assert.deepEqual(span?.status, { code: 2 });
  const attributes = attributesIn(span);
  assert.equal(attributes['error.type'], 'overloaded');
  assert.equal(attributes['http.response.status_code'], 503);
});

test('a status is a fault from 500 on', async (t) => {
  const { tracer, begin, received } = await open(t);
  for (const status of [499, 500]) tracer.ended(begin(), { ...end, status });
  const spans = () => received.flatMap(({ body }) => spansIn(body));
  await until('both spans arrive', () => spans().length === 2);
  assert.deepEqual(
    spans().map((span) => span.status),
    [undefined, { code: 2 }],
  );
});

test('what the caller has not sampled does not leave, and a collector that is away costs nothing', async (t) => {
  const { tracer, begin, received, log } = await open(t, () => ({ status: 503 }));
  const quiet = begin(sampled.replace(/01$/, '00'));
  assert.deepEqual([quiet.timing, quiet.response.slice(-2)], [undefined, '00']);
  tracer.ended(quiet, end);
  for (let i = 0; i < 5_000; i += 1) tracer.ended(begin(), end);
  assert.equal(tracer.stats().dropped, 1_000);
  await tracer.close();
  assert.deepEqual(tracer.stats(), { sent: 0, dropped: 5_000 });
  assert.ok(received.length > 0);
  assert.equal(log.lines.length, 1, 'it is said once');
});

test('without a collector the ids alone are kept', async () => {
  const log = memoryLog();
  const tracer = createTracer({ endpoint: undefined, headers: undefined, version: '1', log });
  const trace = tracer.begin(sampled, 'POST /control');
  assert.equal(trace?.traceId, traceId);
  assert.equal(trace?.timing, undefined);
  await tracer.close();
});
