import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EventSpool } from '../../src/events/event-spool.ts';
import { keepLog } from '../access/key-fixture.ts';
import { smallDisk } from '../support/small-disk.ts';
import { storedEvent } from '../support/stored-event.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a disk that takes no byte leaves no segment behind', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const log = keepLog();
  const spool = new EventSpool({ dataDir: disk.folder, bytesMax: 1_000_000, log });
  disk.fill();
  const event = storedEvent({ at: 1_900_000_000_000, number: 1 });
  assert.equal(await spool.append([event]), false);
  assert.ok(spool.isEmpty);
  assert.deepEqual(readdirSync(join(disk.folder, 'event-spool')), []);
  assert.match(log.lines[0]?.message ?? '', /cannot be written to the spool/);
});

test('a segment that another process has stored is passed over without a word', async () => {
  const parts = { dataDir: tempDir(), bytesMax: 1_000_000 };
  const log = keepLog();
  const spool = new EventSpool({ ...parts, log });
  const events = [1, 2].map((number) => storedEvent({ at: 1_900_000_000_000, number }));
  for (const event of events) {
    assert.ok(await spool.append([event]));
    await spool.close();
  }
  const other = new EventSpool({ ...parts, log });
  await other.scan();
  const first = await other.next();
  assert.deepEqual(first?.events, events.slice(0, 1));
  await first?.remove();
  assert.deepEqual((await spool.next())?.events, events.slice(1));
  assert.deepEqual(log.lines, []);
});
