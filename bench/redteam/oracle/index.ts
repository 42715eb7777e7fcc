import type { Oracle } from '../contract.ts';
import { mariadb } from './mariadb.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/** All interpreters, in the order in which records show them. */
export const oracles: readonly Oracle[] = [sqlite, postgres, mariadb];
