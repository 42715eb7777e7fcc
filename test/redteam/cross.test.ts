import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../bench/lib/random.ts';
import { cross } from '../../bench/redteam/judge/cross.ts';

const one = { kind: 'a', values: ["x' OR 1=1 -- "], names: ['body.q'] };
const other = { kind: 'b', values: ["9' UNION SELECT pin FROM users#"] };

test('a child has a head of the one value and a tail of the other', () => {
  const random = new Random(7);
  const children = Array.from({ length: 200 }, () => cross(one, other, random));
  const texts = new Set<string>();
  for (const child of children) {
    if (child === undefined) continue;
    assert.deepEqual([child.kind, child.names], [one.kind, one.names]);
    const [text = ''] = child.values;
    const [first = '', second = ''] = [one.values[0], other.values[0]];
    const cuts = Array.from({ length: text.length + 1 }, (_, cut) => cut);
    const isChild = (cut: number) =>
      first.startsWith(text.slice(0, cut)) && second.endsWith(text.slice(cut));
    assert.ok(cuts.some(isChild), text);
    texts.add(text);
  }
  assert.ok(texts.size > 50, `${texts.size} different children`);
});

test('attacks with another number of values have no child', () => {
  const two = { kind: 'c', values: ['x', 'y'] };
  assert.equal(cross(one, two, new Random(1)), undefined);
});
