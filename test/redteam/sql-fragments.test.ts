import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../../bench/lib/random.ts';
import { sql } from '../../bench/redteam/grammar/sql.ts';
import { mariadb } from '../../bench/redteam/oracle/sql/mariadb.ts';
import { postgres } from '../../bench/redteam/oracle/sql/postgres.ts';
import { sqlite } from '../../bench/redteam/oracle/sql/sqlite.ts';
import { readFragment, writeFragment } from '../../bench/redteam/rewrite/sql/fragment.ts';
import { tamperRewriters } from '../../bench/redteam/rewrite/sql/sqlmap.ts';
import { sqlRewriters } from '../../bench/redteam/rewrite/sql.ts';

describe('a fragment of SQL', () => {
  for (const [value, kinds] of [
    ["x' OR 1=1 -- ", 'head space word space number mark number space end'],
    ["0 OR 'a'='a", 'number space word space string mark tail'],
    ['x*/ UNION SELECT 1#', 'head space word space word space number end'],
    ['1/*\'*/OR/**/"a"', 'number comment word comment name'],
  ] as const) {
    it(`is read: ${value}`, () => {
      assert.equal(
        readFragment(value)
          .map(({ kind }) => kind)
          .join(' '),
        kinds,
      );
    });
  }

  it('is written as it was read, whatever it is', () => {
    const random = new Random(4);
    for (const oracle of [sqlite, postgres, mariadb]) {
      for (const context of oracle.contexts) {
        for (let i = 0; i < 20; i += 1) {
          for (const value of sql.attack(random, oracle, context).values) {
            assert.equal(writeFragment(readFragment(value)), value);
          }
        }
      }
    }
  });
});

describe('the rewriters of SQL', () => {
  it('have a name each, and are the same for the same seed', async () => {
    const names = sqlRewriters.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    const value = "x' UNION SELECT id,'abc',12 FROM users WHERE 1=1 -- ";
    for (const rewriter of sqlRewriters.filter((one) => !tamperRewriters.includes(one))) {
      const first = await rewriter.rewrite(value, new Random(8));
      assert.equal(await rewriter.rewrite(value, new Random(8)), first, rewriter.name);
    }
  });
});
