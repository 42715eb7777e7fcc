import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Commands of server-side includes. */
export const ssi: Grammar = {
  language: 'ssi',
  attack(random, _oracle, { name }) {
    const [kind, make] = random.pick(commands);
    const inner = make(random);
    const end = random.pick(['-->', ' -->']);
    const value =
      name === 'behind an open comment'
        ? random.pick([`#${inner} `, `--><!--#${inner}${end}<!--`])
        : `${aText(random)}<!--#${inner}${end}${aText(random)}`;
    return { kind: `${kind}/${name}`, values: [value] };
  },
};

const quoted = (random: Random, text: string): string => {
  const mark = random.pick(['"', '"', "'"]);
  return mark + text + mark;
};

const variable: Maker = oneOf(
  () => 'DATE_LOCAL',
  () => 'DATE_GMT',
  () => 'document_root',
  () => 'nginx_version',
  () => 'remote_addr',
  () => 'http_user_agent',
  () => 'http_host',
  () => 'request_filename',
  () => 'hostname',
  () => 'pid',
  (random) => `cookie_${aName(random)}`,
  (random) => `arg_${aName(random)}`,
);

const path: Maker = oneOf(
  (random) => `/${aName(random)}.html`,
  () => '/.htpasswd',
  () => '/etc/passwd',
  (random) => `/admin/${aName(random)}`,
  (random) => `/${aName(random)}?${aName(random)}=${aNumber(random)}`,
);

const commands: readonly (readonly [kind: string, make: Maker])[] = [
  ['include virtual', (random) => `include virtual=${quoted(random, path(random))}`],
  ['include file', (random) => `include file=${quoted(random, path(random).slice(1))}`],
  ['include, wait', (random) => `include virtual=${quoted(random, path(random))} wait="yes"`],
  ['echo', (random) => `echo var=${quoted(random, variable(random))}`],
  [
    'echo, encoding',
    (random) =>
      `echo encoding="${random.pick(['none', 'url', 'entity'])}" var=${quoted(random, variable(random))}`,
  ],
  [
    'echo, default',
    (random) => `echo var="${aName(random)}" default=${quoted(random, aName(random))}`,
  ],
  ['set', (random) => `set var="${aName(random)}" value=${quoted(random, aText(random))}`],
  [
    'config',
    (random) =>
      `config timefmt=${quoted(random, random.pick(['%Y', '%s', '%A, %d', aName(random)]))}`,
  ],
  ['config, errors', (random) => `config errmsg=${quoted(random, aName(random))}`],
  [
    'if',
    (random) =>
      `if expr="${random.pick(['$remote_addr', '$http_host = /./', '$pid != 0'])}" --><!--#${commands[0]?.[1](random)} --><!--#endif`,
  ],
  [
    'set and echo',
    (random) => {
      const name = aName(random);
      return `set var="${name}" value="$document_root" --><!--# echo var="${name}"`;
    },
  ],
];
