import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { EventSummary } from '../../src/contract/event.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { BlockRecord, Explainer } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { eventOf } from '../../src/events/event-of.ts';
import { type EventWriterParts, startEventWriter } from '../../src/events/event-writer.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { keepLog } from '../access/key-fixture.ts';
import { tempDir } from '../support/temp-dir.ts';

const engine = createEngine();

/** Describes with the real core, on this thread. */
export const inlineExplainer: Pick<Explainer, 'describe'> = {
  async describe({ blocks, depth }) {
    return blocks.map(({ record, facts }) => {
      if (depth === 'bare') return eventOf(record, facts);
      const { body, context, policy } = record;
      const request = { body: new TextDecoder().decode(body), context };
      const outcome = engine.explain(request, policy, 'findings');
      assert.ok(outcome.kind === 'explained');
      return eventOf(record, facts, outcome.explanation.verdict.findings);
    });
  },
};

let made = 0;

/** A block, with an id that is greater than all before. */
export function recordOf(body: object, parts: Partial<BlockRecord> = {}): BlockRecord {
  const text = JSON.stringify(body);
  const context = parts.context ?? noContext;
  const result = engine.screen({ body: text, context }, defaultPolicy);
  assert.ok(result.kind === 'verdict' && result.verdict.decision === 'block', text);
  made += 1;
  return {
    decisionId: `01970000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    requestId: 'r',
    keyId: 'Abc12345',
    policyId: 'default',
    policyVersion: 3,
    policy: defaultPolicy,
    body: new TextEncoder().encode(text),
    context,
    verdict: result.verdict,
    monitored: false,
    ...parts,
  };
}

/** Many blocks that differ in their ids. */
export function recordsOf(count: number): BlockRecord[] {
  const record = recordOf({ q: "' OR 1=1 --" });
  return Array.from({ length: count }, () => {
    made += 1;
    const decisionId = `01970000-0000-7000-8000-${String(made).padStart(12, '0')}`;
    return { ...record, decisionId };
  });
}

/** A writer on a fresh SQLite file, or on that of a folder. */
export async function openWriter(
  t: TestContext,
  { dataDir = tempDir(), ...parts }: Partial<EventWriterParts> & { readonly dataDir?: string } = {},
) {
  const { database } = await openDatabase({ dataDir, busyTimeoutMs: 100 });
  t.after(() => database.destroy());
  const store = createSqlEventStore(database);
  const stored: EventSummary[] = [];
  const log = keepLog();
  const writer = startEventWriter({
    store,
    explainer: inlineExplainer,
    log,
    spool: { dataDir, bytesMax: 67_108_864 },
    clock: () => 1_900_000_000_000,
    keyNameOf: () => 'shop',
    onStored: (event) => stored.push(event),
    ...parts,
  });
  t.after(() => writer.close());
  return { writer, store, stored, log, database, dataDir };
}
