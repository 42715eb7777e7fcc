import type { Expressions } from '../../grammars/template/expressions.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import { sensitivity, sensitivityOf } from '../../knowledge/sensitive-path.ts';
import { smartyTags } from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestExpression } from '../../placement/template-evidence.ts';
import { wordList, wordMap, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `{% set x = 'id' %}`, `#set($x = 1)`, `<#assign x = 1>`, `{% include '/etc/passwd' %}` */
export const statement: ValueRule = {
  id: 'ssti.statement',
  score: confidence.strong,
  message: 'is a statement of a template language: it sets, includes or loops',
  trigger: {
    literals: [
      [
        ...wordList('{% <# [# #set #{ #foreach #include #parse #evaluate #define #macro {{# {{>'),
        ...[...smartyTags.keys()].map((name) => `{${name}`),
        '{self',
        '{smarty',
      ],
    ],
  },
  judge: (subject) => strongestExpression(subject, scoreOf),
  examples: [
    "{% set cmd = 'id' %}",
    '#set($x = 7 * 7)',
    '<#assign x = "y">',
    "{% include '/etc/hosts' %}",
    '#include("/etc/hosts")',
    '#macro(x)$config#end#x()',
    '")$user.class#set($z="',
    '") ${user} #{set}(\n$!{z} = "',
    '<#list config as k, v>${v}</#list>',
    '[#list[#----]config as k, v]${v}[/#list]',
    '#{set}($x = 7268 +2726)$x',
    '#{evaluate}("$config")',
    '{% if 6*7==42 %}x{% endif %}',
    '<#if 6*7==42>x</#if>',
    '{{#with "s" as |string|}}x{{/with}}',
    '{% for c in [1,2,3] %}{{ c }}{% endfor %}',
    "{include file='/etc/hosts'}",
    "{config_load file='/etc/hosts'}",
    '{insert name="x" script="/etc/hosts"}',
    '{% include /etc/hosts %}',
    '{{> /home/www/.ssh/id_rsa}}',
    "{% include '/tmp/x.html' %}",
    "{% include '.env' %}",
    "{include file='config.php'}",
    "{include file='/tmp/a.tpl'}",
    '{% include_relative ../../etc/hosts %}',
    '{{> /etc/hosts}}',
    '{% load log %}{% get_admin_log 10 as l %}',
  ],
  lookalikes: [
    '{% if user.vip %}Hello{% endif %}',
    'Jekyll: {% raw %}...{% endraw %} and {% include head.html %}',
    'see you in <#> mins',
    '<#list products as product>${product.name}</#list>',
    '#set your alarm (8 am)',
    '#macro(name) is how a macro begins, and #end how it ends',
    '#set($name = "x") Hello $name',
    '#foreach($item in $items) $item.name #end',
    '{{> layout/header}} and {{> ./card }}',
    '{{> ../../partials/header}}',
    '{{> /home/header}} and {% render "/home/card" %}',
    "{% include 'snippet' %}",
    "{% include 'admin/base.html' %}",
    "{% include 'messages' %}",
    "{include file='header.tpl'}",
    "{html_image file='/var/img/a.png'}",
    "{extends file='file:layout.tpl'}",
    '{% include_relative notes/a.md %}',
    '{% render "product-card", product: product %}',
    "{config_load file='site.conf'}",
    "{extends file='layout.tpl'}",
    'C: #include <stdio.h> and #define MAX(a) a',
    '{{#if user}}Hello {{user.name}}{{/if}}',
    '{count, plural, one {# item} other {# items}}',
    '{% for product in collection.products %}{{ product.title }}{% endfor %}',
  ],
};

/** Of the first token behind a delimiter. */
function scoreOf(expressions: Expressions, at: number): number {
  if (expressions.kind(at - 1) !== templateToken.open) return 0;
  switch (expressions.family(at - 1)) {
    case family.statement:
      return statementScore(expressions, expressions.isMark(at, '-') ? at + 1 : at);
    case family.directive:
      return directiveScore(expressions, at);
    case family.velocity:
      return velocityScore(expressions, at);
    case family.mustache:
      return blockScore(expressions, at);
    case family.single:
      return smartyScore(expressions, at);
    default:
      return 0;
  }
}

function directiveScore(expressions: Expressions, at: number): number {
  const name = expressions.content(at).toLowerCase();
  if (name === 'if' && isSum(expressions, at + 1)) return confidence.strong;
  if (name === 'list' && expressions.content(at + 1) === 'config') return confidence.likely;
  return directives.get(name) ?? 0;
}

const directives = wordMap<number>(
  [confidence.strong, 'assign global'],
  [confidence.likely, 'include import function macro setting attempt'],
  [confidence.hint, 'list if'],
);

function statementScore(expressions: Expressions, at: number): number {
  const name = expressions.content(at).toLowerCase();
  if (loading.has(name)) return loadScore(expressions, at + 1);
  if (name === 'if' && isSum(expressions, at + 1)) return confidence.strong;
  if (name === 'for' && loopsOverLiteral(expressions, at)) return confidence.likely;
  return statements.get(name) ?? 0;
}

const loading = wordSet('include include_relative render extends embed ssi load from import');
const statements = wordMap<number>(
  [confidence.strong, 'get_admin_log'],
  [confidence.likely, 'set do print'],
  [confidence.trace, 'for if with macro call autoescape'],
);

/** A template by its path: a string, or a path without quotes. */
function loadScore(expressions: Expressions, at: number): number {
  if (expressions.kind(at) === templateToken.string)
    return isForeign(expressions.content(at)) ? confidence.strong : confidence.hint;
  return isForeignOperand(expressions, at) ? confidence.strong : confidence.trace;
}

/** `7*7==49`: a sum of constants, which nobody asks a template about. */
function isSum(expressions: Expressions, at: number): boolean {
  const hasOperator = ['*', '+', '-', '/'].some((mark) => expressions.isMark(at + 1, mark));
  return (
    hasOperator &&
    expressions.kind(at) === templateToken.number &&
    expressions.kind(at + 2) === templateToken.number
  );
}

/** A path of the server, not of a template folder. */
function isForeign(path: string): boolean {
  return path.includes('..') || path.includes(':') || isOfMachine(path) || isSecretFile(path);
}

/** `.env`, `config.php`, `WEB-INF/web.xml`: no template, wherever the folder of templates is. */
function isSecretFile(path: string): boolean {
  return path.includes('.') && sensitivityOf(path.toLowerCase()) >= sensitivity.system;
}

/** `for c in [1,2,3]`, `for x in ().__class__` */
function loopsOverLiteral(expressions: Expressions, at: number): boolean {
  for (let i = at + 1; i < at + 8; i++) {
    if (expressions.content(i) !== 'in') continue;
    const next = expressions.content(i + 1);
    return (
      next === '[' ||
      next === '(' ||
      expressions.kind(i + 1) === templateToken.string ||
      expressions.kind(i + 1) === templateToken.number
    );
  }
  return false;
}

function velocityScore(expressions: Expressions, at: number): number {
  const name = expressions.content(at).toLowerCase();
  if (name === 'macro') return isWholeMacro(expressions, at) ? confidence.likely : 0;
  const behind = variableEnd(expressions, at + 1);
  const hasVariable = behind > 0;
  if (sourceDirectives.has(name)) {
    const hasString = expressions.kind(at + 1) === templateToken.string;
    return hasVariable || hasString ? confidence.strong : 0;
  }
  if (!hasVariable || !variableDirectives.has(name)) return 0;
  const computes = isComputed(expressions, behind);
  if (name === 'set' && (computes || isLeftOpen(expressions, behind))) return confidence.strong;
  return name === 'foreach' && computes ? confidence.likely : confidence.hint;
}

const sourceDirectives = wordSet('include parse evaluate define');
const variableDirectives = wordSet('set foreach if elseif');

/** Behind `$x`, `${x}` or `$!{x}`; 0 where something else stands. */
function variableEnd(expressions: Expressions, at: number): number {
  const isFormal =
    expressions.kind(at) === templateToken.open && expressions.family(at) === family.dollar;
  if (isFormal) return expressions.kind(at + 2) === templateToken.close ? at + 3 : 0;
  return expressions.content(at).startsWith('$') ? at + 1 : 0;
}

/** `…#set($z = "` at the end: what closed a string of the template opens it again. */
function isLeftOpen(expressions: Expressions, at: number): boolean {
  const isQuote = expressions.isMark(at + 1, '"') || expressions.isMark(at + 1, "'");
  return isQuote && expressions.isMark(at, '=') && expressions.tokens.count === at + 2;
}

/** `#macro(x) … #end #x()`: defined and called. */
function isWholeMacro(expressions: Expressions, at: number): boolean {
  const name = expressions.content(at + 1);
  const isNamed = expressions.kind(at + 1) === templateToken.name && !name.startsWith('$');
  const end = expressions.end(at + 1);
  return isNamed && expressions.text.slice(end, end + macroCharsMax).includes(`#${name}(`);
}

const macroCharsMax = 400;

/** Something is called, or calculated: more than a constant or the list that a page shows. */
function isComputed(expressions: Expressions, from: number): boolean {
  for (let i = from; i < from + statementTokensMax; i++) {
    const kind = expressions.kind(i);
    if (kind < 0 || kind === templateToken.close) return false;
    if (kind === templateToken.mark && computing.includes(expressions.content(i))) return true;
  }
  return false;
}

const statementTokensMax = 40;
const computing: readonly string[] = ['(', '*', '+', '-', '/', '%', '{'];

/** A string of the tag is a path of the server. */
function namesForeign(expressions: Expressions, from: number): boolean {
  for (let i = from; i < from + tagTokensMax; i++) {
    const kind = expressions.kind(i);
    if (kind < 0 || kind === templateToken.close) return false;
    if (kind !== templateToken.string) continue;
    const path = expressions.content(i);
    if (smartyForeign.test(path) || isSecretFile(path)) return true;
  }
  return false;
}

const tagTokensMax = 16;
/** Smarty, "Resources": a scheme, or a path out of the folder of templates. */
const smartyForeign =
  /^(?:(?:string|eval|php|data|expect):|file:[/A-Z.]|\/(?:etc|proc|root|var|home|opt|srv|usr|tmp|mnt)\/|(?:\.\.\/){2})/;

/** `{% include /etc/passwd %}`, `{{> ../../x}}`: a path without quotes, up to the end of the tag. */
function isForeignOperand(expressions: Expressions, at: number): boolean {
  const start = expressions.start(at);
  const path = expressions.text.slice(start, start + operandCharsMax).split(operandEnd, 1)[0] ?? '';
  return isOfMachine(path);
}

const operandCharsMax = 80;
const operandEnd = /[\s}%]/;

/** `../../partials/header` and `/home/header` are templates of the application. */
function isOfMachine(path: string): boolean {
  if (machineFolder.test(path)) return true;
  return outside.test(path) && sensitivityOf(path.toLowerCase()) >= sensitivity.system;
}

const machineFolder =
  /^(?:(?:\/|(?:\.\.\/){2})(?:etc|proc|root|var|opt|srv|usr|tmp|mnt)\/[\w.-]|(?:\.\.\/){2}(?:\.|config\b))/;
const outside = /^(?:\/|\.\.\/)/;

/** Handlebars' `{{#with "s"`, which only a walk to a constructor needs; a partial that is a path. */
function blockScore(expressions: Expressions, at: number): number {
  if (expressions.isMark(at, '>')) {
    return isForeignOperand(expressions, at + 1) ? confidence.strong : 0;
  }
  if (!expressions.isMark(at, '#')) return 0;
  const name = expressions.content(at + 1).toLowerCase();
  return name === 'with' && expressions.kind(at + 2) === templateToken.string
    ? confidence.strong
    : 0;
}

function smartyScore(expressions: Expressions, at: number): number {
  const name = expressions.content(at).toLowerCase();
  const attribute = expressions.content(at + 1).toLowerCase();
  const own = smartyTags.get(name);
  const isSet = own === attribute && expressions.isMark(at + 2, '=');
  // A template of the application: what is foreign in it comes next.
  if (isSet && name !== 'include') return confidence.strong;
  if (own !== undefined && namesForeign(expressions, at + 1)) return confidence.strong;
  const isStatic = expressions.isMark(at + 1, ':');
  return isStatic && (name === 'self' || name.startsWith('smarty_')) ? confidence.strong : 0;
}
