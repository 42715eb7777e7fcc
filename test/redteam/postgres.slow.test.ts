import { sql } from '../../bench/redteam/grammar/sql.ts';
import { postgres } from '../../bench/redteam/oracle/sql/postgres.ts';
import { sqlRewriters } from '../../bench/redteam/rewrite/sql.ts';
import { testOracle, testRewriters } from './laws.ts';
import { portableExploits } from './sql-exploits.ts';

testOracle(postgres, {
  ...portableExploits,
  number: [
    ['3; COMMIT; DROP TABLE cards'],
    ['3; SET statement_timeout = 0; COMMIT; DELETE FROM users'],
    ['3 AND (SELECT 1 FROM pg_sleep(5)) = 1'],
    ['3 AND length(pg_catalog.pg_sleep(5)::text) > 0'],
  ],
  'string, E and quotes doubled': [["x\\' OR 1=1 -- "]],
  'JSON key': [["size' FROM products -- "], ["'||(SELECT CAST(password AS int) FROM users)||'"]],
});
testRewriters(
  postgres,
  sql,
  sqlRewriters.filter(({ dialects }) => dialects.includes('postgres')),
);
