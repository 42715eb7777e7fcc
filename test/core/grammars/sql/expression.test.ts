import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readExpression } from '../../../../src/core/grammars/sql/expression.ts';
import { sql } from '../../../../src/core/grammars/sql/sql.ts';
import { readRest, restEnd } from '../../../../src/core/grammars/sql/statement-rest.ts';

/** What SQLite (lang_select) and PostgreSQL (SELECT, 4.1, 4.2) read as one expression, to its end. */
const whole: readonly string[] = [
  'select a from b not indexed',
  'select a from b v indexed by c where d',
  'select a from b tablesample system(9) repeatable(1) where c',
  'select a from b window w as (order by c) order by d',
  'select a from only public.b',
  'select a from only(b)',
  'select a from b v(c, d) where c',
  'select a from b order by c using <',
  'select a from b limit all',
  'select a from b offset 1 rows',
  'select a from f(1) with ordinality as t(c, d)',
  'select a from b group by grouping sets((1, 2))',
  'select p /**/ . /**/ "id" from b',
  '1 operator(pg_catalog.=) 1',
  "now() at time zone 'utc'",
  "overlay('abc' placing 'x' from 1) = 'xbc'",
  "xmlexists('//a' passing '<a/>')",
  '(array[true])[1]',
  '(array[1,2])[1:2] = array[1,2]',
  'array[1] <@array[1]',
  '||/8 = 2',
  'a isnull+1',
  'exists(table b)',
  '(with a as(select 1) select * from a)',
  '(count(*)over(order by (select 1)))',
];

/** The same for the rest of a statement, behind a literal or name. */
const rests: readonly string[] = [
  'from b v not indexed--',
  "from b'v'--",
  'from b v(c)--',
  'from b window w as()--',
  'from b tablesample system(9)--',
  'from b limit all--',
  'from b offset 0 rows--',
  'from b for no key update--',
  'from b where c operator(pg_catalog.>) 0--',
  '(select a from b) union all--',
  'with a as materialized(select 1) select b from c union all--',
];

describe('an expression of SQL', () => {
  for (const text of whole) {
    it(`is ${text}`, () => {
      const tokens = sql.read(text);
      const { end, whole: isWhole } = readExpression(tokens, 0, 200);
      assert.deepEqual([end, isWhole], [tokens.count, true]);
    });
  }

  it('ends before a NOT that no operator follows', () => {
    assert.equal(readExpression(sql.read('goods not indexed'), 0, 200).end, 1);
  });

  it('ends a name with its sentence', () => {
    assert.equal(readExpression(sql.read('a said so. "We go"'), 0, 200).end, 1);
  });
});

describe('the rest of a statement of SQL', () => {
  for (const text of rests) {
    it(`is ${text}`, () => assert.equal(readRest(sql.read(text), 0)?.end, restEnd.cut));
  }
});
