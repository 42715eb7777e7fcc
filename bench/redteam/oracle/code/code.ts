import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { python } from '../../../lib/installed.ts';
import type { Context, Oracle } from '../../contract.ts';
import { startJudging } from '../line-oracle.ts';
import { phpStubs } from './php-stubs.ts';

const names = ['expression', 'argument', 'string, single quotes', 'string, double quotes'];

/** Where applications put a value into a text that they evaluate. */
const contexts: readonly Context[] = names.map((name) => ({
  name,
  members: [name.startsWith('string') ? 'body.name' : 'query.formula'],
  benign: [name.startsWith('string') ? 'blue shelves' : '12*3'],
}));

/** The programs end what takes too long a little earlier. */
const answerMs = 3000;

function textOf(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
}

function codeOracle(
  name: string,
  tool: string,
  args: () => readonly string[],
  given: readonly Context[] = contexts,
): Oracle {
  return {
    name: `${name} eval`,
    category: 'code',
    language: name,
    tools: [tool],
    contexts: given,
    start: () => startJudging({ command: tool, args: args(), answerMs }),
  };
}

/** `eval` of Python: the interpreter's own audit events are the canary. */
export const pythonOracle = codeOracle('python', python, () => ['-I', '-c', textOf('eval.py')]);

/** `eval` of PHP, with stubs in place of all functions that leave it. */
export const phpOracle = codeOracle('php', '/usr/bin/php', () => [
  '-n',
  ...['ffi.enable=0', 'memory_limit=64M', `disable_functions=${phpStubs}`].flatMap((one) => [
    '-d',
    one,
  ]),
  ...['open_basedir=/nowhere', 'allow_url_fopen=0'].flatMap((one) => ['-d', one]),
  ...['-d', 'extension=posix', '-d', 'display_errors=0'],
  '-r',
  textOf('eval.php'),
]);

/** `eval` of Ruby, with stubs in place of all methods that leave it. */
export const rubyOracle = codeOracle('ruby', '/usr/bin/ruby', () => ['-e', textOf('eval.rb')]);

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A context of node:vm, which is no sandbox: a function of the application leads out of it. */
export const vmOracle: Oracle = {
  name: 'node vm',
  category: 'code',
  language: 'vm',
  tools: [],
  contexts,
  start: () => {
    const program = fileURLToPath(new URL('./vm.cjs', import.meta.url));
    const args = ['--permission', `--allow-fs-read=${root}`, program];
    return startJudging({ command: process.execPath, args, answerMs });
  },
};
