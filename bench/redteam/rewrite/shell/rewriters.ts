import type { Rewriter } from '../../contract.ts';
import { commandRewriters, markRewriters } from './commands.ts';
import { argumentRewriters } from './paths.ts';
import { wordRewriters } from './words.ts';

/** All rewriters of shell commands. Some need a dialect: bash knows them all. */
export const shellRewriters: readonly Rewriter[] = [
  ...wordRewriters,
  ...argumentRewriters,
  ...commandRewriters,
  ...markRewriters,
];
