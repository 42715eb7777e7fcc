import type { SqliteFailure, Statement, StatementResult } from '../../src/storage/sqlite-file.ts';
import { execute as run } from '../../workers/sqlite.ts';

export { close, rollBack } from '../../workers/sqlite.ts';

/** As the real one, but for a statement that ends the thread. */
export function execute(statement: Statement): StatementResult | SqliteFailure {
  if (statement.sql === 'end the thread') process.exit(1);
  return run(statement);
}
