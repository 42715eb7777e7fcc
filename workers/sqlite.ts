import { workerData } from 'node:worker_threads';
import {
  failureOf,
  type SqliteFailure,
  SqliteFile,
  type Statement,
  type StatementResult,
} from '../src/storage/sqlite-file.ts';

const file = new SqliteFile(workerData);

// What the thread of the database does. The driver calls each by its name, and is handed failures
// as values: an error that is thrown loses its numbers between threads.

/** Runs a statement. */
export function execute(statement: Statement): StatementResult | SqliteFailure {
  try {
    return file.execute(statement);
  } catch (error) {
    return failureOf(error);
  }
}

/** Ends a transaction without its changes. */
export function rollBack(): SqliteFailure | undefined {
  return failureIn(() => file.rollBack());
}

/** Closes the file; a further statement would open it again. */
export function close(): SqliteFailure | undefined {
  return failureIn(() => file.close());
}

function failureIn(work: () => void): SqliteFailure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}
