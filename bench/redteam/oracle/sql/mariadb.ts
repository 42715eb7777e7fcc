import { join } from 'node:path';
import { findTool } from '../../../../test/support/require-tool.ts';
import type { Effect, Oracle, Reply, RunningOracle } from '../../contract.ts';
import { MariadbConnection } from './mariadb-connection.ts';
import { limitSeconds, MariadbShop } from './mariadb-shop.ts';
import { judging, Server } from './server.ts';
import { shapesOf } from './shapes.ts';

const keeper = 'root';

/** MariaDB on a socket in its folder. One statement a text, but where the application asks for more. */
export const mariadb: Oracle = {
  name: 'mariadb',
  category: 'sqli',
  language: 'sql',
  tools: ['/usr/sbin/mariadbd', 'mariadb-install-db', 'my_print_defaults'],
  contexts: shapesOf('mariadb'),
  start: () => reviving(start),
};

async function start(): Promise<RunningOracle> {
  const server = new Server('mariadb');
  try {
    const socket = join(server.folder, 'socket');
    const common = [
      '--no-defaults',
      `--datadir=${join(server.folder, 'data')}`,
      '--innodb-buffer-pool-size=16M',
      '--innodb-log-file-size=4M',
      '--innodb-flush-log-at-trx-commit=0',
    ];
    await server.run(findTool('mariadb-install-db') ?? 'mariadb-install-db', [
      ...common,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]);
    const settings = [
      `--socket=${socket}`,
      `--tmpdir=${server.folder}`,
      `--secure-file-priv=${server.folder}`,
      '--skip-networking',
      '--skip-name-resolve',
      '--skip-log-bin',
      '--character-set-server=utf8mb4',
      `--max-statement-time=${limitSeconds}`,
    ];
    await server.start('/usr/sbin/mariadbd', [...common, ...settings], async () => {
      (await MariadbConnection.open(socket, keeper)).close();
    });
    return judging('mariadb', await MariadbShop.open(socket, keeper), server);
  } catch (thrown) {
    await server.close();
    throw thrown;
  }
}

/** Some statements end the server itself: what did so twice is an error, and the next has a new one. */
async function reviving(open: () => Promise<RunningOracle>): Promise<RunningOracle> {
  let running = open();
  await running;
  const ask = async <T>(one: (oracle: RunningOracle) => Promise<T>, otherwise: T): Promise<T> => {
    for (let tries = 0; tries < 2; tries += 1) {
      const asked = running;
      const oracle = await asked;
      try {
        return await one(oracle);
      } catch {
        if (running !== asked) continue;
        running = oracle.close().then(open);
        // Where there is no new one, the next who asks is answered so.
        running.catch(() => undefined);
      }
    }
    return otherwise;
  };
  const failed: Reply = { effect: 'error', text: '' };
  return {
    judge: (context, values) => ask((oracle) => oracle.judge(context, values), 'error' as Effect),
    reply: (context, values) =>
      ask(async (oracle) => (await oracle.reply?.(context, values)) ?? failed, failed),
    close: async () => (await running).close(),
  };
}
