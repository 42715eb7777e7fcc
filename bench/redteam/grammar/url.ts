import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Grammar, Oracle } from '../contract.ts';
import type { UrlContext } from '../oracle/urls/contexts.ts';

/** An address within, in the form that the place of the value and the check of the code want. */
export const urlGrammar: Grammar = {
  language: 'url',
  attack: (random: Random, oracle: Oracle, context: Context): Attack => {
    const { place, wants, name } = context as UrlContext;
    const target = wants === 'no word' ? hiddenTarget(random) : someTarget(random);
    const rest = `${port(random)}${path(random)}`;
    const made = (value: string, kind = target.kind): Attack => ({
      kind: `${name}/${kind}`,
      values: [value],
    });
    if (place === 'host')
      return made(`${random.chance(15) ? `${word(random)}@` : ''}${target.host}${rest}`);
    if (place === 'end of a host') return made(behindHost(random, oracle, target.host) + rest);
    if (place === 'begin of a host') {
      const end = random.pick(['/', '/#', '/?', '#', '?', ':80/', `/${word(random)}?x=`, '/;']);
      return made(`${random.chance(20) ? `${word(random)}@` : ''}${target.host}${end}`);
    }
    const url = `${scheme(random, oracle)}://${target.host}${rest}`;
    switch (wants) {
      case 'begin':
        return made(`https://hooks.example.com${behindHost(random, oracle, target.host)}${rest}`);
      case 'end':
        return made(
          `${url}${random.pick(['?from=', '#', `?${word(random)}=www`, '?', '#x'])}.example.com`,
        );
      case 'part':
        return made(containing(random, target.host, rest));
      case 'host':
        return made(twoHosts(random, target.host, rest));
      default: {
        const isFile = wants === undefined && oracle.name !== 'node fetch' && random.chance(10);
        return isFile ? made(`file://${random.pick(files)}`, 'file') : made(url);
      }
    }
  },
};

interface Target {
  readonly kind: string;
  readonly host: string;
}

const files = ['/etc/passwd', '/etc/hosts', '/etc/group', '/etc/hostname', '/etc/os-release'];

const word = (random: Random): string =>
  random.times(2 + random.below(7), () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
const byte = (random: Random): number => random.below(256);

const port = (random: Random): string =>
  random.chance(40)
    ? `:${random.pick([80, 443, 8080, 6379, 9200, 2375, 5432, 11211, 3000, 1 + random.below(65_535)])}`
    : '';

const path = (random: Random): string =>
  random.pick([
    ...['/latest/meta-data/', '/latest/meta-data/iam/security-credentials/', '/admin', '/'],
    ...['/computeMetadata/v1/instance/service-accounts/default/token', '/server-status', '/_cat'],
    ...[`/${word(random)}`, '/metadata/instance?api-version=2021-02-01', '/v1.24/containers/json'],
    ...['/opc/v1/instance/', `/${word(random)}/${word(random)}?${word(random)}=${byte(random)}`],
  ]);

const scheme = (random: Random, oracle: Oracle): string => {
  if (oracle.name === 'curl' && random.chance(30)) {
    return random.pick(['gopher', 'dict', 'ftp', 'telnet', 'imap', 'smtp', 'pop3', 'ftps']);
  }
  if (oracle.name === 'python urllib' && random.chance(15)) return 'ftp';
  return random.pick(['http', 'http', 'https']);
};

const privateAddress = (random: Random): readonly [string, string] =>
  random.pick([
    ['loopback', '127.0.0.1'],
    ['loopback', `127.${byte(random)}.${byte(random)}.${1 + random.below(254)}`],
    ['private', `10.${byte(random)}.${byte(random)}.${byte(random)}`],
    ['private', `172.${16 + random.below(16)}.${byte(random)}.${byte(random)}`],
    ['private', `192.168.${byte(random)}.${byte(random)}`],
    ['metadata', '169.254.169.254'],
    ['link-local', `169.254.${byte(random)}.${byte(random)}`],
    ['metadata', '100.100.100.200'],
    ['this host', '0.0.0.0'],
  ] as const);

const hex16 = (high: number, low: number): string => ((high << 8) | low).toString(16);

/** Numbers and six-byte forms of an address: each is one that some client reads. */
function forms(address: string): Readonly<Record<string, string>> {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const last = [hex16(a, b), hex16(c, d)].join(':');
  return {
    decimal: String(whole),
    hexadecimal: `0x${whole.toString(16)}`,
    octal: `0${whole.toString(8)}`,
    'octal parts': [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    'hexadecimal parts': [a, b, c, d].map((part) => `0x${part.toString(16)}`).join('.'),
    'three parts': `${a}.${b}.${c * 256 + d}`,
    'two parts': `${a}.${(b * 256 + c) * 256 + d}`,
    mapped: `[::ffff:${last}]`,
    NAT64: `[64:ff9b::${last}]`,
    '6to4': `[2002:${last}::]`,
    wildcard: `${a}-${b}-${c}-${d}.nip.io`,
  };
}

function someTarget(random: Random): Target {
  if (random.chance(15)) return { kind: 'name', host: random.pick(namesOf(random)) };
  if (random.chance(12)) return { kind: 'IPv6', host: random.pick(sixes(random)) };
  const [kind, host] = privateAddress(random);
  if (random.chance(65)) return { kind, host };
  const [form, other] = random.pick(Object.entries(forms(host)));
  return { kind: `${kind}, ${form}`, host: other };
}

const namesOf = (random: Random): readonly string[] => [
  ...['localhost', 'metadata.google.internal', `${word(random)}.localhost`, 'localtest.me'],
  ...[`${word(random)}.lvh.me`, 'kubernetes.default.svc', 'host.docker.internal', 'instance-data'],
  ...[
    `${word(random)}.${privateAddress(random)[1]}.nip.io`,
    `${privateAddress(random)[1]}.sslip.io`,
  ],
];

const sixes = (random: Random): readonly string[] => [
  ...['[::1]', '[::]', '[fd00:ec2::254]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'],
  `[fe80::${random.below(65_536).toString(16)}]`,
  `[fd${byte(random).toString(16).padStart(2, '0')}::${1 + random.below(999)}]`,
];

/** Without the words that a list forbids. */
function hiddenTarget(random: Random): Target {
  const [kind, host] = privateAddress(random);
  const { wildcard: _, ...numeric } = forms(host);
  const [form, other] = random.pick(Object.entries(numeric));
  const names = [
    'lvh.me',
    `${word(random)}.localtest.me`,
    'instance-data',
    '[::]',
    'kubernetes.default',
  ];
  return random.chance(20)
    ? { kind: 'name', host: random.pick(names) }
    : { kind: `${kind}, ${form}`, host: other };
}

/** What turns the host before it into something else. */
const behindHost = (random: Random, oracle: Oracle, host: string): string => {
  // urllib takes user and host together for the name.
  const isName = oracle.name === 'python urllib' || random.chance(25);
  if (!isName) {
    return random.pick([
      `@${host}`,
      `:${word(random)}@${host}`,
      `:80@${host}`,
      `.${word(random)}@${host}`,
    ]);
  }
  const dotted = /^(?:\d+\.){3}\d+$/.test(host) ? host : privateAddress(random)[1];
  return `.${dotted}.${random.pick(['nip.io', 'sslip.io'])}`;
};

const containing = (random: Random, host: string, rest: string): string =>
  random.pick([
    `http://example.com@${host}${rest}`,
    `http://${host}/example.com`,
    `http://${host}/?${word(random)}=example.com`,
    `http://${host}${rest.replace(/[?].*/, '')}#example.com`,
    `https://www.example.com:${word(random)}@${host}${rest}`,
  ]);

const twoHosts = (random: Random, host: string, rest: string): string =>
  random.pick([
    `http://${host}#@www.example.com${rest}`,
    `http://${host}?@example.com${rest}`,
    `https://${host}#${word(random)}@img.example.com/`,
    `http://${host}?${word(random)}=${word(random)}@www.example.com`,
  ]);
