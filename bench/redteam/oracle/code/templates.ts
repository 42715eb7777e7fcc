import { randomBytes } from 'node:crypto';
import type { Effect, Oracle } from '../../contract.ts';
import { type JudgingProgram, startJudging } from '../line-oracle.ts';
import type { LineProgram } from '../line-process.ts';
import { php, programs, ruby } from './programs.ts';

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
];

/** Template engines: a canary is a stub, or a word in the page that no template held. */
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

function reading({ sources }: Engine): Pick<JudgingProgram, 'write' | 'read'> {
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
      return isNew(said.shown, sources[context.name]?.(values[0] ?? '') ?? '');
    },
  };
}

/** What words without a meaning come to in an expression. */
const constants = new Set(['true', 'false', 'none', 'null', 'undefined']);

/** A number or a word that stands in no template was computed: an expression ran. */
function isNew(shown: string, source: string): Effect {
  const words = shown.match(/\d{4,}|[A-Za-z]{4,}/g) ?? [];
  // A backslash that means nothing is left out of a string.
  const plain = source.replaceAll('\\', '');
  const isHeld = (word: string) => source.includes(word) || plain.includes(word);
  return words.every((word) => isHeld(word) || constants.has(word.toLowerCase()))
    ? 'inert'
    : 'effective';
}
