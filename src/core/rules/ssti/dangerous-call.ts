import { family, templateToken } from '../../grammars/template/template.ts';
import {
  dangerousCalls,
  dangerousNames,
  dangerousObjects,
} from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { characterSet } from '../../text/runs.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordMap, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';
import { delimiters, Expressions } from './expression.ts';
import { builtInScore } from './freemarker.ts';
import { definitionScore, formatScore } from './go-action.ts';
import { libraryCallScore, libraryNames } from './library-call.ts';
import { markScore } from './mark-call.ts';

/** `<%= system('id') %>`, `{{ ['id']|filter('system') }}`, `${T(java.lang.Runtime)…}` */
export const dangerousCall: ValueRule = {
  id: 'ssti.dangerous-call',
  cwe: 'CWE-1336',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes a template engine call a function that runs commands, loads code or reads files',
  trigger: { literals: [delimiters] },
  judge,
  examples: [
    "<%= system('id') %>",
    "{{ ['id']|filter('system') }}",
    "${T(java.lang.Runtime).getRuntime().exec('id')}",
    '${"freemarker.template.utility.Execute"?new()("id")}',
    '#{ %x|id| }',
    "{{ 'a'.getClass().forName('x') }}",
    "{system('id')}",
    "{{constructor.constructor('alert(1)')()}}",
    '${import os; os.popen("id").read()}',
    "{{ '/etc/hosts'|file_excerpt(1,30) }}",
    "*{new java.util.Scanner('x')}",
    '${6?lower_abc+18?lower_abc}',
    '${(27-12)?lower_abc+(19)?lower_abc}',
    "${'4292*4667'?eval}",
    '{{ "".GetType.Assembly.Location }}',
    '{{printf "%#v" .}}',
    "{{ lookup('pipe','id') }}",
    '{{ get_env(name="SECRET_KEY") }}',
    '{{printf "%s" .Env}}',
    '{{html "abc"}}',
    '${"abc".toUpperCase()}',
    '<%-JSON.stringify(process.env)+process.version%>',
    '<%=self.class.ancestors%>',
    "<%= JSON.stringify(process['e'+'nv']) %>",
    '#{process["version"]}',
    "{{['id',0]|sort('syste'~'m')|join}}",
    '{{define "A"}}x{{end}}{{template "A"}}',
    '<%=[0,`whoami`][1]%>',
    '<%= (true&&( `uname -a` )) %>',
    "#{constant('PHP_OS')}",
    "{{[constant('PHP_OS')]|first}}",
    "{'id'|system}",
    '{assign var=x value="id"|shell_exec}',
    "{assign var=x value=system('id')}",
    "{{ app.request.query.filter('q', 0, 1024, {'options': 'system'}) }}",
    '{{if this.getTemplateFilter().addAfterFilterCallback(system).filter(id)}}x{{/if}}',
  ],
  lookalikes: [
    '[["17","java.lang.Error: ${spring.url} is none"],["18","ok"]]',
    'val = T(val | ((bits[(at << (count-1)) + i] ? 1UL : 0UL) << i)); static void start(Runtime r) {',
    'The `${exec}` variable holds the name of the program',
    "{{ items|sort('price')|map('name') }}",
    '<%= process.env.NODE_ENV %>',
    "<%= process['env']['NODE_ENV'] %>",
    '{{ new_price }} and ${system}',
    "#{render('header')} and #{include('x')}",
    '<%= t(`title`, { count: 1 }) %>',
    '<%= link_to "Home", root_path %>',
    'Use ${file.name} or ${item.constructor.name} in the label',
    '{{#each users}}{{this.name}}{{/each}}',
    '{% for item in items %}{{ item|upper }}{% endfor %}',
    'a { color: red } .b { system: none }',
    '{{ printf "%s-%s" .Release.Name .Chart.Name }}',
    "{{ lookup('env', 'HOME') }}/bin",
    '${order?api_name}',
    '{{ printf "%v" .Values.port }}',
    '{{define "title"}}Home{{end}} {{template "base" .}}',
    '`a${"-".repeat(3)}b`',
    '* [[`04b63e022a`](https://example.com/commit/04b63e022a)] - assert: take system() (Anna)',
    '{"a"|b|system: c} and {x|exec}',
    "{'total'|upper}",
    '{{var order.getCustomerName()}}, {{trans "thank you"}}: {{block id="footer"}}',
    '`${x}`;class A{constructor(t,e){this.t=t}}',
  ],
};

function judge(subject: Subject): Match | undefined {
  const expressions = new Expressions(subject);
  let best: Match | undefined;
  for (let i = 0; i < expressions.tokens.count; i++) {
    const score = scoreOf(expressions, i);
    if (score <= (best?.score ?? 0)) continue;
    best = { ...expressions.evidence(i), score };
    if (score >= confidence.certain) break;
  }
  return best;
}

function scoreOf(expressions: Expressions, index: number): number {
  switch (expressions.kind(index)) {
    case templateToken.name:
      return nameScore(expressions, index);
    case templateToken.string:
      return stringScore(expressions, index);
    case templateToken.mark:
      return markScore(expressions, index);
    default:
      return 0;
  }
}

function nameScore(expressions: Expressions, index: number): number {
  const name = expressions.wordOf(index, tellingNames);
  const isCall = expressions.isMark(index + 1, '(');
  if (isCall && dangerousCalls.has(name)) return callScore(expressions, index);
  if (isCall && isMethodOfLiteral(expressions, index)) return confidence.likely;
  if (name === '') return 0;
  if (dangerousObjects.has(name) && expressions.family(index) !== family.single)
    return confidence.certain;
  return judges.get(name)?.(expressions, index, name) ?? 0;
}

type Judge = (expressions: Expressions, index: number, name: string) => number;

/** Names that are evidence by what stands beside them. */
const judges: ReadonlyMap<string, Judge> = wordMap<Judge>(
  [libraryCallScore, libraryNames.join(' ')],
  [builtInScore, 'lower_abc upper_abc interpret api eval'],
  [formatScore, 'printf print println html js'],
  [functionScore, 'include source constant render'],
  [lookupScore, 'lookup query'],
  [packageScore, 'java javax'],
  [newScore, 'new'],
  [typeScore, 't'],
  [constructorScore, 'constructor'],
  [freemarkerScore, 'freemarker'],
  [importScore, 'import'],
  [ancestorScore, 'ancestors'],
  [hostScore, 'process'],
  [reflectionScore, 'gettype'],
  [definitionScore, 'define'],
  [tagScore, 'php'],
);

/** All names that `nameScore` asks for. */
const tellingNames = createWordTable([...dangerousCalls, ...dangerousObjects, ...judges.keys()]);

/** `T(java.lang.Runtime)` of Spring */
function typeScore(expressions: Expressions, index: number): number {
  const isType =
    expressions.isMark(index + 1, '(') && javaRoots.has(expressions.content(index + 2));
  return isType ? confidence.certain : 0;
}

/** `java.lang.Runtime` */
function packageScore(expressions: Expressions, index: number): number {
  const isPackage =
    expressions.isMark(index + 1, '.') && packages.has(expressions.content(index + 2));
  return isPackage ? confidence.certain : 0;
}

/** `freemarker.template.utility.Execute` */
function freemarkerScore(expressions: Expressions, index: number): number {
  return expressions.content(index + 2) === 'template' ? confidence.certain : 0;
}

/** `self.class.ancestors` of Ruby */
function ancestorScore(expressions: Expressions, index: number): number {
  return expressions.content(index - 2) === 'class' ? confidence.strong : 0;
}

/** `{php}` of Smarty */
function tagScore(expressions: Expressions, index: number): number {
  const isTag =
    expressions.family(index) === family.single &&
    expressions.kind(index + 1) === templateToken.close;
  return isTag ? confidence.certain : 0;
}

/** `lookup('pipe', 'id')` of Ansible */
function lookupScore(expressions: Expressions, index: number): number {
  const runs = expressions.isMark(index + 1, '(') && lookups.has(expressions.content(index + 2));
  return runs ? confidence.strong : 0;
}

/** `constant('PHP_OS')`, `include('/etc/hosts')` of Twig, with a string as the argument */
function functionScore(expressions: Expressions, index: number, name: string): number {
  return expressions.isMark(index + 1, '(') &&
    expressions.isFirst(index) &&
    isTwig(expressions.family(index), name) &&
    expressions.kind(index + 2) === templateToken.string
    ? confidence.strong
    : 0;
}

/** Twig has `#{ }` within strings; there Ruby and scripts have functions of the other names too. */
function isTwig(one: number, name: string): boolean {
  return one === family.mustache || (one === family.hash && name === 'constant');
}

/** `process.version`, all of `process.env`: not one variable of it. */
function hostScore(expressions: Expressions, index: number): number {
  const one = expressions.family(index);
  if (one !== family.angle && one !== family.mustache && one !== family.hash) return 0;
  const at = expressions.member(index);
  const member = at > 0 ? expressions.folded(at) : '';
  if (member === 'version' || member === 'pid') return confidence.strong;
  return member === 'env' && expressions.isMark(expressions.memberEnd(at) + 1, ')')
    ? confidence.strong
    : 0;
}

/** Scriban's `"".GetType.Assembly` */
function reflectionScore(expressions: Expressions, index: number): number {
  if (!expressions.isMark(index - 1, '.')) return 0;
  if (expressions.kind(index - 2) === templateToken.string) return confidence.certain;
  for (let i = index + 1; i < index + 5; i++) {
    if (expressions.content(i) === 'Assembly') return confidence.certain;
  }
  return 0;
}

/** Look-ups of Ansible that run a command. */
const lookups: ReadonlySet<string> = new Set(['pipe', 'lines', 'url', 'ansible.builtin.pipe']);

/** `{{ 'a'.toUpperCase() }}`: nobody needs it, but to see what the engine is. */
function isMethodOfLiteral(expressions: Expressions, index: number): boolean {
  const one = expressions.family(index);
  const isTemplate = one === family.mustache || one === family.star || one === family.statement;
  // Scripts have `${'ab'.repeat(3)}` inside of their strings.
  if (!isTemplate && (one !== family.dollar || !isWhole(expressions, index))) return false;
  const isString = expressions.kind(index - 2) === templateToken.string;
  return isString && expressions.isMark(index - 1, '.') && expressions.isFirst(index - 2);
}

function isWhole(expressions: Expressions, index: number): boolean {
  const { text } = expressions;
  return (
    expressions.start(index - 3) === 0 &&
    text.endsWith('}') &&
    text.indexOf('}') === text.length - 1
  );
}

/** A call; in Smarty's single braces only a whole expression, for code has braces too. */
function callScore(expressions: Expressions, index: number): number {
  const one = expressions.family(index);
  if (one !== family.single) return confidence.certain;
  if (expressions.kind(index - 1) === templateToken.open)
    return endsWithCall(expressions, index) ? confidence.certain : 0;
  const first = expressions.content(index - 1).toLowerCase();
  return first === 'if' || first === '=' || first === ':' ? confidence.strong : 0;
}

function endsWithCall(expressions: Expressions, index: number): boolean {
  for (let i = index; i < index + callTokensMax; i++) {
    const kind = expressions.kind(i);
    if (kind === templateToken.close) return expressions.isMark(i - 1, ')');
    if (kind < 0 || expressions.isMark(i, ';')) return false;
  }
  return false;
}

const callTokensMax = 64;
const javaRoots: ReadonlySet<string> = new Set(['java', 'javax', 'org', 'com', 'freemarker']);
const packages: ReadonlySet<string> = wordSet('lang util io nio net script security naming sql');

/** `new java.util.Scanner(`, `?new()` */
function newScore(expressions: Expressions, index: number): number {
  if (expressions.isMark(index - 1, '?')) return builtInScore(expressions, index, 'new');
  return javaRoots.has(expressions.content(index + 1)) && expressions.isMark(index + 2, '.')
    ? confidence.certain
    : 0;
}

/** `constructor.constructor(`, `x.constructor('code')`, `toString.constructor.prototype` */
function constructorScore(expressions: Expressions, index: number): number {
  const next = expressions.content(index + 2);
  if (expressions.isMark(index + 1, '.')) {
    return next === 'constructor' ||
      next === 'prototype' ||
      next === 'fromCharCode' ||
      next === 'call'
      ? confidence.certain
      : 0;
  }
  if (expressions.isMark(index + 1, '(')) {
    if (expressions.kind(index + 2) === templateToken.string) return confidence.certain;
    return expressions.family(index) === family.single || isMethodBody(expressions, index)
      ? 0
      : confidence.likely;
  }
  return expressions.isMark(index + 1, '[') ? confidence.strong : 0;
}

/** `constructor(t, e) {`: the constructor of a class. */
function isMethodBody(expressions: Expressions, index: number): boolean {
  for (let i = index + 2; i < index + 24; i++) {
    if (expressions.isMark(i, ')')) return expressions.content(i + 1).startsWith('{');
  }
  return false;
}

/** Mako's `${import os;…}`, Tornado's `{% import os %}`. */
function importScore(expressions: Expressions, index: number): number {
  if (!expressions.isFirst(index)) return 0;
  const next = expressions.content(index + 1);
  if (systemModules.has(next)) return confidence.certain;
  return 0;
}

const systemModules: ReadonlySet<string> = wordSet(
  'os sys subprocess pty socket commands platform shutil importlib builtins java time',
  'ctypes',
);

/** Files that an attacker asks for first. */
const secretFile =
  /^(?:file:\/\/)?(?:\/(?:etc|proc|root|var\/log)\/[a-z]|[A-Za-z]:[\\/]|\.\.[\\/]|[\\/]?windows[\\/])/i;

/** A glance at the first two characters: most strings are neither a class nor a file. */
function mayTell(text: string, start: number): boolean {
  return tellingStarts[text.charCodeAt(start)] === 1 || text.charCodeAt(start + 1) === 58;
}

const tellingStarts: Uint8Array = characterSet('fFjwW/\\.');

function stringScore(expressions: Expressions, index: number): number {
  return contentScore(expressions, index) || handedScore(expressions, index);
}

/** The name of a class or file. */
function contentScore(expressions: Expressions, index: number): number {
  if (!mayTell(expressions.text, expressions.start(index) + 1)) return 0;
  const content = expressions.content(index);
  if (dangerousClass.test(content)) return confidence.certain;
  return secretFile.test(content) ? confidence.strong : 0;
}

const dangerousClass = /^(?:freemarker\.template\.utility|java\.lang|javax\.script)\./;

/** The name of a function where an engine calls what it is given. */
function handedScore(expressions: Expressions, index: number): number {
  const joined = expressions.folded(index);
  const name = dangerousNames.wordBetween(joined, 0, joined.length);
  if (name === '') return 0;
  const isArgument = expressions.isMark(index - 1, '(') || expressions.isMark(index - 1, ',');
  const isKey = expressions.isMark(index - 1, '[');
  const called = expressions.content(index - 2).toLowerCase();
  // `filter('id', 0, 1024, {'options': 'system'})` of PHP's own filter.
  if (called === 'options' && expressions.isMark(index - 1, ':')) return confidence.certain;
  if (isArgument && callbackFilters.has(called)) return confidence.certain;
  if (isKey && name.startsWith('constructor')) return confidence.certain;
  for (let at = index - 2; at >= index - 4; at--) {
    if (expressions.content(at).toLowerCase() === 'lookup') return confidence.certain;
  }
  return expressions.family(index) === family.mustache &&
    (name === 'constructor' || name === '__proto__')
    ? confidence.strong
    : 0;
}

const callbackFilters: ReadonlySet<string> = wordSet(
  'filter map sort reduce find attr get call registerundefinedfiltercallback usort',
  'array_map',
);
