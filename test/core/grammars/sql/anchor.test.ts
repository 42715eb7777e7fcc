import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sqlAnchor } from '../../../../src/core/grammars/sql/anchor.ts';
import { unionAnchor } from '../../../../src/core/grammars/sql/union-anchor.ts';

function checkAll(grammar: typeof sqlAnchor, texts: readonly string[], expected: boolean): void {
  for (const text of texts) assert.equal(grammar.read(text), expected, JSON.stringify(text));
}

describe('the cheap look for SQL', () => {
  it('passes sentences that go on behind a quotation', () => {
    checkAll(
      sqlAnchor,
      [
        '"We answer the phone now." Union members select a delegate',
        '"Nice" and everybody went home',
        '"Great!" -- Lea;\n"too thin" -- Tom;\nThe end',
        'sales rose by 12.5% a year',
        'call between 9:00 and 17:30 please',
      ],
      false,
    );
  });

  it('stops where a statement may go on', () => {
    checkAll(
      sqlAnchor,
      [
        "x' or a=b",
        '1 or 5!=6',
        '1 or not 5 != 6',
        "x' and name",
        "x' union select",
        "x' union /*! select",
        '1 order by 5',
        '1 order\nby 5',
        '1order by 5',
        'a between 1 and 2',
        "admin' -- ",
        "admin' -- x\nor 'a",
        "admin' # x\n-- y\r) like 'a",
        `admin' --${'x'.repeat(300)}\n a`,
        '5 -- x\nand 2',
      ],
      true,
    );
  });

  it('takes few steps where comments follow each other', () => {
    const text = ')#\n'.repeat(200_000);
    assert.equal(sqlAnchor.read(`${text}a`), true);
  });
});

describe('the cheap look for UNION', () => {
  it('passes what is no query', () => {
    checkAll(
      unionAnchor,
      ['Union members', 'union', 'union all workers', 'reunions select'],
      false,
    );
  });

  it('stops before a query, however it is hidden', () => {
    checkAll(
      unionAnchor,
      [
        'a union b union select 1',
        'union(select 1)',
        'union all(((select 1)))',
        'union/**/select',
        'union*//*!50000select*/',
        'union--x\nselect',
        'union#\nselect',
        'union\u00a0select 1',
        'UNION+ALL+SELECT+1',
        'except values(1)',
        'intersect table t',
        'unions; union SELECTCHAR(73)',
      ],
      true,
    );
  });
});
