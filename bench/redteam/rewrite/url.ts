import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

type Make = (part: string, random: Random) => string | undefined;

const rewriter = (name: string, rewrite: Make): Rewriter => ({ name, language: 'url', rewrite });

/** Rewrites one of the places that a pattern finds. */
const at = (name: string, pattern: RegExp, make: Make): Rewriter =>
  rewriter(name, (value, random) => {
    const found = [...value.matchAll(pattern)];
    if (found.length === 0) return undefined;
    const one = random.pick(found);
    const part = make(one[0], random);
    if (part === undefined) return undefined;
    return value.slice(0, one.index) + part + value.slice(one.index + one[0].length);
  });

const v4 = /(?<![\d.a-z:-])(?:\d{1,3}\.){3}\d{1,3}(?![\d.a-z-])/gi;
const v6 = /\[[0-9a-f:.]+\]/gi;
const hostName =
  /(?<=^|[/@.])(?:localhost|metadata\.google\.internal|localtest\.me|lvh\.me|kubernetes\.default\.svc|host\.docker\.internal|instance-data)\b/g;
/** A number, a bracket, a name: what stands where a host stands. */
const host =
  /(?<=^|:\/\/|@)(?:\[[^\]]*\]|(?:0x)?[\da-f]+(?:\.(?:0x)?[\da-f]+){0,3}(?![\w.])|[\w-]+(?:\.[\w-]+)*\.?(?![\w@]))(?![^/?#\\]*@)/gi;
const scheme = /^[a-z][a-z\d+.-]*(?=:)/gi;

/** An address of four numbers in another form. */
const ofFour = (
  name: string,
  make: (parts: readonly number[], random: Random) => string | undefined,
): Rewriter => at(name, v4, (text, random) => make(text.split('.').map(Number), random));

const whole = (parts: readonly number[]): number =>
  parts.reduce((sum, part) => sum * 256 + part, 0);
const groups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
const octal = (part: number, random: Random): string =>
  '0'.repeat(1 + random.below(4)) + part.toString(8);
const hex = (part: number, random: Random): string => {
  const digits = part.toString(16).padStart(random.pick([1, 2, 4]), '0');
  return `${random.pick(['0x', '0X'])}${random.chance(50) ? digits : digits.toUpperCase()}`;
};
const word = (random: Random): string =>
  random.times(1 + random.below(6), () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');

const circled = (digit: string): string =>
  digit === '0' ? '⓪' : String.fromCodePoint(0x2460 + Number(digit) - 1);
const wide = (char: string): string => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0);
const bold = (digit: string): string => String.fromCodePoint(0x1d7ce + Number(digit));

const some = (
  text: string,
  pattern: RegExp,
  random: Random,
  make: (part: string) => string,
): string => {
  const must = random.below([...text.matchAll(pattern)].length);
  let index = -1;
  return text.replace(pattern, (part) => {
    index += 1;
    return index === must || random.chance(40) ? make(part) : part;
  });
};

/** Where the host ends in most values: the port, the path, the query, the end. */
const hostEnd = /(?<=[\w\].])(?=$|[:/?#])(?<!^[a-z]+)(?<!:\/)/gi;

/** Other ways to write an address of the network. */
export const urlRewriters: readonly Rewriter[] = [
  ofFour('decimal', (parts) => String(whole(parts))),
  ofFour('hexadecimal', (parts, random) => hex(whole(parts), random)),
  ofFour('octal', (parts, random) => octal(whole(parts), random)),
  ofFour('octal parts', (parts, r) => parts.map((part) => octal(part, r)).join('.')),
  ofFour('hexadecimal parts', (parts, r) => parts.map((part) => hex(part, r)).join('.')),
  ofFour('mixed parts', (parts, r) =>
    parts.map((part) => r.pick([String(part), octal(part, r), hex(part, r)])).join('.'),
  ),
  ofFour('three parts', ([a = 0, b = 0, c = 0, d = 0], r) => {
    const last = c * 256 + d;
    return `${a}.${b}.${r.pick([String(last), hex(last, r), octal(last, r)])}`;
  }),
  ofFour('two parts', ([a = 0, ...rest], r) => {
    const last = whole(rest);
    return `${r.pick([String(a), hex(a, r)])}.${r.pick([String(last), hex(last, r), octal(last, r)])}`;
  }),
  ofFour('mapped, dotted', (parts) => `[::ffff:${parts.join('.')}]`),
  ofFour('mapped, hexadecimal', (parts, r) => {
    const text = `[::ffff:${groups(parts)}]`;
    return r.chance(50) ? text.toUpperCase() : text;
  }),
  ofFour('mapped, in full', (parts) => `[0:0:0:0:0:ffff:${groups(parts)}]`),
  ofFour('compatible', (parts, r) =>
    r.chance(50) ? `[::${parts.join('.')}]` : `[::${groups(parts)}]`,
  ),
  ofFour('NAT64', (parts, r) => `[64:ff9b::${r.chance(50) ? parts.join('.') : groups(parts)}]`),
  ofFour(
    '6to4',
    (parts, r) => `[2002:${groups(parts)}::${r.pick(['', '1', word(r).replace(/[^a-f]/g, '')])}]`,
  ),
  ofFour('wildcard name', (parts, r) => `${parts.join('.')}.${r.pick(['nip.io', 'sslip.io'])}`),
  ofFour(
    'wildcard name with dashes',
    (parts, r) => `${parts.join('-')}.${r.pick(['nip.io', 'sslip.io'])}`,
  ),
  ofFour(
    'wildcard name with a word',
    (parts, r) => `${word(r)}${r.pick(['.', '-'])}${parts.join(r.pick(['.', '-']))}.nip.io`,
  ),
  ofFour(
    'wildcard name, hexadecimal',
    (parts) => `${whole(parts).toString(16).padStart(8, '0')}.nip.io`,
  ),
  ofFour('other loopback', ([a], r) =>
    a === 127 ? `127.${r.below(256)}.${r.below(256)}.${1 + r.below(254)}` : undefined,
  ),
  ofFour('unspecified address', ([a], r) =>
    a === 127 ? r.pick(['0', '0.0.0.0', '0x0', '[::]', '00']) : undefined,
  ),
  ofFour('loopback of IPv6', ([a], r) =>
    a === 127
      ? r.pick(['[::1]', '[0::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0001]'])
      : undefined,
  ),
  ofFour('name of the loopback', ([a], r) =>
    a === 127
      ? r.pick([
          'localhost',
          `${word(r)}.localhost`,
          'lvh.me',
          `${word(r)}.lvh.me`,
          'localtest.me',
          'vcap.me',
        ])
      : undefined,
  ),
  at('zeros in IPv6', v6, (text) =>
    text.replace(/(?<=[[:])([0-9a-f]{1,3})(?=[\]:])/gi, (part) => part.padStart(4, '0')),
  ),
  at('upper case in IPv6', v6, (text) => (/[a-f]/.test(text) ? text.toUpperCase() : undefined)),
  at('zone in IPv6', v6, (text, r) =>
    text.replace(']', r.pick(['%25lo]', '%25eth0]', '%251]', '%1]'])),
  ),
  at('case of a name', hostName, (text, r) =>
    some(text, /[a-z]/g, r, (char) => char.toUpperCase()),
  ),
  at('wide letters', hostName, (text, r) => some(text, /[a-z]/g, r, wide)),
  at('long s and other letters', hostName, (text) =>
    /[sk]/.test(text) ? text.replace(/s/g, 'ſ').replace(/k/g, 'K') : undefined,
  ),
  at('soft hyphen in a name', hostName, (text, r) => {
    const cut = 1 + r.below(text.length - 1);
    return `${text.slice(0, cut)}${r.pick(['\u00ad', '\u200b', '\u2060', '\ufeff'])}${text.slice(cut)}`;
  }),
  at('percent in a host', host, (text, r) =>
    text.startsWith('[')
      ? undefined
      : some(text, /[\w.]/g, r, (char) => `%${(char.codePointAt(0) ?? 0).toString(16)}`),
  ),
  at('circled digits', v4, (text, r) => some(text, /\d/g, r, circled)),
  at('wide digits', v4, (text, r) => some(text, /\d/g, r, wide)),
  at('bold digits', v4, (text, r) => some(text, /\d/g, r, bold)),
  at('other full stops', host, (text, r) =>
    text.includes('.') ? some(text, /\./g, r, () => r.pick(['。', '．', '｡'])) : undefined,
  ),
  at('dot behind the host', host, (text) => (/[\w]$/.test(text) ? `${text}.` : undefined)),
  at('scheme in other case', scheme, (text, r) =>
    some(text, /[a-z]/g, r, (char) => char.toUpperCase()),
  ),
  at('other scheme', scheme, (text, r) =>
    r.pick(['http', 'https', 'ftp', 'gopher', 'dict', 'telnet'].filter((one) => one !== text)),
  ),
  at('one slash or more', /(?<=^https?):\/\//gi, (_, r) =>
    r.pick([':/', ':', ':///', ':////', '://///']),
  ),
  at('backslashes', /(?<=^https?):\/\//gi, (_, r) => r.pick([':\\\\', ':/\\', ':\\/', ':\\'])),
  at(
    'user',
    /(?<=^\w+:\/\/)(?![^/?#]*@)/g,
    (_, r) => `${word(r)}${r.pick(['', ':', `:${word(r)}`])}@`,
  ),
  at(
    'name of another as user',
    /(?<=^\w+:\/\/)(?![^/?#]*@)/g,
    (_, r) =>
      `${r.pick(['www.example.com', 'accounts.google.com', 'github.com'])}${r.pick(['', ':443', '%2f', '%00'])}@`,
  ),
  at('empty user', /(?<=^\w+:\/\/)(?![^/?#]*@)/g, (_, r) => r.pick(['@', ':@'])),
  at('port', hostEnd, (_, r) => `:${r.pick([80, 443, 22, 6379, 8080, 1 + r.below(65_000)])}`),
  at('zeros before the port', /(?<=:)\d{1,5}(?=$|[/?#])/g, (text, r) =>
    text.padStart(text.length + 1 + r.below(4), '0'),
  ),
  at('empty port', hostEnd, () => ':'),
  at('tabs and line feeds', /(?<=[\w./])(?=[\w./])/g, (_, r) => r.pick(['\t', '\n', '\r'])),
  rewriter(
    'blanks in front',
    (value, r) => r.pick([' ', '\t', '\n', '\x01', '  ', '\x1f']) + value,
  ),
  rewriter('brackets around', (value, r) =>
    r.pick([`<${value}>`, `<URL:${value}>`, `URL:${value}`]),
  ),
  rewriter('fragment', (value, r) =>
    value.includes('#') ? undefined : `${value}#${r.pick(['', word(r), '@www.example.com/'])}`,
  ),
  rewriter('query', (value, r) =>
    /[?#]/.test(value)
      ? undefined
      : `${value}?${word(r)}=${r.pick([word(r), 'http://www.example.com/', String(r.below(999))])}`,
  ),
  at('dots in the path', /(?<=[\w\]])\/(?=\w)/g, (_, r) =>
    r.pick(['/./', `/${word(r)}/../`, '//', '/%2e/']),
  ),
  at(
    'percent in the path',
    /(?<=\/[\w/-]*)[a-z](?=[\w/-]*$)/g,
    (char) => `%${(char.codePointAt(0) ?? 0).toString(16)}`,
  ),
];
