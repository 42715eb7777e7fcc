import { describe, type TestContext } from 'node:test';
import {
  closeDatabase,
  type DatabaseOptions,
  type OpenDatabase,
  openDatabase,
} from '../../src/storage/database.ts';
import { freshPostgres } from './postgres.ts';
import { tempDir } from './temp-dir.ts';

/** A fresh database that a test may open as often as it likes, as several nodes would. */
export interface TestDatabase {
  readonly options: DatabaseOptions;
  /** Opens it; closed after the test, unless the test has done so. */
  open(): Promise<OpenDatabase & { close(): Promise<void> }>;
}

/** Makes a database for one test; undefined when the test was skipped. */
export type MakeDatabase = (t: TestContext) => Promise<TestDatabase | undefined>;

/**
 * Runs the same tests on SQLite and on PostgreSQL. Each test begins with
 * `const fresh = await make(t); if (fresh === undefined) return;`.
 */
export function describeOnEachDatabase(name: string, tests: (make: MakeDatabase) => void): void {
  describe(`${name} on SQLite`, () =>
    tests(async (t) => testDatabase(t, { dataDir: tempDir(), busyTimeoutMs: 2_000 })));
  describe(`${name} on PostgreSQL`, () =>
    tests(async (t) => {
      const databaseUrl = await freshPostgres(t);
      if (databaseUrl === undefined) return undefined;
      return testDatabase(t, { dataDir: tempDir(), databaseUrl, busyTimeoutMs: 2_000 });
    }));
}

function testDatabase(t: TestContext, options: DatabaseOptions): TestDatabase {
  return {
    options,
    async open() {
      const opened = await openDatabase(options);
      let closed: Promise<void> | undefined;
      const close = () => {
        closed ??= closeDatabase(opened);
        return closed;
      };
      t.after(close);
      return { ...opened, close };
    },
  };
}
