import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusalNotes } from '../../src/access/refusal-notes.ts';

const minute = 60_000;

test('a name from an address has one entry a minute, which counts the failures before it', () => {
  let now = 0;
  const notes = createRefusalNotes(() => now);
  const due = (address = '10.0.0.1') => notes.due('ada', address);
  assert.deepEqual([due(), due(), due()], [1, undefined, undefined]);
  assert.equal(due('10.0.0.2'), 1, 'another address');
  now += minute - 1;
  assert.equal(due(), undefined);
  now += 1;
  assert.equal(due(), 4);
  assert.equal(due(), undefined);
});

test('all names and addresses have thirty entries a minute together, and no failure is lost', () => {
  let now = 0;
  const notes = createRefusalNotes(() => now);
  const addresses = Array.from({ length: 40 }, (_, at) => `10.0.0.${at}`);
  const flood = () => addresses.map((address) => notes.due('', address));
  assert.equal(flood().filter((one) => one !== undefined).length, 30);
  now += minute;
  assert.deepEqual(
    ['10.0.0.39', '10.0.0.0'].map((address) => notes.due('', address)),
    [2, 1],
  );
});
