import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureTable } from '../../src/access/failure-table.ts';

const quarter = 15 * 60_000;

function open() {
  const time = { now: 1_000_000 };
  return { time, table: new FailureTable(() => time.now) };
}

test('failures count for a quarter of an hour from the first one', () => {
  const { time, table } = open();
  table.add('a', 2);
  time.now += quarter - 1;
  table.add('a', 1);
  assert.deepEqual([table.of('a'), table.secondsLeft('a')], [3, 1]);
  time.now += 1;
  assert.equal(table.of('a'), 0);
  assert.equal(table.secondsLeft('a'), 1);
});

test('the time that is left is given in whole seconds', () => {
  const { time, table } = open();
  table.add('a', 1);
  assert.equal(table.secondsLeft('a'), 900);
  time.now += 1;
  assert.equal(table.secondsLeft('a'), 900);
  time.now += 999;
  assert.equal(table.secondsLeft('a'), 899);
});

test('what is taken back is forgotten, and the oldest where there are too many', () => {
  const { table } = open();
  table.add('a', 2);
  table.add('a', -1);
  assert.equal(table.of('a'), 1);
  table.add('a', -1);
  assert.equal(table.of('a'), 0);
  for (let i = 0; i <= 20_000; i += 1) table.add(`n${i}`, 1);
  assert.deepEqual([table.of('n0'), table.of('n1'), table.of('n20000')], [0, 1, 1]);
});
