import type { Rewriter } from '../contract.ts';

/** All rewriters; a name is unique within its language. */
export const rewriters: readonly Rewriter[] = [];
