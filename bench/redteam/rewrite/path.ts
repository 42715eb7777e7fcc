import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

type Make = (value: string, random: Random) => string | undefined;

const rewriter = (name: string, rewrite: Make): Rewriter => ({ name, language: 'path', rewrite });

/** Rewrites some of the parts that a pattern finds, at least one. */
const some = (
  name: string,
  pattern: RegExp,
  make: (part: string, random: Random) => string,
  percent = 50,
): Rewriter =>
  rewriter(name, (value, random) => {
    const count = [...value.matchAll(pattern)].length;
    if (count === 0) return undefined;
    const must = random.below(count);
    let at = -1;
    return value.replace(pattern, (part) => {
      at += 1;
      return at === must || random.chance(percent) ? make(part, random) : part;
    });
  });

const word = (random: Random): string =>
  random.times(1 + random.below(6), () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
const percent = (char: string, random: Random): string => {
  const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(2, '0');
  return `%${random.chance(50) ? hex : hex.toUpperCase()}`;
};
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const control = (random: Random): string => String.fromCharCode(1 + random.below(31));

/** A slash within a path, not one of `scheme://`. */
const slash = /(?<=[^:/\\])\/(?=[^/\\])/g;

/** The place of `../../` up to the file, if the value climbs. */
const climb = /(?:\.\.\/)+/;

/** A path from the root, behind nothing or behind `file:`. */
const absolute = /^(file:(?:\/\/)?)?(?=\/(?:etc|proc|tmp)\/)/i;

const filters = [
  'string.toupper',
  'string.rot13',
  'convert.base64-encode',
  'string.tolower',
  'convert.quoted-printable-encode',
];

/** Other ways to write a path in a file system. */
export const segmentRewriters: readonly Rewriter[] = [
  rewriter('more levels', (value, random) =>
    climb.test(value) && /etc|proc/.test(value)
      ? value.replace(climb, (ups) => ups + '../'.repeat(1 + random.below(9)))
      : undefined,
  ),
  some('dot folders', slash, (_, r) => r.pick(['/./', '/././', '/.//'])),
  some('more slashes', slash, (_, r) => '/'.repeat(2 + r.below(4))),
  some('folder and back', /(?<=\w)\/(?=\w)/g, (_, r) => `/${word(r)}/../`),
  rewriter('through a folder that exists', (value, random) =>
    value.startsWith('..')
      ? `${random.pick(['guide/', './guide/', 'user_ann/./'])}../${value}`
      : undefined,
  ),
  rewriter('through a folder that does not exist', (value, random) =>
    value.startsWith('..') ? `${word(random)}/../${value}` : undefined,
  ),
  rewriter('dot in front', (value, random) =>
    value.startsWith('..') ? `${random.pick(['./', './/', '././'])}${value}` : undefined,
  ),
  rewriter('slash in front', (value, random) =>
    value.startsWith('..') ? `${random.pick(['/', '//', '/./'])}${value}` : undefined,
  ),
  some('percent for dots', /\./g, percent),
  some('percent for slashes', /\//g, percent),
  some('percent for letters', /[a-z](?=[a-z]*(?:[./]|$))/g, percent, 20),
  rewriter('percent for all', (value, random) => {
    if (/%(?![0-9a-fA-F]{2})/.test(value)) return undefined;
    const plain = value.replace(/%([2-7][0-9a-fA-F])/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return plain.replace(/[!-~]/g, (char) =>
      random.chance(80) || char === '%' ? percent(char, random) : char,
    );
  }),
  some('percent of the percent', /%(?=[0-9a-fA-F]{2})/g, () => '%25', 100),
  some('case of percent', /%[0-9a-fA-F]{2}/g, (part) =>
    part === part.toUpperCase() ? part.toLowerCase() : part.toUpperCase(),
  ),
  some('percent taken back', /%(?:2e|2f|252e|252f)/gi, (part) => decodeURIComponent(part)),
  some('backslashes', /\//g, () => '\\', 80),
  some('slashes for backslashes', /\\/g, (_, r) => r.pick(['\\.\\', '\\\\', '/', '\\./'])),
  some('nested', /\.\.\//g, (_, r) => r.pick(['....//', '..././']), 100),
  some('nested within', /(?:\.\.\.\.\/\/|\.\.\.\/\.\/)/g, (part) =>
    part === '....//' ? '..././' : '....//',
  ),
  some('removed part within a name', /(?<=[a-z])(?=[a-z])/g, () => '../', 20),
  some('wide dots', /\./g, () => '．'),
  some('wide slashes', /\//g, () => '／'),
  some('two dot leaders', /\.\.|．．/g, () => '‥'),
  some(
    'wide letters',
    /[a-z]/g,
    (part) => String.fromCodePoint((part.codePointAt(0) ?? 0) + 0xfee0),
    30,
  ),
  some(
    'mathematical letters',
    /[a-z]/g,
    (part) => String.fromCodePoint((part.codePointAt(0) ?? 0) - 97 + 0x1d41a),
    30,
  ),
  some('control characters', /(?<=[./a-z])(?=[./a-z])/g, (_, r) => control(r), 20),
  some(
    'other control characters',
    /[\x01-\x1f]/g,
    (_, r) => control(r) + (r.chance(30) ? control(r) : ''),
  ),
  some('tabs and line feeds', /(?<=[./a-z])(?=[./a-z])/g, (_, r) => r.pick(['\t', '\n', '\r']), 20),
  rewriter(
    'blanks around',
    (value, random) => random.pick([' ', '\t', '\n', ' \r']) + value + random.pick(['', ' ', '\n']),
  ),
  rewriter(
    'query behind',
    (value, random) =>
      `${value}${random.pick(['?', '#', `?${word(random)}=1`, `#${word(random)}`])}`,
  ),
  rewriter('dot behind', (value, random) => `${value}${random.pick(['/.', '/./', '/x/..', '/'])}`),
  rewriter('file URL', (value, random) =>
    absolute.test(value)
      ? value.replace(
          absolute,
          random.pick(['file://', 'file:', 'file:////', 'file://localhost', 'FILE://', 'fIlE:']),
        )
      : undefined,
  ),
  rewriter('root of the process', (value, random) =>
    absolute.test(value)
      ? value.replace(
          absolute,
          (scheme) =>
            `${scheme}${random.pick(['/proc/self/root', '/proc/thread-self/root', '/proc/self/task/../root', '/dev/../proc/1/../self/root'])}`,
        )
      : undefined,
  ),
  rewriter('folders of the system and back', (value, random) =>
    absolute.test(value)
      ? value.replace(
          absolute,
          (scheme) =>
            `${scheme}${random.pick(['/usr/..', '/var/log/../..', '/etc/..', '/usr/share/../..', '/.', '//'])}`,
        )
      : undefined,
  ),
];

/** Other ways to write an address, which PHP opens. */
export const addressRewriters: readonly Rewriter[] = [
  some('case of a scheme', /^[a-z.]+(?=:)/gi, (part, r) =>
    [...part].map((char) => (r.chance(50) ? char.toUpperCase() : char.toLowerCase())).join(''),
  ),
  rewriter('filter of PHP', (value, random) => {
    if (/^(?:https?|ftp|data|php):/i.test(value)) return undefined;
    const chain = random.times(random.below(3), () => random.pick(filters)).join('|');
    const begin = random.pick(['', 'read=']);
    return `php://filter/${chain === '' ? '' : `${begin}${chain}/`}resource=${value}`;
  }),
  rewriter('filter of PHP around an address', (value, random) =>
    /^(?:https?|ftp|data):/i.test(value)
      ? `php://filter/${random.pick(['', 'string.rot13|string.rot13/', 'read=string.rot13|string.rot13/'])}resource=${value}`
      : undefined,
  ),
  rewriter('stream of zlib', (value) =>
    value.startsWith('/') || value.startsWith('..') ? `compress.zlib://${value}` : undefined,
  ),
  rewriter('data as base64', (value) => {
    const found = /^data:(?:\/\/)?([^;,]*),([\s\S]*)$/i.exec(value);
    if (found === null) return undefined;
    return `data:${found[1]};base64,${Buffer.from(decoded(found[2] ?? '')).toString('base64')}`;
  }),
  rewriter('data as it is', (value) => {
    const found = /^data:(?:\/\/)?([^;,]*);base64,([\s\S]*)$/i.exec(value);
    if (found === null) return undefined;
    const text = Buffer.from(found[2] ?? '', 'base64').toString();
    return `data://${found[1]},${encodeURIComponent(text)}`;
  }),
  some(
    'type of data',
    /^data:(?:\/\/)?[^;,]*/gi,
    (_, r) =>
      `data:${r.pick(['', '//'])}${r.pick(['text/plain', 'text/html', 'image/gif', `x/${word(r)}`, 'text/plain;charset=utf-8'])}`,
  ),
  rewriter('comment in the code', (value, random) =>
    /^data:[^;]*,<\?/i.test(value) ? value.replace(/\(/, `/*${word(random)}*/(`) : undefined,
  ),
  some(
    'user in an address',
    /(?<=^(?:https?|ftp):\/\/)/gi,
    (_, r) => `${word(r)}${r.pick(['', `:${word(r)}`])}@`,
  ),
  some('number of a host', /(?<=:\/\/)\d+\.\d+\.\d+\.\d+/g, (part, r) => {
    const number = part.split('.').reduce((sum, one) => sum * 256 + Number(one), 0);
    return r.pick([String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`]);
  }),
  some('port', /(?<=:\/\/[\w.-]+)\//g, (_, r) => `:${1 + r.below(65_000)}/`),
  rewriter('parameters behind an address', (value, random) =>
    /^(?:https?|ftp):/i.test(value)
      ? `${value}${value.includes('?') ? '&' : '?'}${word(random)}=${word(random)}`
      : undefined,
  ),
];

/** All rewriters of paths. */
export const pathRewriters: readonly Rewriter[] = [...segmentRewriters, ...addressRewriters];
