import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../src/access/issue-key.ts';
import { startKeyCache } from '../../src/access/key-cache.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { ScanInput } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { compileRules } from '../../src/core/rules/rule-set.ts';
import { BatchDesk } from '../../src/pool/batch-desk.ts';
import { type Screen, screenSafely, ThreadDesk } from '../../src/pool/codec.ts';
import { noFeed } from '../../src/storage/change-feed.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { bodyNamed, type NamedBody, readBodies } from '../lib/inputs.ts';
import { quietLog } from '../lib/log.ts';
import { hardestFor, type MicroCase, type MicroTexts } from './case.ts';

/** The one pass over a text that tells which rules can apply. */
export function prefilterCases(texts: MicroTexts): MicroCase[] {
  const { prefilter } = compileRules(detectors);
  const pattern = hardestFor(texts, (text) => prefilter.scan(text));
  const hard = texts.adversarial.get(pattern) ?? '';
  const of = (input: MicroCase['input'], text: string): MicroCase => {
    const expected = prefilter.scan(text).classes;
    return {
      name: 'prefilter',
      input,
      bytes: Buffer.byteLength(text),
      run: () => prefilter.scan(text).classes,
      isRight: (result) => result === expected,
      ...(input === 'adversarial' ? { note: pattern } : {}),
    };
  };
  return [of('benign', texts.benign), of('attack', texts.attack), of('adversarial', hard)];
}

/** The check of an API key from memory, and the refusal of a wrong and of a malformed one. */
export async function keyCases(): Promise<{ cases: MicroCase[]; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const { database } = await openDatabase({ dataDir: folder, busyTimeoutMs: 1_000 });
  const store = createSqlKeyStore(database);
  const pepper = Buffer.alloc(32, 7);
  const { key } = await issueKey(
    { store, pepper },
    { name: 'bench', now: 0, expiresAt: undefined },
  );
  const cache = await startKeyCache({
    store,
    pepper,
    policies: {
      inForce: (id) => ({ id, version: 1, policy: defaultPolicy }),
      onChange: () => undefined,
    },
    feed: noFeed,
    log: quietLog,
    clock: Date.now,
  });
  const { key: wrong } = await issueKey(
    { store: { ...store, insert: async () => undefined }, pepper },
    { name: 'never stored', now: 0, expiresAt: undefined },
  );
  const check = (input: MicroCase['input'], given: string, isLive: boolean): MicroCase => ({
    name: 'key check',
    input,
    bytes: 0,
    run: () => (cache.verify(given) === undefined ? 0 : 1),
    isRight: (result) => result === Number(isLive),
  });
  // A known id with another secret costs most: the HMAC is made before it can be refused.
  const forged = forge(key);
  return {
    cases: [
      check('benign', key, true),
      { ...check('attack', wrong, false), note: 'unknown id' },
      { ...check('adversarial', forged, false), note: 'known id, malformed secret' },
    ],
    close: async () => {
      await cache.close();
      await database.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same key with one character of its secret changed. */
function forge(key: string): string {
  const at = key.length - 10;
  return `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
}

/** What a batch costs on its way there and back, without the screening. */
export function codecCases(): MicroCase[] {
  const bodies = readBodies();
  return [
    ...batchCases('benign', bodyNamed(bodies, 'login')),
    ...batchCases('attack', bodyNamed(bodies, 'attacks')),
  ];
}

const batchCount = 64;

function batchCases(input: MicroCase['input'], body: NamedBody): MicroCase[] {
  const engine = createEngine();
  const encoder = new TextEncoder();
  const batch: ScanInput[] = Array.from({ length: batchCount }, (_, index) => ({
    body: encoder.encode(body.texts[index % body.texts.length]),
    context: noContext,
    policy: defaultPolicy,
    deadline: Number.POSITIVE_INFINITY,
  }));
  const outcomes = batch.map(({ context, policy }, index) => {
    const text = body.texts[index % body.texts.length] ?? '';
    return screenSafely(engine.screen, { body: text, context }, policy);
  });
  const desk = new BatchDesk();
  const thread = new ThreadDesk();
  let next = 0;
  const screen: Screen = () => {
    const outcome = outcomes[next++ % batchCount];
    if (outcome === undefined) throw new RangeError('The batch of the benchmark has no requests.');
    return outcome;
  };
  const exchange = () => desk.unpack(thread.screen(screen, desk.pack(batch)));
  const areRight = exchange().every(
    (one) => one.kind === 'verdict' && one.verdict.decision === body.expect,
  );
  if (!areRight) {
    throw new Error(`The ${body.name} of the codec benchmark are not all ${body.expect}ed.`);
  }
  return [
    {
      name: 'codec',
      input,
      bytes: batch.reduce((sum, one) => sum + one.body.length, 0),
      run: () => exchange().length,
      isRight: (result) => result === batchCount,
      note: `${batchCount} requests`,
    },
  ];
}
