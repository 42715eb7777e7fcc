import { join } from 'node:path';
import { Client } from 'pg';
import { findPostgres } from '../../../../test/support/database-server.ts';
import type { Oracle } from '../../contract.ts';
import { PostgresShop } from './postgres-shop.ts';
import { judging, Server } from './server.ts';
import { shapesOf } from './shapes.ts';
import { worlds } from './shop.ts';

// Where it is not installed, the tools below are missing.
const programs = findPostgres() ?? '/usr/lib/postgresql';

/** PostgreSQL, a dedicated cluster behind a socket in its folder; each text may be a whole script. */
export const postgres: Oracle = {
  name: 'postgres',
  category: 'sqli',
  language: 'sql',
  tools: [join(programs, 'initdb')],
  contexts: shapesOf('postgres'),
  start: async () => {
    const server = new Server('postgres');
    try {
      const data = join(server.folder, 'data');
      const options = [
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--no-locale',
        '--no-sync',
        '--no-instructions',
      ];
      await server.run(join(programs, 'initdb'), ['-D', data, '-U', keeper, ...options]);
      const settings = [
        'listen_addresses=',
        `unix_socket_directories=${server.folder}`,
        'fsync=off',
        'max_connections=20',
        'autovacuum=off',
      ];
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
      await server.start(join(programs, 'postgres'), args, () => prepare(server.folder));
      return judging('postgres', await PostgresShop.open(server.folder), server);
    } catch (thrown) {
      await server.close();
      throw thrown;
    }
  },
};

const keeper = 'keeper';

/** The databases of both worlds, and the role that statements run under: it is no superuser. */
async function prepare(host: string): Promise<void> {
  const client = new Client({ host, user: keeper, database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('CREATE ROLE visitor LOGIN');
    for (const world of worlds) await client.query(`CREATE DATABASE ${world}_shop OWNER visitor`);
  } finally {
    await client.end();
  }
}
