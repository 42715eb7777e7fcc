import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  endsValue,
  followsValue,
  standsBesideValue,
  wordsBefore,
} from '../../../src/core/text/place.ts';

/** Splits a row at `^`, the place in question. */
function place(row: string): readonly [text: string, at: number] {
  return [row.replace('^', ''), row.indexOf('^')];
}

describe('places in a text', () => {
  const values = [
    '^; id',
    '127.0.0.1^; id',
    'a b^; id',
    "'^; id",
    '<x>^$(id)',
    `/a?b=c${'d'.repeat(200)}^|id`,
  ];
  const prose = ['we like salt and pepper^; find more', `${'word '.repeat(40)}^; id`];
  for (const row of values)
    it(`value: ${row.slice(-40)}`, () => assert.ok(followsValue(...place(row))));
  for (const row of prose)
    it(`prose: ${row.slice(-40)}`, () => assert.ok(!followsValue(...place(row))));

  it('takes a quote after prose for a way out only where one is needed', () => {
    const row = place(`then he typed git grep '^$(id)`);
    assert.equal(followsValue(...row), true);
    assert.equal(standsBesideValue(...row), false);
  });

  it('counts words, not numbers and marks', () => {
    assert.equal(wordsBefore(...place('127.0.0.1 | 5 x^')), 0);
    assert.equal(wordsBefore(...place('salt & Pfeffer^')), 2);
  });

  it('sees what follows', () => {
    assert.equal(endsValue('id` ok', 3), true);
    assert.equal(endsValue('id` is a command', 3), false);
  });
});
