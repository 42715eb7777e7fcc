import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { Pool } from 'undici';
import { describeOnEachDatabase, type MakeDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from '../api/api-server.ts';
import { type Reply, ReplyChecker } from './check-reply.ts';
import { SchemaArbitraries } from './schema-arbitrary.ts';

const formType = 'application/x-www-form-urlencoded';
/** For each operation; a run is one request. */
const runs = 25;

/** One operation of the document. */
interface Operation {
  readonly path: string;
  readonly method: string;
  readonly spec: Body;
}

/** A request as it goes out. */
interface Wire {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Sent;
}

/** What is sent as a body, and whether the document allows it; undefined where it says nothing. */
interface Sent {
  readonly bytes: Buffer | undefined;
  readonly type?: string;
  readonly fits?: boolean;
}

/** A server with something of everything, its document, and those who may ask it. */
interface Fixture {
  readonly api: ApiServer;
  readonly document: Body;
  readonly keys: Readonly<Record<'liveKey' | 'adminKey', string>>;
  /** What is there, by the segment of the path that it stands behind. */
  readonly ids: Readonly<Record<string, fc.Arbitrary<string>>>;
  readonly values: SchemaArbitraries;
  readonly checker: ReplyChecker;
  send(method: string, wire: Wire): Promise<Reply>;
}

describeOnEachDatabase('requests made from the document', (database) => {
  it('are answered as the document says, whatever is wrong with them', async (t) => {
    const fixture = await start(database, t);
    if (fixture === undefined) return;
    const { api, document } = fixture;
    for (const [path, operations] of Object.entries<Body>(document.paths)) {
      for (const [method, spec] of Object.entries<Body>(operations)) {
        await fuzz(fixture, { path, method: method.toUpperCase(), spec });
      }
    }
    await fuzzTheRest(fixture);

    assert.equal((await api.call('/livez')).status, 200);
    const headers = { 'x-api-key': fixture.keys.adminKey };
    const make = async (what: string, body: object): Promise<Body> =>
      (await api.call(`/api/${what}`, { headers, body })).body;
    const { policy } = await make('policies', { name: 'afterwards', document: {}, comment: '' });
    const { secret } = await make('keys', { name: 'afterwards', policyId: policy.id });
    await until('requests are screened as before', async () => {
      return (await api.screen(secret, { q: "' OR 1=1 --" })).status === 403;
    });
    assert.deepEqual(
      api.log.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });
});

async function start(make: MakeDatabase, t: TestContext): Promise<Fixture | undefined> {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { dataDir, databaseUrl } = fresh.options;
  const api = await startApi(t, { dataDir, databaseUrl });
  await api.setUp();
  const live = await api.newKey();
  const admin = (await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } })).body;
  const watch = { name: 'watch', document: { mode: 'monitor' }, comment: '' };
  const { policy } = (await api.call('/api/policies', { body: watch })).body;
  const hook = { name: 'hook', kind: 'webhook', target: { url: 'http://127.0.0.1:9/' } };
  const { channel } = (await api.call('/api/notifications', { body: hook })).body;
  const spare = await api.newKey('spare');
  await until('two blocks are stored', async () => {
    await api.screen(live.secret, { q: "' OR 1=1 --" });
    return (await api.call('/api/events')).body.events.length >= 2;
  });
  const { events } = (await api.call('/api/events')).body;
  const ids = {
    events: events.map(({ id }: Body) => String(id)),
    policies: [policy.id, 'default'],
    keys: [spare.id],
    notifications: [channel.id],
    administrators: ['ada', 'grace'],
  };
  const document = (await api.call('/openapi.json')).body;
  const pool = new Pool(api.origin, { connections: 2 });
  t.after(() => pool.destroy());
  return {
    api,
    document,
    keys: { liveKey: live.secret, adminKey: admin.secret },
    ids: Object.fromEntries(
      Object.entries(ids).map(([name, some]) => [name, fc.constantFrom(...some)]),
    ),
    values: new SchemaArbitraries(document, Object.values(ids).flat()),
    checker: new ReplyChecker(document),
    send: (method, wire) => sendOver(pool, method, wire),
  };
}

/** `fetch` would tidy the target up. */
async function sendOver(pool: Pool, method: string, wire: Wire): Promise<Reply> {
  const { target, headers, body } = wire;
  const answer = await pool.request({
    method: method as 'GET',
    path: target,
    headers: { ...headers, ...(body.type === undefined ? {} : { 'content-type': body.type }) },
    ...(body.bytes === undefined ? {} : { body: body.bytes }),
  });
  const all = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) all.set(name, String(value));
  const type = all.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    answer.body.on('error', () => undefined).destroy();
    return { status: answer.statusCode, headers: all, body: '' };
  }
  const text = await answer.body.text();
  const isJson = /^application\/(?:problem\+)?json\b/.test(type);
  return {
    status: answer.statusCode,
    headers: all,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

/** Sends requests to one operation and holds each answer against the document. */
async function fuzz(fixture: Fixture, operation: Operation): Promise<void> {
  const { checker, send } = fixture;
  const { path, method, spec } = operation;
  const examples = exampleOf(fixture, operation);
  for (const wire of examples) {
    const { status, body } = await send(method, wire);
    const isWrong = [400, 401, 415, 422].includes(status);
    assert.ok(!isWrong, `the example of ${method} ${path}: ${status} ${JSON.stringify(body)}`);
  }
  await fc.assert(
    fc.asyncProperty(wireOf(fixture, operation), async (wire) => {
      const reply = await send(method, wire);
      assert.ok(reply.status < 500 || reply.status === 503, JSON.stringify(reply.body));
      checker.check(path, method, reply);
      const isRefused = reply.status >= 400 && reply.status < 500;
      const isOpen = spec.security.length === 0 || isIn(spec.security, {});
      if (!isOpen && !isAuthorised(fixture, operation, wire)) assert.ok(isRefused, 'let in');
      if (wire.body.fits === false) assert.ok(reply.status >= 400, 'took what does not fit');
      const isPlain = wire.headers['x-deadline-ms'] === undefined;
      if (wire.body.fits === true && isPlain) {
        // But for the bounds of a policy, which are as narrow as it says.
        const said = JSON.stringify(reply.body);
        assert.ok(reply.status !== 400 || /body-too-(?:deep|many-members)/.test(said), said);
      }
    }),
    { numRuns: runs, examples: examples.map((one) => [one] as [Wire]), includeErrorInReport: true },
  );
}

function isIn(list: readonly object[], wanted: object): boolean {
  return list.some((one) => JSON.stringify(one) === JSON.stringify(wanted));
}

function isAuthorised({ keys }: Fixture, { spec }: Operation, wire: Wire): boolean {
  const schemes: string[] = spec.security.flatMap((one: Body) => Object.keys(one));
  const key = wire.headers['x-api-key'];
  if (schemes.includes('session') && wire.headers['cookie'] !== undefined) return true;
  return (['liveKey', 'adminKey'] as const).some(
    (kind) => schemes.includes(kind) && key === keys[kind],
  );
}

/** The requests that a tool makes of the document as it stands. */
function exampleOf(fixture: Fixture, { path, spec }: Operation): readonly Wire[] {
  const { keys } = fixture;
  const admits = (scheme: string) => spec.security.some((one: Body) => scheme in one);
  const headers: Record<string, string> = {};
  if (admits('liveKey')) headers['x-api-key'] = keys.liveKey;
  if (admits('adminKey')) headers['x-api-key'] = keys.adminKey;
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return spec.parameters.find((one: Body) => one.name === name).example;
  });
  const form = spec.requestBody?.content[formType];
  if (form !== undefined) {
    const bytes = Buffer.from(new URLSearchParams(form.example).toString());
    return [{ target, headers, body: { bytes, type: formType } }];
  }
  const content = spec.requestBody?.content['application/json'];
  if (content === undefined) return [{ target, headers, body: { bytes: undefined } }];
  const shown = Object.values<Body>(content.examples ?? { only: { value: content.example } });
  return shown.map(({ value }) => ({ target, headers, body: json(value, true) }));
}

function json(value: unknown, fits: boolean): Sent {
  return { bytes: Buffer.from(JSON.stringify(value)), type: 'application/json', fits };
}

function wireOf(fixture: Fixture, operation: Operation): fc.Arbitrary<Wire> {
  return fc
    .tuple(
      targetOf(fixture, operation),
      headersOf(fixture, operation),
      bodyOf(fixture, operation.spec.requestBody?.content['application/json']?.schema),
    )
    .map(([target, headers, body]) => ({ target, headers, body }));
}

/** Path with its parameters filled in, and a query of known and unknown members. */
function targetOf({ ids, values }: Fixture, { path, spec }: Operation): fc.Arbitrary<string> {
  const inQuery: Body[] = (spec.parameters ?? []).filter((one: Body) => one.in === 'query');
  const segment = fc.oneof(
    { arbitrary: ids[path.split('/')[2] ?? ''] ?? values.known, weight: 4 },
    { arbitrary: values.text().filter((text) => text !== ''), weight: 1 },
  );
  const segments = fc.tuple(segment, fc.oneof(fc.constant('1'), segment));
  const pairs = inQuery.map(({ name, schema }) => {
    const value = fc.oneof(values.fitting(schema), values.text());
    return value.map((one) => `${name}=${percent(String(one))}`);
  });
  const query = fc.oneof(
    { arbitrary: fc.constant(''), weight: 2 },
    { arbitrary: fc.subarray(pairs).chain((some) => fc.tuple(...some)), weight: inQuery.length },
    { arbitrary: values.text().map((name) => [`${percent(name)}=1`]), weight: 1 },
  );
  return fc.tuple(segments, query).map(([names, some]) => {
    let next = 0;
    const filled = path.replace(/\{\w+\}/g, () => percent(names[next++] ?? 'x'));
    return some.length === 0 ? filled : `${filled}?${[...some].join('&')}`;
  });
}

function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
}

/** Mostly those who may, sometimes others; and headers of the document with anything in them. */
function headersOf({ api, keys, values }: Fixture, { spec }: Operation) {
  const right = spec.security.some((one: Body) => 'liveKey' in one) ? keys.liveKey : keys.adminKey;
  const key = (value: string) => fc.constant({ 'x-api-key': value });
  const caller: fc.Arbitrary<Record<string, string>> = fc.oneof(
    { arbitrary: key(right), weight: 8 },
    { arbitrary: key(right === keys.liveKey ? keys.adminKey : keys.liveKey), weight: 1 },
    { arbitrary: fc.constantFrom({}, { 'x-api-key': 'sp_live_' }), weight: 1 },
    { arbitrary: fc.constant({ cookie: api.cookie, origin: api.origin }), weight: 1 },
  );
  const inHeader: Body[] = (spec.parameters ?? []).filter((one: Body) => one.in === 'header');
  const others = fc.subarray(inHeader).chain((some) =>
    fc.tuple(
      ...some.map(({ name, schema }) =>
        fc
          .oneof(values.fitting(schema), values.text())
          // What a header may hold, RFC 9110, section 5.5.
          .map(
            (value) =>
              [
                name,
                String(value)
                  .replace(/[^\x20-\x7e]/g, '')
                  .trim(),
              ] as const,
          ),
      ),
    ),
  );
  return fc
    .tuple(caller, others)
    .map(([who, some]) => ({ ...Object.fromEntries(some), ...who }) as Record<string, string>);
}

/** A body that fits, one that nearly does, or none that could. */
function bodyOf({ values, checker }: Fixture, schema: Body): fc.Arbitrary<Sent> {
  if (schema === undefined) return fc.constant({ bytes: undefined });
  const isValid = checker.compile(schema);
  const judged = (value: unknown) => json(value, isValid(value) === true);
  const text = JSON.stringify({ a: 1 });
  return fc.oneof(
    { arbitrary: values.fitting(schema).map(judged), weight: 7 },
    { arbitrary: values.spoilt(schema).map(judged), weight: 5 },
    {
      arbitrary: fc.constantFrom<Sent>(
        { bytes: Buffer.from(text), type: 'text/plain', fits: false },
        { bytes: Buffer.from(text), fits: false },
        { bytes: Buffer.from(text.slice(1)), type: 'application/json', fits: false },
        { bytes: Buffer.from(`\ufeff${text}`), type: 'application/json', fits: false },
        { bytes: Buffer.from([123, 34, 255, 34]), type: 'application/json', fits: false },
        { bytes: Buffer.alloc(0), type: 'application/json', fits: false },
        { bytes: undefined, type: 'application/json', fits: false },
        { bytes: Buffer.from('['.repeat(50_000)), type: 'application/json', fits: false },
        { bytes: Buffer.alloc(1_048_577, ' '), type: 'application/json', fits: false },
      ),
      weight: 2,
    },
  );
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** Paths and methods of which the document does not speak. */
async function fuzzTheRest({ document, keys, values, send }: Fixture): Promise<void> {
  const known = Object.keys(document.paths).filter((path) => path !== '/forward');
  const strange = values.text().map((text) => `/${percent(text)}`);
  const path = fc.oneof(
    fc.constantFrom(...known),
    strange.filter((one) => one !== '/'),
  );
  const headers = { 'x-api-key': keys.adminKey };
  const body = { bytes: undefined };
  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom(...methods), async (template, method) => {
      const operations = document.paths[template];
      if (operations?.[method.toLowerCase()] !== undefined) return;
      const target = template.replace(/\{\w+\}/g, 'x');
      const reply = await send(method, { target, headers, body });
      if (operations === undefined) {
        assert.equal(reply.status, 404, `${method} ${target}`);
        return;
      }
      // What can be asked by GET without a session takes HEAD as well; one of them asks for a key.
      const isGet = operations?.['get'] !== undefined;
      if (method === 'HEAD' && isGet && (reply.status === 200 || reply.status === 401)) return;
      const allowed = (reply.headers.get('allow') ?? '').toLowerCase().split(', ');
      assert.equal(reply.status, method === 'OPTIONS' ? 204 : 405, `${method} ${target}`);
      for (const one of Object.keys(operations)) assert.ok(allowed.includes(one), target);
    }),
    { numRuns: runs * 8, includeErrorInReport: true },
  );
}
