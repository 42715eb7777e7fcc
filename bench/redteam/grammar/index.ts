import type { Grammar } from '../contract.ts';

/** One for each language that an oracle names. */
export const grammars: readonly Grammar[] = [];
