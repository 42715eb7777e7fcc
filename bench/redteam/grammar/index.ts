import type { Grammar } from '../contract.ts';
import { phpGrammar, pythonGrammar, rubyGrammar, vmGrammar } from './code.ts';
import { htmlGrammar } from './html.ts';
import { pathGrammar } from './path.ts';
import { shellGrammar } from './shell.ts';
import { sql } from './sql.ts';
import { templateGrammars } from './template.ts';
import { urlGrammar } from './url.ts';

/** One for each language that an oracle names. */
export const grammars: readonly Grammar[] = [
  sql,
  shellGrammar,
  pathGrammar,
  urlGrammar,
  htmlGrammar,
  pythonGrammar,
  phpGrammar,
  rubyGrammar,
  vmGrammar,
  ...templateGrammars,
];
