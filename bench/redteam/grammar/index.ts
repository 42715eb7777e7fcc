import type { Grammar } from '../contract.ts';
import { pathGrammar } from './path.ts';
import { shellGrammar } from './shell.ts';
import { sql } from './sql.ts';
import { urlGrammar } from './url.ts';

/** One for each language that an oracle names. */
export const grammars: readonly Grammar[] = [sql, shellGrammar, pathGrammar, urlGrammar];
