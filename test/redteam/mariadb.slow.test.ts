import { sql } from '../../bench/redteam/grammar/sql.ts';
import { mariadb } from '../../bench/redteam/oracle/sql/mariadb.ts';
import { sqlRewriters } from '../../bench/redteam/rewrite/sql.ts';
import { testOracle, testRewriters } from './laws.ts';
import { portableExploits } from './sql-exploits.ts';
import { testUnfitTampers } from './unfit-tampers.ts';

testOracle(mariadb, {
  ...portableExploits,
  number: [['3 AND SLEEP(5)'], ['3 OR BENCHMARK(90000000, MD5(1))']],
  'several statements, number': [
    ['2; DROP TABLE cards'],
    ['2; COMMIT; DELETE FROM users; COMMIT'],
    ['2; DELETE FROM cards; USE information_schema'],
  ],
  'string, double quotes': [['x" OR 1=1 -- ']],
  'string, quotes doubled': [["x\\' OR 1=1 -- "]],
  'JSON path': [["size') FROM products -- "]],
});
testRewriters(
  mariadb,
  sql,
  sqlRewriters.filter(({ dialects }) => dialects.includes('mariadb')),
);
testUnfitTampers(mariadb, sql);
