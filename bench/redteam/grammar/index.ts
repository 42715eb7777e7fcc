import type { Grammar } from '../contract.ts';
import { sql } from './sql.ts';

/** One for each language that an oracle names. */
export const grammars: readonly Grammar[] = [sql];
