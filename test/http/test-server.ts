import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import type {
  BlockRecord,
  HttpServer,
  KeyGrant,
  KeyVerifier,
  Log,
  RefusalReason,
  ScanHead,
  ScanInput,
  Scanner,
  ScanOutcome,
} from '../../src/contract/ports.ts';
import type { Finding, Verdict } from '../../src/contract/verdict.ts';
import { type HttpServerOptions, startHttpServer } from '../../src/http/uws-server.ts';
import { uncountedGrant } from '../support/key-grant.ts';
import { connect, type RawAnswer, type RawClient } from './raw-client.ts';

/** A scanner that does as the test says, and notes what it was given. */
export class FakeScanner implements Scanner {
  readonly inputs: ScanInput[] = [];
  ready = true;
  /** What becomes of a scan; an allow when not set. */
  scanAs: (input: ScanInput) => Promise<ScanOutcome> | ScanOutcome = (input) =>
    allowed(input.body.length);

  /** What is said before the body has come; nothing when not set. */
  refuseAs: (head: ScanHead, bytes: number) => RefusalReason | undefined = () => undefined;

  refusalOf(head: ScanHead, bytes: number): RefusalReason | undefined {
    return this.refuseAs(head, bytes);
  }

  scan(input: ScanInput): Promise<ScanOutcome> {
    // A large body is gone once it was answered.
    this.inputs.push({ ...input, body: new Uint8Array(input.body) });
    return Promise.resolve(this.scanAs(input));
  }

  isReady(): boolean {
    return this.ready;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A verifier with some keys; a key says what policy it has. */
export class FakeKeys implements KeyVerifier {
  readonly policies = new Map<string, Policy>([['good-key', defaultPolicy]]);
  ready = true;
  /** What the store says of a key; nothing when not set. */
  lookUpAs: (key: string) => Promise<void> | undefined = () => undefined;

  verify(key: string): KeyGrant | undefined {
    const policy = this.policies.get(key);
    return policy === undefined ? undefined : uncountedGrant('Abc12345', policy);
  }

  lookUp(key: string): Promise<void> | undefined {
    return this.ready ? this.lookUpAs(key) : undefined;
  }

  isVoid(key: string): boolean {
    return key === 'revoked-key';
  }

  isReady(): boolean {
    return this.ready;
  }
}

export class FakeLog implements Log {
  readonly errors: Readonly<Record<string, unknown>>[] = [];
  readonly warnings: Readonly<Record<string, unknown>>[] = [];
  debug(): void {}
  info(): void {}
  warn(fields: Readonly<Record<string, unknown>>): void {
    this.warnings.push(fields);
  }
  error(fields: Readonly<Record<string, unknown>>): void {
    this.errors.push(fields);
  }
}

export interface TestServer {
  readonly server: HttpServer;
  readonly scanner: FakeScanner;
  readonly keys: FakeKeys;
  readonly log: FakeLog;
  readonly blocks: BlockRecord[];
  open(): Promise<RawClient>;
}

/** A real server on a free port with fake parts behind it; gone when the test ends. */
export async function serve(
  t: TestContext,
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  const scanner = new FakeScanner();
  const keys = new FakeKeys();
  const log = new FakeLog();
  const blocks: BlockRecord[] = [];
  const decisions = {
    answered: () => undefined,
    keyRefused: () => undefined,
    listed: () => undefined,
    screenedInPart: () => undefined,
    blocked: (record: BlockRecord): number => blocks.push(record),
  };
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    scanner,
    keys,
    log,
    decisions,
    drainMsMax: 100,
    ...options,
  });
  const clients: RawClient[] = [];
  t.after(async () => {
    for (const client of clients) client.end();
    await server.stop();
  });
  const open = async (): Promise<RawClient> => {
    const client = await connect(server.address);
    clients.push(client);
    return client;
  };
  return { server, scanner, keys, log, blocks, open };
}

/** The text of a request to `/control`; a header with the value `undefined` is left out. */
export function controlRequest(
  body: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): string {
  const all: Record<string, string | undefined> = {
    host: 'localhost',
    'x-api-key': 'good-key',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /control HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends one request on a connection of its own. */
export async function exchange(from: TestServer, request: string): Promise<RawAnswer> {
  const client = await from.open();
  client.send(request);
  return client.answer({ headOnly: request.startsWith('HEAD ') });
}

export function allowed(bytes: number): ScanOutcome {
  return {
    kind: 'verdict',
    verdict: verdict({ coverage: { complete: true, bytes, reasons: [] } }),
  };
}

export function verdict(parts: Partial<Verdict> = {}): Verdict {
  return {
    decision: 'allow',
    score: 0,
    threshold: 70,
    findings: [],
    coverage: { complete: true, bytes: 12, reasons: [] },
    ...parts,
  };
}

export const finding: Finding = {
  category: 'sqli',
  rule: 'sqli.tautology',
  cwe: 'CWE-89',
  severity: 'critical',
  pointer: '/filters/3/q',
  where: 'value',
  decoded: ['percent', 'base64'],
  span: [4, 19],
  evidence: "' or 1=1 --",
  score: 92,
  message: 'closes a string literal and adds an always-true condition',
};

export const blocked: ScanOutcome = {
  kind: 'verdict',
  verdict: verdict({ decision: 'block', score: 92, findings: [finding] }),
};

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Asserts what every answer has, and gives its parsed body. */
export function checkAnswer(answer: RawAnswer, status: number): Record<string, unknown> {
  assert.equal(answer.status, status, answer.body);
  assert.match(answer.headers.get('x-decision-id') ?? '', uuidV7);
  assert.notEqual(answer.headers.get('x-request-id') ?? '', '');
  return JSON.parse(answer.body) as Record<string, unknown>;
}

/** Asserts a problem document (RFC 9457) with the id of its decision. */
export function checkProblem(answer: RawAnswer, status: number, code: string): string {
  const problem = checkAnswer(answer, status);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'id']);
  assert.equal(problem['type'], `urn:sallyport:problem:${code}`);
  assert.equal(problem['status'], status);
  assert.equal(problem['id'], answer.headers.get('x-decision-id'));
  return String(problem['detail']);
}

/** Waits until a condition holds, looking once in a few milliseconds; fails after ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 2_000; look += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail('the condition did not come true');
}
