import { python } from '../../../lib/installed.ts';
import type { Context, Oracle } from '../../contract.ts';
import { startJudging } from '../line-oracle.ts';
import type { LineProgram } from '../line-process.ts';
import { php, programs, ruby } from './programs.ts';

const names = ['expression', 'argument', 'string, single quotes', 'string, double quotes'];

/** Where applications put a value into a text that they evaluate. */
const contexts: readonly Context[] = names.map((name) => ({
  name,
  members: [name.startsWith('string') ? 'body.name' : 'query.formula'],
  benign: [name.startsWith('string') ? 'blue shelves' : '12*3'],
}));

/** The programs end what takes too long a little earlier. */
const answerMs = 3000;

function codeOracle(
  name: string,
  language: string,
  tools: readonly string[],
  program: () => LineProgram,
): Oracle {
  const start = () => startJudging({ ...program(), answerMs });
  return { name, category: 'code', language, tools, contexts, start };
}

// A canary is something that leaves the interpreter, or a secret of the application in what came out.

/** `eval` of Python: its own audit events tell what leaves it. */
export const pythonOracle = codeOracle('python eval', 'python', [python], () =>
  programs.python('eval.py'),
);

/** `eval` of PHP, with stubs in place of all functions that leave it. */
export const phpOracle = codeOracle('php eval', 'php', [php], () =>
  programs.php('eval.php', ['open_basedir=/nowhere', 'allow_url_fopen=0']),
);

/** `eval` of Ruby, with stubs in place of all methods that leave it. */
export const rubyOracle = codeOracle('ruby eval', 'ruby', [ruby], () => programs.ruby('eval.rb'));

/** A context of node:vm, which is no sandbox: a function of the application leads out of it. */
export const vmOracle = codeOracle('node vm', 'vm', [], () => programs.node('vm.cjs'));
