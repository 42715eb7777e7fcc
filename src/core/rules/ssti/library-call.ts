import { templateToken } from '../../grammars/template/template.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordSet } from '../../text/words.ts';
import type { Expressions } from './expression.ts';

/** `File.open(`, `IO.popen(`, `Dir.entries(`, `.System "id"` of Go */
export function libraryCallScore(expressions: Expressions, index: number, name: string): number {
  const isMember = expressions.isMark(index + 1, '.');
  if (isMember && rubyClasses.has(name)) {
    const method = expressions.content(index + 2).toLowerCase();
    const isCall =
      expressions.isMark(index + 3, '(') || expressions.kind(index + 3) === templateToken.string;
    return rubyMethods.has(method) || (isCall && method === 'new') ? confidence.certain : 0;
  }
  const isGoCall =
    expressions.isMark(index - 1, '.') && expressions.kind(index - 2) === templateToken.open;
  if (isGoCall && goMethods.has(name) && expressions.kind(index + 1) === templateToken.string)
    return confidence.strong;
  if (name === 'os' && isMember)
    return osMethods.has(expressions.content(index + 2).toLowerCase()) ? confidence.certain : 0;
  return 0;
}

const rubyClasses: ReadonlySet<string> = wordSet(
  'file io dir kernel open3 pathname objectspace fileutils code system global',
);
const rubyMethods: ReadonlySet<string> = wordSet(
  'open read read! readlines write popen entries exec system spawn fork capture2 capture3',
  'each_object rm_rf glob children eval_string cmd start mainmodule process diagnostics',
);
const goMethods: ReadonlySet<string> = wordSet(
  'system exec execute command cmd run readfile file shell',
);
const osMethods: ReadonlySet<string> = wordSet(
  'system popen environ listdir exec execl spawn getenv getcwd cmd',
);

/** The names that `libraryCallScore` asks for. */
export const libraryNames: readonly string[] = [...rubyClasses, ...goMethods, 'os'];
