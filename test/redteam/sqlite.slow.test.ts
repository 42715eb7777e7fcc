import { sql } from '../../bench/redteam/grammar/sql.ts';
import { sqlite } from '../../bench/redteam/oracle/sql/sqlite.ts';
import { sqlRewriters } from '../../bench/redteam/rewrite/sql.ts';
import { testOracle, testRewriters } from './laws.ts';
import { portableExploits } from './sql-exploits.ts';

testOracle(sqlite, {
  ...portableExploits,
  'string, double quotes': [['x" OR 1=1 -- ']],
  'number, in parentheses': [
    ['(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n)'],
  ],
  'several statements, number': [
    ["2; ATTACH DATABASE 'x.php' AS x; CREATE TABLE x.t (a)"],
    ['2; DROP TABLE cards'],
    ['2; PRAGMA writable_schema = 1; DELETE FROM sqlite_schema'],
  ],
  'JSON path': [["size'), (SELECT password FROM users) FROM products -- "]],
});
testRewriters(
  sqlite,
  sql,
  sqlRewriters.filter(({ dialects }) => dialects.includes('sqlite')),
);
