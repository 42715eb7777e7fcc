import type { Rewriter } from '../contract.ts';
import { pathRewriters } from './path.ts';
import { shellRewriters } from './shell/rewriters.ts';
import { sqlRewriters } from './sql.ts';
import { urlRewriters } from './url.ts';

/** All rewriters; a name is unique within its language. */
export const rewriters: readonly Rewriter[] = [
  ...sqlRewriters,
  ...shellRewriters,
  ...pathRewriters,
  ...urlRewriters,
];
