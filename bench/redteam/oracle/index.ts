import type { Oracle } from '../contract.ts';

/** All interpreters, in the order in which records show them. */
export const oracles: readonly Oracle[] = [];
