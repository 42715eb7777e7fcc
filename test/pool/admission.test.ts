import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Admission } from '../../src/pool/admission.ts';
import { Batcher } from '../../src/pool/batcher.ts';
import type { Queued } from '../../src/pool/fair-queue.ts';
import type { ThreadSet } from '../../src/pool/thread-set.ts';
import { Traffic } from '../../src/pool/traffic.ts';
import { scanInput } from '../support/scan-input.ts';

const request = { owner: 'a', bytes: 100, estimateMs: 10, kind: 'shared' as const };

/** One busy thread, `waiting` requests of 10 ms before the next, all there since `since`. */
function busy({ waiting = 0, since = 0, inWorkMs = 0, limits = {} }) {
  const { admission, batcher } = learning({ inWorkMs, limits });
  for (let index = 0; index < waiting; index += 1) batcher.add({ ...request, since });
  return (deadline: number, now: number, differing = {}) =>
    admission.refusal(
      { ...request, ...differing },
      scanInput('{}', { deadline, ...differing }),
      now,
    );
}

function learning({ inWorkMs = 0, limits = {} } = {}) {
  const batcher = new Batcher<Queued>({
    countMax: 1,
    bytesMax: 1_000,
    workMsMax: 5,
    rivalWorkMsMax: 2,
    ageMs: 1,
    traffic: new Traffic(),
    handOverMs: () => 0,
    freeWorkers: () => 0,
    dispatch: () => undefined,
    atEndOfTurn: () => undefined,
  });
  const threads = { free: () => 0, workersFor: () => 1, inWorkMs: () => inWorkMs };
  const bounds = { queueRequestsMax: 1_000, queueBytesMax: 1_000_000, ...limits };
  const admission = new Admission<Queued>({
    ...bounds,
    batcher,
    threads: threads as unknown as ThreadSet<Queued>,
  });
  return { admission, batcher };
}

describe('admission', () => {
  it('counts what threads have and what goes before, but not the request itself', () => {
    const refusal = busy({ waiting: 4, inWorkMs: 8 });
    assert.equal(refusal(49, 0), undefined);
    assert.equal(refusal(47, 0), 'deadline-too-short');
    assert.equal(refusal(Number.POSITIVE_INFINITY, 0), undefined);
    assert.equal(busy({})(0.001, 0, { estimateMs: 1e6 }), undefined, 'nothing goes before');
  });

  it('lets a request wait half of its time in a queue that has stood for long', () => {
    const refusal = busy({ waiting: 6, since: 0 });
    assert.equal(refusal(100 + 70, 100), undefined, 'a burst may use all of it');
    assert.equal(refusal(101 + 70, 101), 'deadline-too-short');
    assert.equal(refusal(101 + 121, 101), undefined);
    assert.equal(refusal(101 + 70, 101, { isPatient: true }), undefined, 'no deadline was stated');
    assert.equal(refusal(101 + 25, 101, { owner: 'b' }), undefined, 'another owner waits a turn');
  });

  it('keeps an eighth of the queue for others', () => {
    const refusal = busy({ waiting: 15, limits: { queueRequestsMax: 16 } });
    assert.equal(refusal(9_999, 0), 'overloaded');
    assert.equal(refusal(9_999, 0, { owner: 'b' }), undefined);
    const bytes = busy({ waiting: 15, limits: { queueBytesMax: 1_700 } });
    assert.equal(bytes(9_999, 0), 'overloaded');
    assert.equal(bytes(9_999, 0, { owner: 'b' }), undefined);
    assert.equal(bytes(9_999, 0, { owner: 'b', bytes: 201 }), 'overloaded', 'no room at all');
  });

  it('knows large requests by their bytes, and heavy ones by what their size takes', () => {
    const { admission } = learning();
    const kindOf = (bytes: number) => admission.sizedOf('a', bytes).kind;
    assert.deepEqual([100, 20_000, 60_000, 65_537].map(kindOf), [
      'shared',
      'shared',
      'shared',
      'large',
    ]);
    const taken = { ...request, bytes: 20_000, since: 0 };
    for (let index = 0; index < 50; index += 1) admission.worked([taken], 6, () => 6);
    assert.deepEqual([100, 20_000, 16_384, 40_000].map(kindOf), [
      'shared',
      'heavy',
      'heavy',
      'shared',
    ]);
    for (let index = 0; index < 50; index += 1) admission.worked([taken], 1, () => 1);
    assert.equal(kindOf(20_000), 'shared', 'what is learnt can change');
  });
});
