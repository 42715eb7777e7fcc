import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { collect } from './cli.ts';
import { until } from './until.ts';

/** Lets another process lock an SQLite file; the result gives the lock up. */
export async function lockDatabase(t: TestContext, path: string): Promise<() => Promise<void>> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(path)}, { timeout: 10_000 });
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    database.exec("insert into setting values ('held', 'yes')");
    console.log('locked');
    process.stdin.on('data', () => { database.exec('rollback'); database.close(); process.exit(); });`;
  const holder = spawn(process.execPath, ['-e', script], { stdio: 'pipe' });
  t.after(() => holder.kill('SIGKILL'));
  const [said, failed] = [collect(holder.stdout), collect(holder.stderr)];
  await until('the database is locked', () => {
    if (holder.exitCode !== null) throw new Error(failed());
    return said().includes('locked');
  });
  return async () => {
    holder.stdin.write('let go\n');
    await once(holder, 'exit');
  };
}
