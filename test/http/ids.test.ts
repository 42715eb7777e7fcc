import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdMaker, isSaneRequestId } from '../../src/http/ids.ts';

test('an id is a UUIDv7 of its millisecond', () => {
  const time = 0x0192_3456_789a;
  const id = createIdMaker(() => time)();
  assert.match(id, /^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids do not repeat over refills of the random pool, and every random bit moves', () => {
  const make = createIdMaker(() => 1);
  const ids = new Set<string>();
  const seen = Array.from({ length: 36 }, () => new Set<string>());
  for (let round = 0; round < 5_000; round += 1) {
    const id = make();
    ids.add(id);
    for (const [index, char] of [...id].entries()) seen[index]?.add(char);
  }
  assert.equal(ids.size, 5_000);
  const values = seen.map((chars) => chars.size);
  assert.deepEqual(values.slice(0, 15), Array(15).fill(1), 'time and version stand still');
  const random = [16, 16, 16, 1, 4, 16, 16, 16, 1, ...Array(12).fill(16)];
  assert.deepEqual(values.slice(15), random);
});

test('the time of ids follows the clock', () => {
  let time = 1;
  const make = createIdMaker(() => time);
  assert.equal(make().slice(0, 13), '00000000-0001');
  time = 0xffff_ffff_ffff;
  assert.equal(make().slice(0, 13), 'ffffffff-ffff');
});

test('request ids that may be echoed', () => {
  for (const id of ['a', 'A-z_0.9~:/+=', 'x'.repeat(128)]) assert.ok(isSaneRequestId(id), id);
  for (const id of ['', 'a b', 'a\nb', 'a\r', '"', 'ü', 'x'.repeat(129)]) {
    assert.ok(!isSaneRequestId(id), id);
  }
});
