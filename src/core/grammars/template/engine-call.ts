import { wordSet } from '../../text/words.ts';
import { shellCommand } from '../script/expression/capabilities.ts';
import type { Expressions } from './expressions.ts';
import { family, templateToken } from './template.ts';

/** Ruby's `%x(…)`, at its `%`. */
export function isCommandLiteral(expressions: Expressions, index: number): boolean {
  if (expressions.content(index + 1) !== 'x') return false;
  return commandDelimiters.has(expressions.content(index + 2)) && expressions.isFirst(index);
}

const commandDelimiters: ReadonlySet<string> = wordSet('( | [ { ! / < ||');

/** Twig's `|system`; Smarty's `{'id'|system}` and `{$x|exec}`: in single braces code stands as well. */
export function isShellFilter(expressions: Expressions, index: number): boolean {
  if (!shellFilters.has(expressions.content(index + 1).toLowerCase())) return false;
  if (expressions.kind(index + 1) !== templateToken.name) return false;
  const one = expressions.family(index);
  // `[[requirements|System Requirements]]`: a link of a wiki.
  if (one === family.inline && isLabel(expressions, index)) return false;
  if (one !== family.single) return true;
  const isValue =
    expressions.kind(index - 1) === templateToken.string ||
    expressions.content(index - 1).startsWith('$');
  const isEnd = expressions.kind(index + 2) === templateToken.close;
  return isValue && (isEnd || expressions.isMark(index + 2, '|'));
}

/** Words behind a word: to an engine an error, unless the second is an operator or a flag of Smarty's. */
function isLabel(expressions: Expressions, index: number): boolean {
  if (expressions.kind(index - 1) !== templateToken.name) return false;
  if (expressions.content(index - 1).startsWith('$')) return false;
  const next = expressions.content(index + 2);
  return expressions.kind(index + 2) === templateToken.name && !notLabels.has(next.toLowerCase());
}

const notLabels: ReadonlySet<string> = wordSet(
  'nofilter and or xor not is in matches starts ends if eq ne neq gt lt ge gte le lte mod div',
);
const shellFilters: ReadonlySet<string> = wordSet(
  'system passthru shell_exec exec popen file_excerpt file_get_contents readfile phpinfo',
  'assert',
);

/** `<%=[0,`id`][1]%>`: what stands up to the next backtick is a command. */
export function isCommandInBackticks(expressions: Expressions, index: number): boolean {
  const one = expressions.family(index);
  if (one === family.angle && expressions.isFirst(index)) return !isRemark(expressions, index);
  if (one !== family.angle && one !== family.hash) return false;
  const start = expressions.end(index);
  const text = expressions.text.slice(start, start + commandCharsMax);
  const end = text.indexOf('`');
  return end > 0 && shellCommand.test(text.slice(0, end));
}

const commandCharsMax = 200;

/** ``Write `<%-` or `-%>` ``: a conjunction stands between the backticks, or nothing does. */
function isRemark(expressions: Expressions, index: number): boolean {
  const { text } = expressions;
  const start = expressions.end(index);
  const end = text.indexOf('`', start);
  if (end < 0) return true;
  const command = text.slice(start, Math.min(end, start + commandCharsMax)).trim();
  return command === '' || conjunctions.test(command);
}

/** None names a program. */
const conjunctions =
  /^(?:(?:and|or|but|not|nor|to|into|with|instead of|rather than|as)\b(?:,? [a-z]{1,12}){0,4}|,)$/;

/** `constant('PHP_OS')`, `include('/etc/hosts')` of Twig, with a string as the argument. */
export function isTwigCall(expressions: Expressions, index: number, name: string): boolean {
  const one = expressions.family(index);
  // Twig has `#{ }` within strings; there Ruby and scripts have functions of the other names too.
  if (one !== family.mustache && (one !== family.hash || name !== 'constant')) return false;
  const hasString = expressions.kind(index + 2) === templateToken.string;
  return hasString && expressions.isMark(index + 1, '(') && expressions.isFirst(index);
}

/** `{{ 'a'.toUpperCase() }}`, at its name: it only shows which engine answers. */
export function isMethodOfLiteral(expressions: Expressions, index: number): boolean {
  const isString = expressions.kind(index - 2) === templateToken.string;
  if (!isString || !expressions.isMark(index - 1, '.') || !expressions.isFirst(index - 2))
    return false;
  const one = expressions.family(index);
  // Scripts have `${'ab'.repeat(3)}` inside of their strings.
  if (one === family.dollar) return isWhole(expressions, index);
  return one === family.mustache || one === family.star || one === family.statement;
}

function isWhole(expressions: Expressions, index: number): boolean {
  const { text } = expressions;
  return expressions.start(index - 3) === 0 && text.indexOf('}') === text.length - 1;
}

/** `File.open(`, `IO.popen(`, `Dir.entries(`, `Dir['*']` of Ruby, `os.system` of Python. */
export function isLibraryCall(expressions: Expressions, index: number, name: string): boolean {
  if (expressions.isMark(index + 1, '[') && expressions.content(index) === 'Dir')
    return expressions.kind(index + 2) === templateToken.string;
  if (!expressions.isMark(index + 1, '.')) return false;
  const method = expressions.content(index + 2).toLowerCase();
  if (name === 'os') return osMethods.has(method);
  if (!rubyClasses.has(name)) return false;
  if (rubyMethods.has(method)) return true;
  const isCall =
    expressions.isMark(index + 3, '(') || expressions.kind(index + 3) === templateToken.string;
  return isCall && method === 'new';
}

/** Go's `.System "id"` */
export function isGoCall(expressions: Expressions, index: number, name: string): boolean {
  return (
    goMethods.has(name) &&
    expressions.isMark(index - 1, '.') &&
    expressions.kind(index - 2) === templateToken.open &&
    expressions.kind(index + 1) === templateToken.string
  );
}

/** `<% system 'id' %>`: Ruby needs no brackets. */
export function isRubyCommand(expressions: Expressions, index: number, name: string): boolean {
  const isString = expressions.kind(index + 1) === templateToken.string;
  if (!isString || !rubyCommands.has(name) || !expressions.isFirst(index)) return false;
  const one = expressions.family(index);
  return one === family.angle || one === family.hash;
}

const rubyCommands: ReadonlySet<string> = wordSet('system exec spawn eval instance_eval');
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

/** The names that calls of libraries begin with. */
export const libraryNames: readonly string[] = [...rubyClasses, ...goMethods, 'os'];

/** What Go's `print` and its relatives print: a field of the server, a constant, all that was given. */
type Printed = 'server' | 'literal' | 'all';

/** Go's `printf "%#v" .`; undefined for what else a template prints. */
export function printedBy(expressions: Expressions, index: number): Printed | undefined {
  if (!expressions.isFirst(index)) return undefined;
  const hasFormat = expressions.kind(index + 1) === templateToken.string;
  if (isServerField(expressions, hasFormat ? index + 2 : index + 1)) return 'server';
  if (!hasFormat) return undefined;
  const isLiteral = expressions.kind(index + 2) === templateToken.close;
  if (isLiteral && expressions.family(index) === family.mustache) return 'literal';
  const isAll = expressions.isMark(index + 2, '.') || expressions.content(index + 2) === '$';
  if (!isAll || chartObjects.has(expressions.content(index + 3))) return undefined;
  return allVerbs.test(expressions.content(index + 1)) ? 'all' : undefined;
}

/** `.Env}}`: the whole of what the server knows, not one value of it. */
function isServerField(expressions: Expressions, dot: number): boolean {
  return (
    expressions.family(dot) === family.mustache &&
    expressions.isMark(dot, '.') &&
    serverFields.has(expressions.content(dot + 1)) &&
    expressions.kind(dot + 2) === templateToken.close
  );
}

const serverFields: ReadonlySet<string> = new Set(['Env', 'Environ', 'Secret', 'Secrets']);
/** What the charts of Helm and the pages of Hugo print. */
const chartObjects: ReadonlySet<string> = wordSet(
  'Values Release Chart Capabilities Template Site Page Params',
);
const allVerbs = /^[\s\w]{0,20}%[+#]?v/;

/** `{{define "T"}}x{{end}}{{template "T"}}`: a value that brings a template and calls it. */
export function callsOwnTemplate(expressions: Expressions, index: number): boolean {
  if (!expressions.isFirst(index) || expressions.family(index) !== family.mustache) return false;
  if (index > 2 || expressions.kind(index + 1) !== templateToken.string) return false;
  const name = expressions.content(index + 1);
  for (let i = index + 3; i < index + definitionTokensMax; i++) {
    if (expressions.content(i) === 'template' && expressions.content(i + 1) === name) return true;
  }
  return false;
}

const definitionTokensMax = 64;
