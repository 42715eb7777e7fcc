import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Grammar } from '../contract.ts';
import { scriptFragment } from './nosql-script.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Attacks on queries of document databases: operators in names and in JSON, scripts. */
export const nosql: Grammar = {
  language: 'nosql',
  attack(random, _oracle, context) {
    if (context.name.startsWith('where,')) return scriptAttack(random, context);
    if (context.name.startsWith('JSON by concatenation')) return concatenated(random, context);
    if (context.name === 'token, JSON text') return inJson('operator', operator(random));
    if (context.name === 'filter, JSON text') return inJson('script', scriptFilter(random));
    return named(random, context);
  },
};

function inJson(kind: string, value: string): Attack {
  return { kind: `${kind}/JSON text`, values: [value] };
}

function scriptAttack(random: Random, context: Context): Attack {
  const { kind, values } = scriptFragment(random, context);
  return { kind: `${kind}/${context.name}`, values };
}

/** Text that matches everything as a regular expression. */
const anyText: Maker = oneOf(
  () => '.*',
  () => '^',
  () => '.',
  () => '[^]',
  () => '\\w',
  (random) => `^.{${random.below(6)},}`,
  (random) => `^[^${aName(random)}]?`,
  (random) => `${aName(random)}|`,
  (random) => `(?!${aName(random)})`,
);

/** Steps of names behind a field, with a value: the field then holds no text but operators. */
const operatorSteps: readonly ((random: Random) => readonly [string[], string])[] = [
  (random) => [['$ne'], aText(random)],
  (random) => [['$gt'], random.pick(['', '!', '0', ' '])],
  (random) => [['$gte'], random.pick(['', '0', '-'])],
  (random) => [['$lt'], `~${aName(random)}`],
  (random) => [['$lte'], `zz${aName(random)}`],
  (random) => [['$regex'], anyText(random)],
  (random) => [['$not', '$eq'], aText(random)],
  (random) => [['$not', '$in', '0'], aName(random)],
  (random) => [['$not', '$regex'], `^${aName(random)}$`],
  (random) => [['$nin', '0'], aText(random)],
  (random) => [['$exists'], random.pick(['true', '1', 'on'])],
  () => [['$type'], 'string'],
  () => [['$not', '$lt'], ''],
  (random) => [['$not', '$type'], random.pick(['number', 'bool', 'array'])],
  (random) => [['$not', '$size'], aNumber(random)],
];

/** Operators in names of fields: those of a form, or members in JSON. */
function named(random: Random, context: Context): Attack {
  const isForm = context.name.endsWith('form');
  // One field of a log-in may keep a benign text.
  const plain = context.members.length === 2 && random.chance(50) ? 0 : -1;
  const made = context.members.map((member, index) => {
    if (index === plain) return { name: member, value: random.pick(['admin', 'alice', 'mallory']) };
    const [steps, value] = random.pick(operatorSteps)(random);
    const inBrackets = steps.map((step) => `[${step}]`).join('');
    return { name: member + (isForm ? inBrackets : `.${steps.join('.')}`), value, step: steps[0] };
  });
  return {
    kind: `${made.at(-1)?.step}/${context.name}`,
    values: made.map(({ value }) => value),
    names: made.map(({ name }) => name),
  };
}

const quoted = (text: string): string => JSON.stringify(text);

/** An object of operators that any text satisfies. */
const operator: Maker = oneOf(
  (random) => `{"$ne":${random.pick(['null', '1', '""', 'false', quoted(aName(random))])}}`,
  (random) => `{"$gt":${random.pick(['""', '"!"', '"0"'])}}`,
  (random) => `{"$gte": ""}`.replace(' ', random.pick(['', ' '])),
  (random) => `{"$lt":"~${aName(random)}"}`,
  (random) => `{"$regex":${quoted(anyText(random))}}`,
  (random) => `{"$regex":${quoted(anyText(random))},"$options":"${random.pick(['i', 's', 'm'])}"}`,
  (random) => `{"$nin":[${random.times(random.below(3), () => quoted(aName(random))).join()}]}`,
  (random) => `{"$exists":${random.pick(['true', '1'])}}`,
  (random) => `{"$type":${random.pick(['"string"', '2'])}}`,
  (random) => `{"$not":${operator(random).replace(/^\{"\$ne":/, '{"$eq":')}}`,
  (random) => `{"$not":{"$eq":${quoted(aName(random))}}}`,
  (random) => `{"$not":{"$in":[${aNumber(random)}]}}`,
  (random) => `{"$not":{"$size":${aNumber(random)}}}`,
);

const scriptBody: Maker = oneOf(
  () => 'function() { return true; }',
  (random) => `function(${aName(random)}) { return this.password.length > ${random.below(9)}; }`,
  (random) => `function() { sleep(${aNumber(random)}); return true; }`,
  (random) => `function () { return ${random.pick(['1', 'true', '!0', 'this.age > 1'])} }`,
);

const scriptFilter: Maker = oneOf(
  (random) => `{"$where":${quoted(scriptBody(random))}}`,
  (random) => `{"$where":"sleep(${aNumber(random)})"}`,
  (random) => `{"$where":"this.password.charAt(${random.below(9)}) > 'm'"}`,
  (random) => `{"${aName(random)}":{"$exists":false},"$where":"${aNumber(random)}"}`,
  (random) => `{"$or":[{"${aName(random)}":1},${scriptFilter(random)}]}`,
  (random) =>
    `{"$expr":{"$function":{"body":${quoted(scriptBody(random))},"args":[],"lang":"js"}}}`,
  (random) => `{"$nor":[{"$where":"return this.token[0] == '${aNumber(random)}'"}]}`,
);

/** Members that find other people's documents, where a member before asks for one's own. */
const widening: Maker = oneOf(
  (random) => `"owner":${operator(random)}`,
  () => '"owner":"admin"',
  (random) => `"owner":{"$in":["admin","${aName(random)}"]}`,
);

/** The way out of a text: a member that documents have, whose quote the statement closes. */
const lastMember: Maker = oneOf(
  () => '"roles":"user',
  () => '"roles":"admin',
  () => '"username":"admin',
  () => '"owner":"alice',
  () => '"email":"admin@shop.test',
);

/** Out of a text, or behind a number, of JSON that is put together. */
function concatenated(random: Random, context: Context): Attack {
  const member = `,${random.pick(['', ' '])}`;
  const any = operator(random);
  if (context.name.endsWith('log-in')) {
    const more = random.chance(50) ? `${member}"username":${operator(random)}` : '';
    const word = `${aText(random)}"${member}"password":${any}${more}${member}${lastMember(random)}`;
    return { kind: 'log-in/JSON by concatenation', values: ['alice', word] };
  }
  const wide = widening(random);
  if (context.name.endsWith('number')) {
    const value = `{"$gt":${random.below(30)}}${member}${wide}`;
    return { kind: 'number/JSON by concatenation', values: [value] };
  }
  const value = `${aText(random)}"${member}"email":${any}${member}${wide}${member}${lastMember(random)}`;
  return { kind: 'string/JSON by concatenation', values: [value] };
}
