import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { StoredEvent } from '../../src/contract/event.ts';
import type { Finding } from '../../src/contract/verdict.ts';
import { boundEvent, eventBytesMax } from '../../src/events/bound-event.ts';
import { eventBytes } from '../../src/events/event-rows.ts';
import { databasePath, openDatabase } from '../../src/storage/database.ts';
import { type ApiServer, startApi } from '../http/api/api-server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const mebibyte = 1_048_576;
/** Events twice over, for pages and indexes, and the write-ahead log. */
const boundBytes = 2 * mebibyte + 6 * mebibyte;

function folderBytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    bytes += existsSync(path) ? statSync(path).size : 0;
  }
  return bytes;
}

/** A body whose findings stand in members with names of 1,900 characters: as much as is stored. */
function largeBody(number: number): object {
  const members = Array.from({ length: 28 }, (_, index) => [
    `${number}-${index}-${'n'.repeat(1_890)}`,
    `' OR ${index}=${index} -- `,
  ]);
  return Object.fromEntries(members);
}

/** Sends blocks, eight at a time, and gives the largest size that the folder had meanwhile. */
async function flood(api: ApiServer, dataDir: string, blocks: number): Promise<number> {
  const { secret } = await api.newKey();
  let largest = 0;
  let next = 0;
  const send = async () => {
    while (next < blocks) {
      next += 1;
      const { status } = await api.screen(secret, largeBody(next));
      assert.equal(status, 403);
      largest = Math.max(largest, folderBytes(dataDir));
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return largest;
}

test('a flood of large blocks does not fill the disk', { timeout: 120_000 }, async (t) => {
  const dataDir = tempDir();
  const api = await startApi(t, { dataDir, eventsMaxMb: 1 });
  await api.setUp();
  const largest = await flood(api, dataDir, 200);
  assert.ok(largest < boundBytes, `${largest} bytes while they came`);
  await until('all of them are stored or dropped', async () => {
    const bytes = folderBytes(dataDir);
    assert.ok(bytes < boundBytes, `${bytes} bytes while they were written`);
    const text: string = (await api.call('/metrics')).body;
    const counts = [...text.matchAll(/^sallyport_events_(?:stored|dropped)_total (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0) === 200;
  });
  const { body } = await api.call('/api/events');
  assert.ok(body.events.length > 10, 'the latest blocks are there');
  const one = await api.call(`/api/events/${body.events[0].id}`);
  assert.equal(one.status, 200);
  assert.match(one.body.event.pointer, /…$/);
  await api.running.stop();
  const file = statSync(databasePath(dataDir)).size;
  assert.ok(file < 3 * mebibyte, `${file} bytes after the stop`);
});

async function sizeAfterPrune(t: TestContext, dataDir: string): Promise<readonly number[]> {
  const { database } = await openDatabase({ dataDir, busyTimeoutMs: 2_000 });
  t.after(() => database.destroy());
  const { createSqlEventStore } = await import('../../src/events/sql-event-store.ts');
  const store = createSqlEventStore(database);
  for (let batch = 0; batch < 20; batch += 1) {
    await store.insert(Array.from({ length: 40 }, (_, index) => eventOfBytes(batch * 40 + index)));
  }
  const before = folderBytes(dataDir);
  const { removed, bytes } = await store.prune({ olderThan: 0, bytesMax: mebibyte });
  assert.ok(removed > 500);
  assert.ok(bytes <= mebibyte && bytes > mebibyte / 2);
  return [before, folderBytes(dataDir)];
}

test('the file shrinks when much is removed from it', async (t) => {
  const [before = 0, after = 0] = await sizeAfterPrune(t, tempDir());
  assert.ok(before > 8 * mebibyte, String(before));
  assert.ok(after < 3 * mebibyte, `${before} -> ${after}`);
});

test('so does a short one that was made by a version that could not', async (t) => {
  const dataDir = tempDir();
  const options = { dataDir, busyTimeoutMs: 2_000 };
  await (await openDatabase(options)).database.destroy();
  const file = new DatabaseSync(databasePath(dataDir));
  file.exec('pragma auto_vacuum = none; vacuum');
  assert.equal(file.prepare('pragma auto_vacuum').get()?.['auto_vacuum'], 0);
  file.close();
  const [, after = 0] = await sizeAfterPrune(t, dataDir);
  assert.ok(after < 3 * mebibyte, String(after));
});

const finding: Finding = {
  category: 'sqli',
  rule: 'sqli.tautology',
  cwe: 'CWE-89',
  severity: 'critical',
  pointer: '/q',
  where: 'value',
  decoded: ['percent', 'base64'],
  span: [4, 19],
  evidence: "' or 1=1 --",
  score: 92,
  message: 'closes a string literal',
};

function eventOfBytes(number: number, text = 'x'.repeat(2_000)): StoredEvent {
  const step = { decoder: 'percent', text: text.slice(0, 512), start: 0, truncated: true };
  const long = { ...finding, pointer: `/${text}`, evidence: text.slice(0, 160) };
  return {
    id: `01970000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    at: new Date(1_900_000_000_000 + number).toISOString(),
    decision: 'block',
    score: 95,
    threshold: 70,
    category: 'sqli',
    rule: 'sqli.tautology',
    pointer: `/${text}`,
    keyId: 'Abc12345',
    keyName: 'shop',
    policyId: 'default',
    evidence: text.slice(0, 160),
    path: text.slice(0, 512),
    requestId: 'req',
    policyVersion: 1,
    coverage: { complete: true, bytes: 20, reasons: [] },
    findings: Array.from({ length: 16 }, () => ({ ...long, steps: [step, step, step] })),
    context: Object.fromEntries(
      ['method', 'uri', 'client', 'host', 'origin', 'referer'].map((n) => [n, text.slice(0, 512)]),
    ),
  };
}

test('no event takes more than its room, whatever its texts are', () => {
  const unit = fc.constantFrom('a', '\u0001', '"', '€', '👍', '\ud800', '/', '\\');
  fc.assert(
    fc.property(unit, fc.integer({ min: 0, max: 2_000 }), (one, count) => {
      const event = eventOfBytes(1, one.repeat(count).slice(0, 2_000));
      const bound = boundEvent(event, eventBytes);
      assert.ok(eventBytes(bound) <= eventBytesMax, `${one} ${count}: ${eventBytes(bound)}`);
      assert.equal(bound.findings.length + (bound.findingsLeftOut ?? 0), 16);
    }),
  );
});

test('an ordinary event stays as it is, and what is cut says so', () => {
  const plain = { ...eventOfBytes(1, 'short'), findings: [{ ...finding, steps: [] }] };
  assert.deepEqual(boundEvent(plain, eventBytes), plain);
  const cut = boundEvent(eventOfBytes(1), eventBytes);
  assert.match(cut.pointer, /^\/x+…$/);
  assert.ok(cut.findings.every(({ pointer }) => pointer.endsWith('…')));
  assert.ok(cut.findings[0]?.steps.length, 'the strongest finding keeps its steps');
});
