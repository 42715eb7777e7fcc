import { delimiters, type Expressions } from '../../grammars/template/expressions.ts';
import { computesKey, holdsSecret, listsMembers } from '../../grammars/template/freemarker.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import { engineObjects, secretMembers } from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestExpression } from '../../placement/template-evidence.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** FreeMarker Manual, "Special Variable Reference". */
const freemarkerNames: ReadonlySet<string> = wordSet(
  'version data_model globals vars main locals template_name current_template_name',
  'auto_esc namespace main_template_name caller_template_name get_optional_template',
);

/** `{{ config.items() }}`, `{{ _self.env }}`, `{$smarty.version}`, `${applicationScope}` */
export const engineObject: ValueRule = {
  id: 'ssti.engine-object',
  score: confidence.strong,
  message: 'reads an object that the template engine keeps for itself',
  trigger: {
    literals: [
      delimiters,
      [
        // A name of one letter is in each text: its members tell.
        ...[...engineObjects].flatMap(([name, members]) =>
          name.length > 1 ? [name] : [...members, '__', '_templatereference'],
        ),
        ...secretMembers,
        'this.',
        'debug',
        'dump',
        ...[...freemarkerNames].map((name) => `.${name}`),
      ],
    ],
  },
  judge: (subject) => strongestExpression(subject, scoreOf),
  examples: [
    '{{ config.items() }}',
    '{{config.SECRET_KEY}}',
    '{{-config-}}',
    '{{_self.env.display("x")}}',
    '{$smarty.version}',
    '{$smarty.now|system}',
    '${applicationScope}',
    '{{ lipsum.__globals__ }}',
    '{{ handler.settings }}',
    '{% debug %}',
    '${.data_model}',
    '{{messages.storages.0.signer.key}}',
    '{{ craft.app.config.db }}',
    "{{ app.request.server.all|join(',') }}",
    '{{ beans.get("x") }}',
    "{{ salt['cmd.run']('id') }}",
    'Hi {{this.env}}',
    '{{lookup config "secret_key"}}',
    "{{ config['secr'~'et_key'] }}",
    "{{ config.get('secret_key') }} {{ attribute(config,'secret_key') }}",
    '<%= config.fetch(:secret_key) %>',
    '{{./config/secret_key}}',
    '{{&config.[secret_key]}}',
    '<%=config.to_a%>',
    '<%= config[:secret_key] %>',
    '{{ ((config)) }}',
    "#{[0, 'a', config][2]}",
    '{{[config]|first}}',
    "{{''[request.args.a][request.args.b]}}",
    ...['{{ 1[request.args.a] }}', '{{ (config)[request.args.a] }}'],
    '{{config[request.args.key]}}',
    '#{request.getSession()}',
    "${session.setAttribute('a', 1)}",
    '<#if 1==1>${config?values?join(",")}</#if>',
    "${config['zzsecret_key'[2..]]}",
    '${( .vars["config"].secret_key )}',
    "{{ config['yek_terces'[::-1]] }} and <%= config['yek_terces'.reverse] %>",
    "{{ config[['secret','key']|join('_')] }}",
    ...[
      '{{ config if 1 else 0 }}',
      '<%= config || 1 %>',
      '{{ 1 ? config : 0 }}',
      '{{ config, 1 }}',
      '<A b={{ config, c }}>',
    ],
    '#{[[ ((config[:secret_key])) ][0]][0]}',
  ],
  lookalikes: [
    '{$smarty.now|date_format}',
    '{{- config.title -}}',
    '{{lookup translations "title"}} and {{ render(config) }}',
    '{{ config.site_name }} is what the theme shows',
    '<%= t(:secret_key) %> and <%= form[:secret_keys] %>',
    '{{ labels[request.args.lang] }} and {{ items[request.page] }}',
    '{{ icons[config] }} and {{ tab(1, config) }} and {{ tab(config, 1) }}',
    "{{ config ? 'on' : 'off' }} and {{ config and 1 }} and `${config || ''}`",
    "freeze {{[-c|--config]}} {{base|full}} {{ 'a' if config else 'b' }}",
    "{% from 'a.html' import config, menu %}{% include 'b.html' with {'config': config} %}",
    "{{ config['nav_' + page|lower] }} and {{ config['nav'][page].title|upper }}",
    '{{ user.request }} was sent to {{ app.name }}',
    'Hello {{ self_name }}',
    '{{ request.user.first_name }}',
    'my {$price} and ${total}',
    '{% for entry in craft.entries.section("news") %}{{ entry.title }}{% endfor %}',
    'return f"<{self.__class__.__name__} {self.id}>"',
    "{{ salt['pillar.get']('name') }}",
    '{{#each hosts}}{{this.env}}{{/each}}',
    '{{ lipsum.words }} and {{ joiner.first_name }} in {{ namespace.name }}',
    '{{ app.request.locale }} in {{ app.environment }}',
    'Run by #{self}',
    '(c) {$smarty.now|date_format:"%Y"}',
    'the ${session.name} of the ${request.title}',
    'print(f"{self} has {config}")',
    'raise TypeError(f"{self.__name__} is not ok")',
    '<a href="{{ url_for(\'index\') }}">home</a>',
  ],
};

function scoreOf(expressions: Expressions, index: number): number {
  const kind = expressions.kind(index);
  if (kind === templateToken.string) return secretKeyScore(expressions, index);
  return kind === templateToken.name ? nameScore(expressions, index) : 0;
}

function nameScore(expressions: Expressions, index: number): number {
  const name = expressions.wordOf(index, tellingNames);
  if (name === '') return 0;
  if (name === 'debug' || name === 'dump') return debugScore(expressions, index, name);
  if (freemarkerNames.has(name) && expressions.family(index) === family.dollar) {
    return expressions.isMark(index - 1, '.') && expressions.isFirst(index) ? confidence.strong : 0;
  }
  if (name === 'this') return thisScore(expressions, index);
  if (secretMembers.has(name)) return secretScore(expressions, index);
  if (name === 'request' && namesMember(expressions, index)) return confidence.strong;
  if (name === 'config' && showsSettings(expressions, index)) return confidence.strong;
  if (name === 'config' && computesKey(expressions, index + 1)) return confidence.likely;
  return memberScore(expressions, index, name);
}

/** What the engine itself puts into every template, by the member that is asked of it. */
function memberScore(expressions: Expressions, index: number, name: string): number {
  const members = engineObjects.get(name);
  if (members === undefined || !beginsPath(expressions, index)) return 0;
  const member = memberAfter(expressions, index);
  if (member === undefined) return 0;
  if (showsTime(expressions, index + 2)) return 0;
  const isPlain = member === '' && !plainIsSure.has(name);
  if (members.includes(member) || (members.includes('*') && member !== '' && member !== '('))
    return isPlain ? plainScore(expressions, index) : confidence.strong;
  if (expressions.isTypeName(index + 2)) return 0;
  return member.startsWith('__') || member.startsWith('_templatereference')
    ? confidence.certain
    : 0;
}

/** `{$smarty.now|date_format:"%Y"}`, and nothing else in the braces. */
function showsTime(expressions: Expressions, member: number): boolean {
  if (expressions.content(member) !== 'now') return false;
  const isFormatted =
    expressions.isMark(member + 1, '|') && expressions.content(member + 2) === 'date_format';
  const isChosen = isFormatted && expressions.isMark(member + 3, ':');
  const end = member + (isChosen ? 5 : isFormatted ? 3 : 1);
  return expressions.kind(end) === templateToken.close;
}

/** `{{ ''[request.args.a] }}`: the request says which member of a constant or of the engine it is. */
function namesMember(expressions: Expressions, index: number): boolean {
  if (!expressions.isMark(index - 1, '[')) return false;
  const member = memberAfter(expressions, index) ?? '';
  if (member === '' || member === '(') return false;
  const receiver = expressions.kind(index - 2);
  const isConstant = receiver === templateToken.string || receiver === templateToken.number;
  const isEnd = expressions.isMark(index - 2, ')') || expressions.isMark(index - 2, ']');
  return isConstant || isEnd || engineObjects.has(expressions.content(index - 2).toLowerCase());
}

/** All settings, or the secret one by a key that is put together. */
function showsSettings(expressions: Expressions, index: number): boolean {
  if (listsMembers(expressions, index)) return true;
  return expressions.isMark(index + 1, '[') && holdsSecret(expressions, index + 1);
}

const plainIsSure: ReadonlySet<string> = new Set([
  ...wordList('applicationscope sessionscope pagecontext _self $smarty'),
]);
/** All names that `nameScore` asks for. */
const tellingNames = createWordTable([
  ...freemarkerNames,
  ...secretMembers,
  ...engineObjects.keys(),
  'debug',
  'dump',
  'this',
]);

/** `{{ x.signer.key }}`, `{{ settings.SECRET_KEY }}`; `./config/secret_key` and `[secret_key]` of Handlebars. */
function secretScore(expressions: Expressions, index: number): number {
  if (!showsMembers(expressions, index)) return 0;
  // `config[:secret_key]`, `config.fetch(:secret_key)`: a symbol of Ruby is a key.
  const isSymbol =
    expressions.isMark(index - 1, ':') &&
    (expressions.isMark(index - 2, '[') || isGotten(expressions, index - 1));
  const isMember = memberMarks.some((mark) => expressions.isMark(index - 1, mark));
  return isMember || isSymbol ? confidence.strong : 0;
}

const memberMarks: readonly string[] = ['.', '[', '/'];

/** `config['secr'~'et_key']`, `lookup config "secret_key"` */
function secretKeyScore(expressions: Expressions, index: number): number {
  if (!showsMembers(expressions, index)) return 0;
  const isKey = expressions.isMark(index - 1, '[') || isGotten(expressions, index);
  if (!isKey && !looksUp(expressions, index)) return 0;
  return secretMembers.has(expressions.folded(index).toLowerCase()) ? confidence.strong : 0;
}

/** `config.get('secret_key')`, `attribute(config, 'secret_key')` */
function isGotten(expressions: Expressions, index: number): boolean {
  if (expressions.isMark(index - 1, '(')) return getters.has(expressions.content(index - 2));
  return expressions.isMark(index - 1, ',') && expressions.content(index - 4) === 'attribute';
}

const getters: ReadonlySet<string> = new Set(['get', 'pop', 'fetch', 'dig']);

/** Handlebars' helper: the object and the name of a member stand behind it. */
function looksUp(expressions: Expressions, index: number): boolean {
  for (let at = index - 1; at > index - lookupTokensMax; at--) {
    if (expressions.kind(at) === templateToken.open) return false;
    if (expressions.content(at) === 'lookup') return true;
  }
  return false;
}

const lookupTokensMax = 12;

function showsMembers(expressions: Expressions, index: number): boolean {
  return shownFamilies.has(expressions.family(index));
}

const shownFamilies: ReadonlySet<number> = new Set([
  ...[family.mustache, family.statement, family.angle, family.hash],
]);

/** `{config}`: in single braces a program formats a string, or takes an object apart. */
function plainScore(expressions: Expressions, index: number): number {
  return expressions.family(index) === family.single ? confidence.trace : confidence.likely;
}

/** `{{this.env}}`, behind no other expression: in a loop `this` is its item. */
function thisScore(expressions: Expressions, index: number): number {
  if (index > 2 || expressions.family(index) !== family.mustache) return 0;
  if (!expressions.isFirst(index) || !expressions.isMark(index + 1, '.')) return 0;
  const isWhole = expressions.kind(index + 3) === templateToken.close;
  return isWhole && serverMembers.has(expressions.content(index + 2)) ? confidence.likely : 0;
}

const serverMembers: ReadonlySet<string> = new Set(['env', 'process', 'global', '__proto__']);

/** `{% debug %}`, `{{ dump(app) }}`, `{{ debug() }}` */
function debugScore(expressions: Expressions, index: number, name: string): number {
  if (!expressions.isFirst(index)) return 0;
  const one = expressions.family(index);
  const isCall = expressions.isMark(index + 1, '(');
  if (one === family.statement)
    return isCall || expressions.kind(index + 1) === templateToken.close ? confidence.strong : 0;
  return one === family.mustache &&
    isCall &&
    (name === 'dump' || expressions.isMark(index + 2, ')'))
    ? confidence.strong
    : 0;
}

/** A name that nothing is asked for: `config`, not `site.config`. Symfony has `app.request`. */
function beginsPath(expressions: Expressions, index: number): boolean {
  if (!expressions.isMark(index - 1, '.')) return true;
  const before = expressions.content(index - 2);
  return expressions.kind(index - 2) === templateToken.open || before === 'app';
}

/**
 * The member that is asked of a name: `''` for none, `(` for a call, undefined for anything
 * else.
 */
function memberAfter(expressions: Expressions, index: number): string | undefined {
  const kind = expressions.kind(index + 1);
  if (kind === templateToken.close) return '';
  if (handsOn(expressions, index)) return '';
  if (kind !== templateToken.mark) return undefined;
  const mark = expressions.content(index + 1);
  if (mark === '|') return expressions.content(index + 2).toLowerCase() === 'attr' ? 'attr' : '';
  if (mark === '.' || mark === '[') return expressions.content(index + 2).toLowerCase();
  return mark === '(' ? '(' : undefined;
}

/**
 * `((config))`, `[0, config]`, `config if 1 else 0`: the expression has the object itself for its value,
 * or in it. An argument and an index do not.
 */
function handsOn(expressions: Expressions, index: number): boolean {
  const opener = openerBefore(expressions, index);
  // `[-c|--config]`: an option of a command; objects have no sign.
  if (opener < 0 || expressions.isMark(index - 1, '-')) return false;
  const isWhole = expressions.kind(opener) === templateToken.open;
  if (!isWhole && isOperand(expressions, opener - 1)) return false;
  const next = expressions.content(index + 1).toLowerCase();
  switch (next) {
    case ')':
      return expressions.isMark(opener, '(');
    case ']':
      return expressions.isMark(opener, '[');
    case '}':
      return expressions.isMark(opener, '{') && expressions.isFirst(opener);
    case ',':
      // `for config, name in …`, `import config, name`
      return !isWhole || expressions.family(index) !== family.statement;
    case ':':
      return expressions.isMark(index - 1, '?');
    case '?':
      return expressions.isMark(index + 2, '?') || expressions.isMark(index + 2, ':');
    default:
      return keeping.has(next) && showsMembers(expressions, index);
  }
}

/** Operators whose value can be that of the operand in front, or has it in it. */
const keeping: ReadonlySet<string> = wordSet('if or unless || ~ +');

/** Index of the bracket or delimiter that is open at a token; -1 where it is too far. */
function openerBefore(expressions: Expressions, index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0 && at > index - nearTokensMax; at--) {
    const kind = expressions.kind(at);
    if (kind === templateToken.open) return at;
    if (kind !== templateToken.mark) continue;
    const mark = expressions.content(at);
    if (closers.includes(mark)) depth++;
    else if (openers.includes(mark) && depth-- === 0) return at;
  }
  return -1;
}

const nearTokensMax = 32;
const openers: readonly string[] = ['(', '[', '{'];
const closers: readonly string[] = [')', ']', '}'];

/** What a bracket behind it calls or asks for a member. */
function isOperand(expressions: Expressions, index: number): boolean {
  const isEnd = expressions.isMark(index, ')') || expressions.isMark(index, ']');
  return expressions.kind(index) === templateToken.name || isEnd;
}
