import {
  callsOwnTemplate,
  isCommandInBackticks,
  isCommandLiteral,
  isGoCall,
  isLibraryCall,
  isMethodOfLiteral,
  isRubyCommand,
  isShellFilter,
  isTwigCall,
  libraryNames,
  printedBy,
} from '../../grammars/template/engine-call.ts';
import { delimiters, type Expressions } from '../../grammars/template/expressions.ts';
import { callsBuiltIn } from '../../grammars/template/freemarker.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import {
  dangerousCalls,
  dangerousNames,
  dangerousObjects,
} from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import { ratedIf, strongestExpression } from '../../placement/template-evidence.ts';
import { characterSet } from '../../text/runs.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordMap, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `<%= system('id') %>`, `{{ ['id']|filter('system') }}`, `${T(java.lang.Runtime)…}` */
export const dangerousCall: ValueRule = {
  id: 'ssti.dangerous-call',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes a template engine call a function that runs commands, loads code or reads files',
  trigger: { literals: [delimiters] },
  judge: (subject) => strongestExpression(subject, scoreOf),
  examples: [
    ...["<%= system('id') %>", "{{ ['id']|filter('system') }}"],
    "${T(java.lang.Runtime).getRuntime().exec('id')}",
    ...['${"freemarker.template.utility.Execute"?new()("id")}', '#{ %x|id| }'],
    ...["{{ 'a'.getClass().forName('x') }}", "{system('id')}"],
    ...["{{constructor.constructor('alert(1)')()}}", '${import os; os.popen("id").read()}'],
    ...["{{ '/etc/hosts'|file_excerpt(1,30) }}", "*{new java.util.Scanner('x')}"],
    ...["<% system 'id' %>", `{{ "#{['id']|map('system')|join}" }}`],
    ...['${6?lower_abc+18?lower_abc}', '${(27-12)?lower_abc+(19)?lower_abc}'],
    "${'4292*4667'?eval}",
    `<@"\${r'$'}{config.secret_key}"?interpret/>`,
    ...["<@('$'+'{.data_model}')?interpret/>", '<@user.bio?interpret />', '[@a?interpret/]'],
    ...['{{ "".GetType.Assembly.Location }}', '{{ x.GetType.Assembly }}', '<%= process.pid %>'],
    ...['${a?new()}', "{{''.constructor.fromCharCode(97)}}", "{{x['constructor']}}"],
    ...['{{a.constructor(b)()}}', '{{a.constructor[b]}}', "{{call(x,'usort','system')}}"],
    ...['{{printf "%#v" .}}', "{{ lookup('pipe','id') }}", '{{ get_env(name="SECRET_KEY") }}'],
    ...['{{printf "%s" .Env}}', '{{html "abc"}}', '${"abc".toUpperCase()}'],
    ...['<%-JSON.stringify(process.env)+process.version%>', '<%=self.class.ancestors%>'],
    ...["<%= Dir['*'] %>", "<%= JSON.stringify(process['e'+'nv']) %>", '#{process["version"]}'],
    ...["{{['id',0]|sort('syste'~'m')|join}}", '{{define "A"}}x{{end}}{{template "A"}}'],
    ...['<%=[0,`whoami`][1]%>', 'x`<%=` id `%>', '<%=`rake secret`%>'],
    ...['<%= (true&&( `uname -a` )) %>', "#{constant('PHP_OS')}", "{{[constant('PHP_OS')]|first}}"],
    ...[
      '[[id|system]]',
      "[['id'|system nofilter]]",
      '[[id|system or 1]]',
      "{'id'|system}",
      '{assign var=x value="id"|shell_exec}',
    ],
    "{assign var=x value=system('id')}",
    "{{ app.request.query.filter('q', 0, 1024, {'options': 'system'}) }}",
    '{{if this.getTemplateFilter().addAfterFilterCallback(system).filter(id)}}x{{/if}}',
  ],
  lookalikes: [
    "{{{1\n\nimport a from '../a.js'\nimport { b } from './b.js'",
    "ERROR <%s> (+0ms)\nimport a from '../min/a.js'",
    '[["17","java.lang.Error: ${spring.url} is none"],["18","ok"]]',
    'val = T(val | ((bits[(at << (count-1)) + i] ? 1UL : 0UL) << i)); static void start(Runtime r) {',
    '<@U024BE7LH> how would you interpret it? <@U05>?',
    'The `${exec}` variable holds the name of the program',
    ...["{{ items|sort('price')|map('name') }}", '<%= process.env.NODE_ENV %>'],
    ...["<%= process['env']['NODE_ENV'] %>", '{{ new_price }} and ${system}', "<%= dir['name'] %>"],
    ...['<%= Dir[name] %>', "#{render('header')} and #{include('x')}"],
    ...['<%= t(`title`, { count: 1 }) %>', '<%= link_to "Home", root_path %>'],
    'Write `<%-` or `-%>`, not `<%` and `%>`.',
    'Use ${file.name} or ${item.constructor.name} in the label',
    '{{#each users}}{{this.name}}{{/each}}',
    '{% for item in items %}{{ item|upper }}{% endfor %}',
    'See [[requirements|System Requirements]] first',
    ...['a { color: red } .b { system: none }', '{{ printf "%s-%s" .Release.Name .Chart.Name }}'],
    ...["{{ lookup('env', 'HOME') }}/bin", '${order?api_name}'],
    '<@U024BE7LH> said <@"Ann"> and //a[@(x)] about ?interpret and [@\'smith\']',
    ...['{{ printf "%v" .Values.port }}', '{{define "title"}}Home{{end}} {{template "base" .}}'],
    ...["<%= render 'system' %>", '<%= "#{name} is here" %>'],
    '`a${"-".repeat(3)}b`',
    '* [[`04b63e022a`](https://example.com/commit/04b63e022a)] - assert: take system() (Anna)',
    ...['{"a"|b|system: c} and {x|exec}', "{'total'|upper}"],
    '{{var order.getCustomerName()}}, {{trans "thank you"}}: {{block id="footer"}}',
    '`${x}`;class A{constructor(t,e){this.t=t}}',
    ...['<% class A { constructor(t, e) { this.t = t; } } %>', '`node ${process.version}`'],
  ],
};

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
  if (isRubyCommand(expressions, index, name)) return confidence.certain;
  if (name === '') return 0;
  if (dangerousObjects.has(name) && expressions.family(index) !== family.single)
    return confidence.certain;
  return judges.get(name)?.(expressions, index, name) ?? 0;
}

type Judge = (expressions: Expressions, index: number, name: string) => number;

/** Names that are evidence by what stands beside them. */
const judges: ReadonlyMap<string, Judge> = wordMap<Judge>(
  [libraryScore, libraryNames.join(' ')],
  [builtInScore, 'lower_abc upper_abc interpret api eval'],
  [formatScore, 'printf print println html js'],
  [twigScore, 'include source constant render'],
  // Ansible's `lookup('pipe', 'id')`
  [ratedIf(confidence.strong, (tokens, i) => isAsked(tokens, i, '(', lookups)), 'lookup query'],
  [ratedIf(confidence.certain, (tokens, i) => isAsked(tokens, i, '.', packages)), 'java javax'],
  [newScore, 'new'],
  // Spring's `T(java.lang.Runtime)`
  [ratedIf(confidence.certain, (tokens, i) => isAsked(tokens, i, '(', javaRoots)), 't'],
  [constructorScore, 'constructor'],
  [ratedIf(confidence.certain, (tokens, i) => tokens.content(i + 2) === 'template'), 'freemarker'],
  [importScore, 'import'],
  // Ruby's `self.class.ancestors`
  [ratedIf(confidence.strong, (tokens, i) => tokens.content(i - 2) === 'class'), 'ancestors'],
  [hostScore, 'process'],
  [reflectionScore, 'gettype'],
  [definitionScore, 'define'],
  [ratedIf(confidence.certain, isPhpTag), 'php'],
);

/** All names that `nameScore` asks for. */
const tellingNames = createWordTable([...dangerousCalls, ...dangerousObjects, ...judges.keys()]);

function markScore(expressions: Expressions, index: number): number {
  const { text } = expressions;
  switch (text.charAt(expressions.start(index))) {
    case '%':
      return isCommandLiteral(expressions, index) ? confidence.certain : 0;
    case '|':
      return isShellFilter(expressions, index) ? confidence.strong : 0;
    case '`':
      return isCommandInBackticks(expressions, index) ? confidence.strong : 0;
    default:
      return 0;
  }
}

function libraryScore(expressions: Expressions, index: number, name: string): number {
  if (isLibraryCall(expressions, index, name)) return confidence.certain;
  return isGoCall(expressions, index, name) ? confidence.strong : 0;
}

/** Of the built-ins of FreeMarker `new` alone makes an object of any class. */
export function builtInScore(expressions: Expressions, index: number, name: string): number {
  if (!callsBuiltIn(expressions, index, name)) return 0;
  return name === 'new' ? confidence.certain : confidence.strong;
}

function formatScore(expressions: Expressions, index: number): number {
  const printed = printedBy(expressions, index);
  if (printed === undefined) return 0;
  if (printed === 'all') return confidence.strong;
  // `{{print "a"}}`: it only shows which engine answers.
  const isProbe = printed === 'server' || expressions.text.length <= literalMax;
  return isProbe ? confidence.likely : confidence.trace;
}

const literalMax = 40;

function definitionScore(expressions: Expressions, index: number): number {
  if (!callsOwnTemplate(expressions, index)) return 0;
  return expressions.text.length <= definitionMax ? confidence.likely : confidence.hint;
}

const definitionMax = 160;

function twigScore(expressions: Expressions, index: number, name: string): number {
  return isTwigCall(expressions, index, name) ? confidence.strong : 0;
}

/** A name of a set behind a mark: `java.lang`, `lookup('pipe'` */
function isAsked(
  expressions: Expressions,
  index: number,
  mark: string,
  names: ReadonlySet<string>,
): boolean {
  return expressions.isMark(index + 1, mark) && names.has(expressions.content(index + 2));
}

/** Smarty's `{php}` */
function isPhpTag(expressions: Expressions, index: number): boolean {
  const isEnd = expressions.kind(index + 1) === templateToken.close;
  return isEnd && expressions.family(index) === family.single;
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
    if (expressions.kind(i) === templateToken.close) return expressions.isMark(i - 1, ')');
    if (expressions.isMark(i, ';')) return false;
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
    return functionMembers.has(next) ? confidence.certain : 0;
  }
  if (expressions.isMark(index + 1, '(')) {
    if (expressions.kind(index + 2) === templateToken.string) return confidence.certain;
    return expressions.family(index) === family.single || isMethodBody(expressions, index)
      ? 0
      : confidence.likely;
  }
  return expressions.isMark(index + 1, '[') ? confidence.strong : 0;
}

const functionMembers: ReadonlySet<string> = wordSet('constructor prototype fromCharCode call');

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
  return systemModules.has(next) ? confidence.certain : 0;
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
  if (!secretFile.test(content)) return 0;
  const start = expressions.start(index);
  return imports.test(expressions.text.slice(Math.max(0, start - importCharsMax), start))
    ? 0
    : confidence.strong;
}

/** `import a from '../a.js'`, a line of a module: a template holds none. */
const imports = /(?:^|\n)import [\w{},* ]{1,80} from $/;
const importCharsMax = 100;

const dangerousClass = /^(?:freemarker\.template\.utility|java\.lang|javax\.script)\./;

/** The name of a function where an engine calls what it is given. */
export function handedScore(expressions: Expressions, index: number): number {
  const joined = expressions.folded(index);
  const name = dangerousNames.wordBetween(joined, 0, joined.length);
  if (name === '') return 0;
  const called = expressions.content(index - 2).toLowerCase();
  // `filter('id', 0, 1024, {'options': 'system'})` of PHP's own filter.
  if (called === 'options' && expressions.isMark(index - 1, ':')) return confidence.certain;
  const isArgument = expressions.isMark(index - 1, '(') || expressions.isMark(index - 1, ',');
  if (isArgument && callbackFilters.has(called)) return confidence.certain;
  if (expressions.isMark(index - 1, '[') && name === 'constructor') return confidence.certain;
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
