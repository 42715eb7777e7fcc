import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { confidence } from '../../src/core/placement/confidence.ts';
import type { ValueRule } from '../../src/core/rules/rule.ts';

const { certain, likely, hint } = confidence;

const ruleFor = (word: string, score: number, found = score): ValueRule => ({
  id: `other.${word}`,
  cwe: 'CWE-20',
  severity: 'low',
  score,
  message: word,
  trigger: { literals: [[word]] },
  examples: [word],
  lookalikes: ['a'],
  judge: ({ text }) => {
    judged++;
    return { start: 0, end: text.length, score: found };
  },
});

let judged = 0;

const rules = [
  ruleFor('weak', hint),
  ruleFor('middle', likely),
  ruleFor('strong', certain),
  ruleFor('raised', likely, certain),
];
const engine = createEngine([{ category: 'other', rules }]);

const scoresOf = (words: readonly string[]): readonly number[] => {
  const result = engine.screen(
    { body: JSON.stringify({ words }), context: noContext },
    defaultPolicy,
  );
  assert.equal(result.kind, 'verdict');
  return result.verdict.findings.map(({ score }) => score).sort((one, other) => other - one);
};

const times = (count: number, word: string): readonly string[] =>
  Array.from({ length: count }, () => word);

test('a full list of findings keeps the strongest, wherever they stand', () => {
  const max = limits.findingsMax;
  const full = times(max, 'weak');
  assert.deepEqual(
    scoresOf([...full, 'weak']),
    times(max, 'weak').map(() => hint),
  );
  const expected = [certain, likely, likely, ...full.slice(3).map(() => hint)];
  assert.deepEqual(scoresOf([...full, 'middle', 'weak', 'strong', 'middle', 'weak']), expected);
  assert.deepEqual(scoresOf(['middle', 'strong', ...full, 'middle']), expected);
  const strong = scoresOf([...times(max, 'middle'), ...times(max, 'strong'), 'middle']);
  assert.deepEqual(
    strong,
    full.map(() => certain),
  );
});

test('a match above the score of its rule replaces one in a full list', () => {
  const found = scoresOf([...times(limits.findingsMax, 'middle'), 'raised']);
  assert.equal(found[0], certain);
});

test('nothing is judged that cannot change the list', () => {
  judged = 0;
  // Three views of one field: raw, without escapes, and without those behind them.
  scoresOf(['strong%2541']);
  assert.equal(judged, 1);
  judged = 0;
  scoresOf([...times(limits.findingsMax, 'strong'), ...times(1_000, 'raised')]);
  assert.equal(judged, limits.findingsMax);
});
