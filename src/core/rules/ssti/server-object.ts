import { delimiters, Expressions } from '../../grammars/template/expressions.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import {
  type EngineKind,
  given,
  isSecretName,
  markedObjects,
  serverObjects,
} from '../../knowledge/server-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { ratedIf } from '../../placement/template-evidence.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<%= Rails.root %>`, `{{ globals() }}`, `${@environment}`, `{{ config.MAIL_PASSWORD }}` */
export const serverObject: ValueRule = {
  id: 'ssti.server-object',
  score: confidence.strong,
  message: 'shows by a template engine what the server keeps for itself',
  trigger: { literals: [delimiters] },
  judge,
  examples: [
    '<%= Rails.application.credentials.secret_key_base %>',
    '<%= instance_variables %>',
    '<%= Rails::Secrets %>',
    'Ann <%= self.methods %>',
    '{{ globals() }}',
    '${@environment}',
    '[[${@environment.systemProperties}]]',
    '${#ctx.environment}',
    '{{ config.MAIL_PASSWORD }}',
    "{{ config['SQLALCHEMY_DATABASE_URI'] }}",
    "{{ config.get('JWT_SECRET_KEY') }}",
    '{{ settings.AWS_SECRET_ACCESS_KEY }}',
    '<%= process.cwd() %>',
    '#{Object.keys(global)}',
    '{{json @root}}',
    "#{systemProperties['user.home']}",
    '{{ dict(config) }}',
    '{{ "%s"|format(config) }}',
    '{{ datetime.sys.modules }}',
    '{{ attribute(_context, "app") }}',
    "{{ env('APP_SECRET') }}",
    "*{''.class}",
    '{{ request.META }}',
    '{{ session.items() }}',
    '<%= JSON.stringify(config) %>',
    "{{ request.META['SECRET_KEY'] }}",
    '{{ request.META.values }}',
    '${@dataSource.password}',
    "${@jdbcTemplate.queryForList('select 1')}",
  ],
  lookalikes: [
    "password: <%= ENV['DB_PASSWORD'] %>\nusername: <%= Rails.application.credentials.db_user %>",
    'The root of an application is <%= Rails.root %>, as the manual has it.',
    '{{ settings.reset_password_text }}',
    '{{ config.site_password_hint }}',
    '{{ config.STRIPE_PUBLISHABLE_KEY }} and {{ config.RECAPTCHA_SITE_KEY }}',
    'Call from <%= caller.name %>',
    '<%= socket.id %>',
    'Kernel #{kernel.version}',
    '{{ user.password }}',
    '${#name} and ${#array[@]} in a shell',
    '${#dates.format(now)}',
    '{{> card @root}}',
    '{{#each @root.items}}{{this}}{{/each}}',
    '${{ secrets.GITHUB_TOKEN }}',
    '"#{self.class}: #{@environment.name}"',
    '<%= session[:user_id] %>',
    "{{ env('APP_NAME') }}",
    '{{ process }} of the {{ globals.year }}',
    'const dir = `${__dirname}/views`;',
    '{{ request.meta.title }} and {{ global.currency }}',
    '{{ cycler("odd", "even") }}',
    '"#{Socket.gethostname}"',
    'echo ${#vars[@]}',
    '{{ settings.password }}',
    '{{ cookies.all }}',
    '#{process}',
    '"#{Rails.root}"',
    '<%= settings %>',
    '{{ app.token }}',
    'Call from <%= caller %>',
    "<%= require('./logo.png') %>",
    "<%- include('header', locals) %>",
    '${@user.name}',
    '${local.module}',
    '{{ request.META.HTTP_HOST }}',
  ],
};

function judge(subject: Subject): Match | undefined {
  const expressions = new Expressions(subject);
  let best: Match | undefined;
  let place: Place | undefined;
  for (let i = 0; i < expressions.tokens.count; i++) {
    const kind = expressions.kind(i);
    if (kind !== templateToken.name && kind !== templateToken.string) continue;
    const found =
      kind === templateToken.name ? nameScore(expressions, i) : keyScore(expressions, i);
    // An expression is looked at once, whatever number of names it has.
    if (found === byPlace && (place === undefined || i > place.last)) {
      place = placeOf(expressions, i);
    }
    const score = found === byPlace ? (place?.score ?? 0) : found;
    if (score > (best?.score ?? 0)) best = { ...expressions.evidence(i), score };
  }
  return best;
}

/** In place of a score: evidence where the expression is all of a value. */
const byPlace = -1;

function nameScore(expressions: Expressions, index: number): number {
  const name = expressions.wordOf(index, names);
  if (name !== '') {
    const score = objectScore(expressions, index, name);
    if (score !== 0) return score;
  }
  const isMember = expressions.isMark(index - 1, '.') || expressions.isMark(index - 1, '[');
  if (isMember && isSecretName(expressions.content(index))) {
    return isOfSettings(expressions, index - 2) ? confidence.strong : 0;
  }
  return isMarked(expressions, index) ? byPlace : 0;
}

/** What is evidence by more than the member that is asked of it. */
const judges: ReadonlyMap<string, (expressions: Expressions, index: number) => number> = new Map([
  ['modules', ratedIf(confidence.strong, isModuleList)],
  ['class', ratedIf(confidence.strong, isClassOfConstant)],
  ['request', ratedIf(confidence.strong, showsMeta)],
  ['_context', ratedIf(confidence.likely, isContext)],
  ['root', ratedIf(byPlace, isRootData)],
  ['config', configScore],
]);

const names = createWordTable([...serverObjects.keys(), ...judges.keys()]);

function objectScore(expressions: Expressions, index: number, name: string): number {
  const judge = judges.get(name);
  if (judge !== undefined) return judge(expressions, index);
  if (expressions.isMark(index - 1, '.')) return 0;
  const one = expressions.family(index);
  for (const { kinds: shownBy, isConstant, members } of serverObjects.get(name) ?? []) {
    const isShown =
      shownBy.some((kind) => kinds[kind].has(one)) &&
      (isConstant !== true || capital.test(expressions.content(index))) &&
      members.includes(memberAfter(expressions, index, members));
    if (isShown) return byPlace;
  }
  return 0;
}

/** `sys.modules` */
function isModuleList(expressions: Expressions, index: number): boolean {
  return expressions.isMark(index - 1, '.') && expressions.content(index - 2) === 'sys';
}

/** `''.class` */
function isClassOfConstant(expressions: Expressions, index: number): boolean {
  return expressions.isMark(index - 1, '.') && expressions.kind(index - 2) === templateToken.string;
}

function isContext(expressions: Expressions, index: number): boolean {
  return isGivenTo(expressions, index, attribute) && kinds.curly.has(expressions.family(index));
}

function configScore(expressions: Expressions, index: number): number {
  if (!isGivenTo(expressions, index, showers)) return 0;
  return kinds.curly.has(expressions.family(index)) ? confidence.likely : byPlace;
}

const capital = /^[A-Z]/;

const kinds: Readonly<Record<EngineKind, ReadonlySet<number>>> = {
  curly: new Set([family.mustache, family.statement]),
  ruby: new Set([family.angle, family.hash]),
  erb: new Set([family.angle]),
  script: new Set([family.angle, family.hash]),
  dollar: new Set([family.dollar, family.inline]),
  spring: new Set([family.hash, family.star]),
};

/** Django's `request.META`, which has the environment of the process in it: all of it, or a secret. */
function showsMeta(expressions: Expressions, index: number): boolean {
  if (expressions.isMark(index - 1, '.') || expressions.content(index + 2) !== 'META') return false;
  const member = expressions.member(index + 2);
  const name = member < 0 ? 'items' : expressions.folded(member);
  return name === 'items' || name === 'values' || isSecretName(name);
}

/**
 * What is asked of a name: a member of the list, with a bracket where it is called, `*` for any
 * other; `(` for a call, `''` for nothing, `)` where a function is given the object to show it.
 */
function memberAfter(expressions: Expressions, index: number, members: readonly string[]): string {
  const next = index + 1;
  if (expressions.isMark(next, '(')) return '(';
  const isMember = expressions.isMark(next, '.') || expressions.isMark(next, '[');
  const isScope = expressions.isMark(next, ':') && expressions.isMark(next + 1, ':');
  if (!isMember && !isScope) {
    if (isGivenTo(expressions, index, showers)) return given;
    const isEnd = expressions.kind(next) === templateToken.close || expressions.isMark(next, ')');
    return isEnd || expressions.isMark(next, '|') ? '' : '?';
  }
  const at = isScope ? next + 2 : next + 1;
  const name = expressions.content(at).toLowerCase();
  if (members.includes(name)) return name;
  const call = `${name}(`;
  return expressions.isMark(at + 1, '(') && members.includes(call) ? call : '*';
}

/** What the place of an expression makes of the evidence in it. */
interface Place {
  readonly score: number;
  /** Index of the last token of the expression. */
  readonly last: number;
}

/** All of a value, or behind a word of it: who writes a text about templates says more. */
function placeOf(expressions: Expressions, index: number): Place {
  const { text, tokens } = expressions;
  let open = index;
  while (open > 0 && tokens.families[open - 1] !== 0 && !isOutermost(expressions, open)) open--;
  const before = text.slice(0, expressions.start(open));
  let last = index;
  while (last < tokens.count - 1 && !isOutermost(expressions, last + 1)) last++;
  const behind = text.slice(expressions.end(last));
  const isAlone = besideBefore.test(before) && besideBehind.test(behind);
  return { score: isAlone ? confidence.likely : confidence.hint, last };
}

/** The delimiter around the whole expression. */
function isOutermost(expressions: Expressions, index: number): boolean {
  return index === 0 || expressions.kind(index) === templateToken.open;
}

const besideBefore = /^(?:[\w'",.!]{1,20}\s{1,4}){0,2}["'})\]]{0,4}[[({]{0,2}$/;
const besideBehind = /^[\s.,!?})\]]{0,8}["'{#$]{0,4}$/;

/** Handlebars' `{{json @root}}`; `{{> card @root}}` hands it on. */
function isRootData(expressions: Expressions, index: number): boolean {
  const isData =
    expressions.isMark(index - 1, '@') && expressions.family(index) === family.mustache;
  if (!isData || expressions.kind(index + 1) !== templateToken.close) return false;
  const helper = expressions.content(index - 2).toLowerCase();
  return helper === 'each' || showers.has(helper);
}

/** `dict(config)`, `"%s"|format(config)`, `attribute(_context, …)`, `JSON.stringify(locals)` */
function isGivenTo(expressions: Expressions, index: number, names: ReadonlySet<string>): boolean {
  const isArgument = expressions.isMark(index - 1, '(');
  return isArgument && names.has(expressions.content(index - 2).toLowerCase());
}

const attribute: ReadonlySet<string> = new Set(['attribute']);
/** What makes a text of an object. */
const showers: ReadonlySet<string> = wordSet(
  `json log dict list format str repr dump debug inspect stringify tojson json_encode keys values
   entries getownpropertynames`,
);

/** `${@environment}`, a bean of Spring; `${#ctx.x}`, an object of Thymeleaf. */
function isMarked(expressions: Expressions, index: number): boolean {
  const one = expressions.family(index);
  const isSpring = kinds.dollar.has(one) || one === family.star;
  if (expressions.isMark(index - 1, '@') && expressions.isFirst(index)) {
    const name = expressions.content(index);
    return isSpring ? isSpringBean(name) : one === family.hash && springBeans.has(name);
  }
  if (!isSpring || !expressions.isMark(index - 1, '#')) return false;
  // `${#ctx}` is the length of a variable to a shell.
  const isKey =
    expressions.isMark(index + 1, '[') && expressions.kind(index + 2) === templateToken.string;
  const isAsked = expressions.isMark(index + 1, '.') || isKey;
  return isAsked && markedObjects.has(expressions.content(index).toLowerCase());
}

const springBeans: ReadonlySet<string> = new Set([
  'environment',
  'systemProperties',
  'systemEnvironment',
]);

/** Beans have the names of their classes: `jdbcTemplate`, `dataSource`; `@user` is a variable of Ruby. */
function isSpringBean(name: string): boolean {
  return springBeans.has(name) || springClass.test(name);
}

const springClass =
  /^(?:[a-z]\w{1,40}(?:Template|Source|Factory|Context|Repository|Resolver|Encoder|Executor|Manager))$/;

/** `config['SQLALCHEMY_DATABASE_URI']`, `config.get('SECRET_KEY')`, `env('APP_SECRET')` */
function keyScore(expressions: Expressions, index: number): number {
  const isKey = expressions.isMark(index - 1, '[');
  const isArgument = expressions.isMark(index - 1, '(');
  if (!isKey && !isArgument) return 0;
  if (!isSecretName(expressions.folded(index))) return 0;
  if (isKey) return isOfSettings(expressions, index - 2) ? confidence.strong : 0;
  const called = expressions.content(index - 2);
  if (called === 'env' || called === 'parseEnv') return byPlace;
  return called === 'get' && isOfSettings(expressions, index - 4) ? confidence.strong : 0;
}

/** The name is that of the settings, and the first of a path in a template of a server. */
function isOfSettings(expressions: Expressions, index: number): boolean {
  const one = expressions.family(index);
  const isServer = kinds.curly.has(one) || kinds.ruby.has(one);
  const isFirst = !expressions.isMark(index - 1, '.');
  return isServer && isFirst && settings.has(expressions.content(index).toLowerCase());
}

const settings: ReadonlySet<string> = wordSet(
  'config settings app application current_app conf configuration environ',
);
