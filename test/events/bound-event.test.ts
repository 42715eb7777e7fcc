import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../src/contract/event.ts';
import { boundEvent, eventBytesMax } from '../../src/events/bound-event.ts';
import { storedEvent } from '../support/stored-event.ts';

const long = 'p'.repeat(2_000);
const finding = {
  ...{ category: 'sqli', rule: 'sqli.tautology', severity: 'critical', score: 95, cwe: 'CWE-89' },
  ...{ pointer: long, where: 'value', decoded: [], span: [0, 1], evidence: '', message: long },
  steps: [{}],
};
const event = storedEvent({ at: 1_000, number: 1 }, {
  pointer: long,
  findings: Array.from({ length: 20 }, () => finding),
  context: { uri: long },
} as unknown as Partial<StoredEvent>);

/** Lengths of what is kept when an event is too large until `fits` says otherwise. */
function kept(fits: (event: StoredEvent) => boolean) {
  const sizeOf = (one: StoredEvent) => (fits(one) ? eventBytesMax : eventBytesMax + 1);
  const { pointer, context, findings, findingsLeftOut } = boundEvent(event, sizeOf);
  const explained = findings.filter(({ steps }) => steps.length > 0).length;
  const [first] = findings;
  assert.equal(first?.pointer.length, pointer.length);
  assert.equal(first?.message.length, 200);
  assert.ok(pointer.endsWith('p…'));
  return [pointer.length, context.uri?.length, findings.length, findingsLeftOut, explained];
}

test('an event is cut no more than it must be', () => {
  const stepsOf = ({ findings }: StoredEvent) =>
    findings.reduce((sum, { steps }) => sum + steps.length, 0);
  assert.deepEqual(
    kept(() => true),
    [500, 512, 16, 4, 16],
  );
  assert.deepEqual(
    kept((one) => stepsOf(one) <= 1),
    [500, 512, 16, 4, 1],
  );
  assert.deepEqual(
    kept(({ findings }) => findings.length <= 4),
    [200, 200, 4, 16, 1],
  );
  assert.deepEqual(
    kept(({ findings }) => findings.length <= 1),
    [80, 80, 1, 19, 0],
  );
  assert.deepEqual(
    kept(() => false),
    [80, 80, 1, 19, 0],
  );
});
