import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultPolicy } from '../../src/contract/policy.ts';
import type { BlockRecord } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { type EventWriter, startEventWriter } from '../../src/events/event-writer.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import { quietLog } from '../lib/log.ts';
import { type CpuTime, cpuTimeOf, cpuTimeSince } from '../lib/process-usage.ts';

/** How many blocks are to be stored, and how many may wait: few are stored with their steps. */
export interface CeilingJob {
  readonly blocks: number;
  readonly waitingMax: number;
}

/** What that took. */
export interface CeilingAnswer {
  readonly ms: number;
  readonly stored: number;
  /** Processor time of the thread that answers requests, and of all others. */
  readonly cpu: CpuTime | undefined;
}

// Stores blocks on SQLite as fast as it goes, with nothing else to do: no HTTP, no requests.
answerJob(async (job: CeilingJob): Promise<CeilingAnswer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const { database } = await openDatabase({ dataDir, busyTimeoutMs: 500 });
  const scanner = createPooledScanner({ threads: 2, log: quietLog });
  while (!scanner.isReady()) await delay(5);
  const writer = startEventWriter({
    store: createSqlEventStore(database),
    explainer: scanner,
    log: quietLog,
    spool: { dataDir, bytesMax: 0 },
    clock: Date.now,
    keyNameOf: () => 'bench',
    onStored: () => undefined,
  });
  try {
    return await storeAll(writer, job);
  } finally {
    await writer.close();
    await scanner.close();
    await database.destroy();
    rmSync(dataDir, { recursive: true });
  }
});

async function storeAll(writer: EventWriter, job: CeilingJob): Promise<CeilingAnswer> {
  const records = recordsOf();
  const pids = [process.pid];
  const before = cpuTimeOf(pids);
  const startedAt = performance.now();
  const done = () => writer.stats().stored + writer.stats().dropped;
  for (let sent = 0; done() < job.blocks; ) {
    const room = Math.min(job.blocks - sent, job.waitingMax - (sent - done()));
    for (const last = sent + room; sent < last; sent += 1) {
      const decisionId = `01970000-0000-7000-8000-${String(sent).padStart(12, '0')}`;
      const record = records[sent % records.length];
      if (record !== undefined) writer.add({ ...record, decisionId });
    }
    await delay(2);
  }
  const ms = performance.now() - startedAt;
  return { ms, stored: writer.stats().stored, cpu: cpuTimeSince(before, pids) };
}

/** Each attack of the data, blocked. */
function recordsOf(): BlockRecord[] {
  const engine = createEngine();
  return bodyNamed(readBodies(), 'attacks').texts.map((text) => {
    const outcome = engine.screen({ body: text, context: noContext }, defaultPolicy);
    if (outcome.kind !== 'verdict') throw new Error('An attack of the data is no request.');
    return {
      decisionId: '',
      requestId: 'bench',
      keyId: 'Abc12345',
      policyId: 'default',
      policyVersion: 1,
      policy: defaultPolicy,
      body: new TextEncoder().encode(text),
      context: noContext,
      verdict: outcome.verdict,
      monitored: false,
    };
  });
}
