import type { Rewriter } from '../contract.ts';
import { codeRewriters } from './code.ts';
import { htmlRewriters } from './html.ts';
import { pathRewriters } from './path.ts';
import { scriptRewriters } from './script.ts';
import { scriptToolRewriters } from './script-tools.ts';
import { shellRewriters } from './shell/rewriters.ts';
import { sqlRewriters } from './sql.ts';
import { templateRewriters } from './template.ts';
import { urlRewriters } from './url.ts';

/** All rewriters; a name is unique within its language. */
export const rewriters: readonly Rewriter[] = [
  ...sqlRewriters,
  ...shellRewriters,
  ...pathRewriters,
  ...urlRewriters,
  ...htmlRewriters,
  ...scriptRewriters,
  ...scriptToolRewriters,
  ...codeRewriters,
  ...templateRewriters,
];
