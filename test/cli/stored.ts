import type { TestContext } from 'node:test';
import { runCli } from '../support/cli.ts';
import type { MakeDatabase } from '../support/databases.ts';
import { runInProcess } from './in-process.ts';

/** The command line over a database that the test has open as well; undefined when skipped. */
export async function cliOver(make: MakeDatabase, t: TestContext) {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { database } = await fresh.open();
  const { dataDir, databaseUrl } = fresh.options;
  const environment: Record<string, string> = {
    SALLYPORT_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { SALLYPORT_DATABASE_URL: databaseUrl }),
  };
  const options = { cwd: dataDir, environment };
  return {
    database,
    dataDir,
    options,
    /** The program in a process of its own. */
    cli: (args: readonly string[], input = '') => runCli(args, { ...options, input }),
    /** The same in this process: quicker, where a test has many. */
    quick: (args: readonly string[], input = '') => runInProcess(args, environment, input),
  };
}
