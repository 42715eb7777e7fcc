import { randomBytes } from 'node:crypto';
import type { Oracle } from '../../contract.ts';
import { type JudgingProgram, startJudging } from '../line-oracle.ts';
import type { LineProgram } from '../line-process.ts';
import { javaTools, php, programs, ruby } from './programs.ts';
import { effectOfPage } from './shown.ts';

/** An engine, and the ways in which applications build a template with a value in it. */
interface Engine {
  readonly name: string;
  readonly tools: readonly string[];
  readonly program: () => LineProgram;
  readonly sources: Readonly<Record<string, (value: string) => string>>;
}

const curly = {
  text: (value: string) => `<h1>Hello ${value}</h1>`,
  attribute: (value: string) => `<a title="${value}">Profile</a>`,
  expression: (value: string) => `<p>{{ ${value} }}</p>`,
  'expression string': (value: string) => `<p>{{ "${value}" }}</p>`,
};

const percent = {
  text: (value: string) => `<h1>Hello ${value}</h1>`,
  attribute: (value: string) => `<a title="${value}">Profile</a>`,
  expression: (value: string) => `<p><%= ${value} %></p>`,
  'expression string': (value: string) => `<p><%= "${value}" %></p>`,
};

const engines: readonly Engine[] = [
  {
    name: 'jinja',
    tools: ['python3', 'python3 -m jinja2'],
    program: () => programs.python('jinja.py'),
    sources: curly,
  },
  {
    name: 'twig',
    tools: [php, '/usr/share/php/Twig/autoload.php'],
    program: () =>
      programs.php('twig.php', [
        ...['open_basedir=/usr/share/php', 'include_path=/usr/share/php'],
        ...['extension=ctype', 'extension=mbstring'],
      ]),
    sources: curly,
  },
  {
    name: 'erb',
    tools: [ruby],
    program: () => programs.ruby('erb.rb'),
    sources: percent,
  },
  {
    name: 'nunjucks',
    tools: [],
    program: () => programs.node('node-engines.cjs', 'nunjucks'),
    sources: curly,
  },
  {
    name: 'ejs',
    tools: [],
    program: () => programs.node('node-engines.cjs', 'ejs'),
    sources: percent,
  },
  {
    name: 'handlebars',
    tools: [],
    program: () => programs.node('node-engines.cjs', 'handlebars'),
    sources: { text: curly.text, attribute: curly.attribute },
  },
  {
    name: 'pug',
    tools: [],
    program: () => programs.node('node-engines.cjs', 'pug'),
    sources: {
      text: (value: string) => `h1 Hello ${value}`,
      attribute: (value: string) => `a(title="${value}") Profile`,
      expression: (value: string) => `p= ${value}`,
    },
  },
  {
    name: 'freemarker',
    tools: javaTools,
    program: () => programs.java('TemplateEngines.java', 'freemarker'),
    sources: {
      text: curly.text,
      attribute: curly.attribute,
      expression: (value: string) => `<p>\${${value}}</p>`,
      'expression string': (value: string) => `<p>\${"${value}"}</p>`,
    },
  },
  {
    name: 'velocity',
    tools: javaTools,
    program: () => programs.java('TemplateEngines.java', 'velocity'),
    sources: {
      text: curly.text,
      attribute: curly.attribute,
      expression: (value: string) => `#set($shown = ${value})<p>$shown</p>`,
      'expression string': (value: string) => `#set($shown = "${value}")<p>$shown</p>`,
    },
  },
];

/** Names of the template, of what it was given, and of the page around it. */
const given = ['config', 'secret', 'page', 'user', 'shown'];

/** Template engines: a canary is a stub, a secret or a class in the page, or what only an evaluator computes. */
export const templateOracles: readonly Oracle[] = engines.map((engine) => {
  const contexts = Object.keys(engine.sources).map((name) => ({
    name,
    members: [name === 'expression' ? 'query.field' : 'body.name'],
    benign: [name === 'expression' ? '4711' : 'Ann'],
  }));
  return {
    name: engine.name,
    category: 'ssti',
    language: engine.name,
    tools: engine.tools,
    contexts,
    start: async () => {
      return startJudging({ ...engine.program(), ...reading(engine), answerMs: 3000 });
    },
  };
});

function reading({ sources }: Engine): Pick<JudgingProgram, 'write' | 'read' | 'show'> {
  return {
    write: (context, values) => ({
      source: sources[context.name]?.(values[0] ?? '') ?? '',
      // Letters only: a word that is found as a whole.
      secret: randomBytes(12)
        .toString('hex')
        .replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit))),
    }),
    read: (line, context, values) => {
      const said = JSON.parse(line) as { readonly reached?: boolean; readonly shown?: string };
      if (said.reached === true) return 'effective';
      if (said.shown === undefined) return 'error';
      const source = sources[context.name]?.(values[0] ?? '') ?? '';
      return effectOfPage({ source, shown: said.shown, given });
    },
    show: (line) => (JSON.parse(line) as { readonly shown?: string }).shown ?? '',
  };
}
