import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLead } from '../../../../src/core/grammars/sql/expression.ts';
import { sql } from '../../../../src/core/grammars/sql/sql.ts';

/** The text of the constant that a value begins with, and whether a function computes it. */
const rows: readonly (readonly [string, string, boolean?])[] = [
  ['3 or id', '3'],
  ['-1.5e3 or id', '-1.5e3'],
  ["'3' or id", "'3'"],
  ["'red' or id", ''],
  ["X'61' or id", "X'61'"],
  ['3*2 or id', '3*2'],
  ['3 - id', '3'],
  ['(~ -6) or id', '(~ -6)'],
  ['-coalesce(1,0) or id', '-coalesce(1,0)', true],
  ["CAST('3' AS DECIMAL(9)) or id", "CAST('3' AS DECIMAL(9))", true],
  ["length('') or id", "length('')", true],
  ['pi() or id', 'pi()', true],
  ['mod(7,5) or id', 'mod(7,5)', true],
  ['CASE 3 WHEN 3 THEN 3 ELSE 6 END or id', 'CASE 3 WHEN 3 THEN 3 ELSE 6 END', true],
  ['(SELECT 0)) or id', '(SELECT 0)', true],
  ['1,2,5) or id', '1,2,5'],
  ['1,2,5 or id', '1'],
  ['1, abs(2) or id', '1'],
  ['round(price) or id', ''],
  ['colour(3) or id', ''],
  ['name or id', ''],
  ['', ''],
];

describe('the constant that a value begins with', () => {
  for (const [text, lead, isComputed = false] of rows) {
    it(text, () => {
      const tokens = sql.read(text);
      const found = readLead(tokens);
      const end = found.end === 0 ? 0 : tokens.end[found.end - 1];
      assert.deepEqual([text.slice(0, end), found.isComputed], [lead, isComputed]);
    });
  }
});
