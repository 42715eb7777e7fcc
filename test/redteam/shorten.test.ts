import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from '../../bench/redteam/judge/shorten.ts';

const cases: readonly (readonly [
  texts: readonly string[],
  holds: (texts: readonly string[]) => boolean,
  shortest: readonly string[],
])[] = [
  [['before or behind'], ([text = '']) => text.includes('or'), ['or']],
  [['a(b(c)d)e'], ([text = '']) => /\(.*\(.*\).*\)/.test(text), ['(())']],
  [['xx1xx', 'yy2yy'], (texts) => texts[0]?.includes('1') === true, ['1', '']],
  [['', 'kept'], ([, text]) => text === 'kept', ['', 'kept']],
  [['abc'], () => false, ['abc']],
];

test('texts are cut down to what they need, each for itself', async () => {
  for (const [texts, holds, shortest] of cases) {
    assert.deepEqual(await shorten(texts, async (shorter) => holds(shorter)), shortest);
  }
});
