import type { Migration } from 'kysely/migration';
import { keysMigration } from './0001-keys.ts';

/** Every migration, in order. A name never changes once it was released. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-keys': keysMigration,
};
