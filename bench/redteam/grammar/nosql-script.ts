import type { Random } from '../../lib/random.ts';
import type { Context } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** What is true of every document, or of one with a secret. */
const truth: Maker = oneOf(
  () => 'true',
  (random) => String(1 + random.below(999)),
  (random) => {
    const number = aNumber(random);
    return `${number}${random.pick(['==', '===', '<=', ' == '])}${number}`;
  },
  (random) => {
    const text = aName(random);
    return `"${text}"=="${text}"`;
  },
  (random) => `${aNumber(random)}<${1e5 + random.below(999)}`,
  (random) => random.pick(['!0', '!!1', '!""', '!null', '[]', '{}.a===undefined', '~0', '-1']),
  (random) => `this.password.length>${random.below(9)}`,
  (random) =>
    `this.password.${random.pick(['match', 'search'])}(/^[a-f\\d]/)${random.pick(['', '!=1'])}`,
  (random) => `/${random.pick(['.', '^', '\\w', '-'])}/.test(this.password)`,
  (random) => `this.username!="${aName(random)}"`,
  (random) => `this.username==${random.pick(['"admin"', '"alice"'])}`,
  (random) =>
    `this["${random.pick(['password', 'token', 'title'])}"]${random.pick([' > ""', '!=1'])}`,
  (random) => `Object.keys(this).length${random.pick(['>1', '!=0'])}`,
  (random) => `typeof ${random.pick(['this', 'db', 'sleep'])}!="${aName(random)}"`,
  (random) => `Math.${random.pick(['PI', 'E', 'SQRT2'])}>${random.below(2)}`,
  (random) => `"${aName(random)}".length`,
  (random) => `new Date().getTime()>${aNumber(random)}`,
);

/** A call of what only an operator of the database may call. */
const call: Maker = oneOf(
  (random) => `sleep(${aNumber(random)})`,
  () => 'db.getName()',
  () => 'db.dropDatabase()',
  (random) => `db.users.${random.pick(['drop()', 'remove({})', 'find()', 'insert({a:1})'])}`,
  () => 'db["users"]["find"]()',
  (random) => `hex_md5("${aName(random)}")`,
  () => 'print(this.password)',
  () => 'version()',
  () => `(function(){return sleep(1)})()`,
  () => '(()=>sleep(9))()',
);

interface Production {
  readonly kind: string;
  /** Closes the literal before, and opens it again for what follows. */
  make(random: Random, close: string, open: string): string;
}

const productions: readonly Production[] = [
  {
    kind: 'or',
    make: (random, close, open) => {
      const space = random.pick(['', ' ']);
      const test = random.pick([truth, call])(random);
      return `${close}${space}||${space}${test}${space}||${space}${open}`;
    },
  },
  {
    kind: 'or, way out false',
    make: (random, close, open) => `${close}||${truth(random)}&&"1"!=${open}`,
  },
  { kind: 'plus call', make: (random, close, open) => `${close}+${call(random)}+${open}` },
  {
    kind: 'comment',
    make: (random, close) => `${close}||${truth(random)}${random.pick(['//', ' // ', '//;'])}`,
  },
  {
    kind: 'statement',
    make: (random, close, open) => `${close};${call(random)};${random.pick(['', 'var a='])}${open}`,
  },
  {
    kind: 'return',
    make: (random, close, open) =>
      `${close};return ${truth(random)};${random.pick(['', 'var a='])}${open}`,
  },
  {
    kind: 'last expression',
    make: (random, close) => `${close};${truth(random)}//`,
  },
  {
    kind: 'ternary',
    make: (random, close, open) => `${close}?${truth(random)}:${truth(random)}||${open}`,
  },
  {
    kind: 'comma',
    make: (random, close, open) => `${close},${truth(random)}||${open}`,
  },
  {
    kind: 'conditional',
    make: (random, close) => `${close};if(${truth(random)})${call(random)};//`,
  },
];

/** A piece of a script that fits where the context puts it. */
export function scriptFragment(
  random: Random,
  context: Context,
): { kind: string; values: string[] } {
  const production = random.pick(productions);
  const { kind } = production;
  const text = aText(random);
  switch (context.name) {
    case 'where, single quotes':
      return { kind, values: [production.make(random, `${text}'`, "'")] };
    case 'where, double quotes':
      return { kind, values: [singles(production.make(random, `${text}"`, '"'))] };
    case 'where, template literal':
      return random.chance(40)
        ? { kind: 'substitution', values: [`\${${call(random)}}`] }
        : { kind, values: [production.make(random, `${text}\``, '`')] };
    case 'where, function':
      return inFunction(random, text);
    case 'where, regular expression':
      return { kind, values: [production.make(random, `${aName(random)}/`, `/${aName(random)}`)] };
    case 'where, log-in':
      return random.chance(50)
        ? { kind, values: ['admin', production.make(random, `${text}'`, "'")] }
        : {
            kind,
            values: [`admin'${random.pick(['//', ';//', '||"', ' || 1//'])}`, aText(random)],
          };
    case 'where, property':
      return { kind, values: [production.make(random, 'username', aNumber(random))] };
    default:
      return { kind, values: [production.make(random, aNumber(random), aNumber(random))] };
  }
}

/** Out of an argument of a call: a bracket is to be closed as well. */
function inFunction(random: Random, text: string): { kind: string; values: string[] } {
  const fitting = productions.filter(({ kind }) => /^(?:or|comma|ternary)$/.test(kind));
  const production = random.pick(fitting);
  if (random.chance(25)) return { kind: 'brace', values: [`${text}')||${truth(random)}}//`] };
  const made = production.make(random, `${text}')${random.pick(['', '>9'])}`, "('");
  return { kind: production.kind, values: [made] };
}

/** With the other quotes inside. */
function singles(value: string): string {
  const [before = '', ...rest] = value.split('"');
  const last = rest.pop() ?? '';
  return rest.length === 0 ? value : `${before}"${rest.join("'")}${`"`}${last}`;
}
