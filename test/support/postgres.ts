import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { Client } from 'pg';
import { findPostgres, unprivileged } from './database-server.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** A PostgreSQL of this test process: a cluster in a temporary folder, on a loopback port. */
interface Cluster {
  readonly folder: string;
  readonly port: number;
  readonly programs: string;
  child: ChildProcess;
}

let cluster: Promise<Cluster> | undefined;
let running: Cluster | undefined;
let databases = 0;

after(async () => {
  await cluster;
  if (running === undefined) return;
  await stopPostgres();
  rmSync(running.folder, { recursive: true, force: true });
});
process.on('exit', () => running?.child.kill('SIGQUIT'));

/**
 * The URL of a fresh, empty database; undefined when PostgreSQL is not installed: the test is then
 * skipped, or fails if SALLYPORT_TEST_ALL=1 says that nothing may be skipped.
 */
export async function freshPostgres(t: TestContext): Promise<string | undefined> {
  const programs = findPostgres();
  if (programs === undefined) {
    if (process.env['SALLYPORT_TEST_ALL'] === '1') {
      throw new Error('PostgreSQL is not installed, and SALLYPORT_TEST_ALL=1 forbids to skip.');
    }
    t.skip('PostgreSQL is not installed (Debian: apt-get install postgresql)');
    return undefined;
  }
  cluster ??= startCluster(programs);
  const { port } = await cluster;
  const name = `test_${process.pid}_${++databases}`;
  const client = new Client({ connectionString: urlOf(port, 'postgres') });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return urlOf(port, name);
}

/** Ends PostgreSQL as a restart of its machine would: all connections break. */
export async function stopPostgres(): Promise<void> {
  if (running === undefined) return;
  const { child } = running;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

/** Starts the same cluster again, on the same port. */
export async function restartPostgres(): Promise<void> {
  if (running === undefined) throw new Error('Start PostgreSQL with freshPostgres first.');
  running.child = await startServer(running.programs, running.folder, running.port);
}

function urlOf(port: number, database: string): string {
  return `postgresql://tester:hush-hush@127.0.0.1:${port}/${database}`;
}

async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', folder, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...user, encoding: 'utf8', cwd: '/' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const child = await startServer(programs, folder, port);
  running = { folder, port, programs, child };
  return running;
}

async function startServer(programs: string, folder: string, port: number): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=60',
  ];
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...unprivileged(), stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-4_000);
  });
  await until('PostgreSQL answers', async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
    const client = new Client({ connectionString: urlOf(port, 'postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  });
  return child;
}
