import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox } from '../../../src/telemetry/exporters/outbox.ts';
import { keepLog } from '../../access/key-fixture.ts';

test('a carrier that hears no signal does not hold up the end', async () => {
  const outbox = new Outbox<string>({
    name: 'deaf',
    log: keepLog(),
    itemsMax: 10,
    batchMax: 1,
    gatherMs: 1,
    // As a datagram does whose host no name server knows.
    send: () => new Promise(() => undefined),
  });
  for (const item of ['a', 'b']) outbox.add(item);
  await outbox.close();
  assert.deepEqual(outbox.stats(), { sent: 0, dropped: 2 });
});
