import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

/** An attribute with an operator and its text, in brackets; the last bracket may stand behind. */
const comparison = /\(([A-Za-z][\w.;-]*)([~<>]?=)([^()]*)(\)?)/g;
const whole = /\([A-Za-z][\w.;-]*[~<>]?=[^()]*\)/g;

const ldapRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'ldap',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const numbers: Readonly<Record<string, string>> = {
  uid: '0.9.2342.19200300.100.1.1',
  cn: '2.5.4.3',
  sn: '2.5.4.4',
  objectclass: '2.5.4.0',
  title: '2.5.4.12',
  description: '2.5.4.13',
  userpassword: '2.5.4.35',
  mail: '0.9.2342.19200300.100.1.3',
  employeetype: '2.16.840.1.113730.3.1.4',
};
const aliases: Readonly<Record<string, string>> = {
  uid: 'userid',
  cn: 'commonName',
  sn: 'surname',
  mail: 'rfc822Mailbox',
};

const spaces = [' ', '  ', '\t', '\n', '\r\n'];
const escaped = (character: string, random: Random): string => {
  const digits = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `\\${random.chance(50) ? digits : digits.toUpperCase()}`;
};

const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');

const ofPeople: readonly string[] = ['objectClass=*', 'uid=*', 'cn=*', 'mail=*', 'sn=*'];

/** Rewriters of search filters (RFC 4515). */
export const ldapRewriters: readonly Rewriter[] = [
  ldapRewriter(
    'case of attributes',
    comparison,
    ([, name = '', sign, text, end], random) => `(${withCase(name, random)}${sign}${text}${end}`,
  ),
  ldapRewriter(
    'attribute by number',
    comparison,
    ([, name = '', sign, text, end]) =>
      `(${numbers[name.toLowerCase()] ?? name}${sign}${text}${end}`,
  ),
  ldapRewriter(
    'attribute by alias',
    comparison,
    ([, name = '', sign, text, end]) =>
      `(${aliases[name.toLowerCase()] ?? name}${sign}${text}${end}`,
  ),
  ldapRewriter('escapes', /[\w@](?=[\w.@ ]*(?:\)|\*|$))/g, ([one = ''], random) =>
    escaped(one, random),
  ),
  ldapRewriter('case of a text', /=[A-Za-z ]+/g, ([one = ''], random) => withCase(one, random)),
  ldapRewriter(
    'space between filters',
    /\)(?=\()|\((?=[&|!(])/g,
    ([one = ''], random) => one + random.pick(spaces),
  ),
  ldapRewriter(
    'space behind an operator',
    /[&|!](?=\()/g,
    ([one = ''], random) => one + random.pick(spaces),
  ),
  ldapRewriter('wrapped', whole, ([one = ''], random) =>
    random.pick([`(&${one})`, `(|${one})`, `(&(|${one}))`, `(!(!${one}))`]),
  ),
  ldapRewriter('operand more', whole, ([one = ''], random) =>
    random.pick([
      `${one}(${random.pick(ofPeople)})`,
      `(|(${aName(random)}=${aName(random)})${one})`,
      `(&${one}(!(uid=${aName(random)}z)))`,
    ]),
  ),
  ldapRewriter(
    'another attribute',
    /\((?:objectClass|uid|cn|mail|sn|description)=\*(?=\)|$)/gi,
    (_, random) =>
      `(${random.pick([...ofPeople, 'entryUUID=*', 'creatorsName=*', 'structuralObjectClass=*'])}`,
  ),
  ldapRewriter(
    'presence as a comparison',
    /\((?:objectClass|uid|cn|sn)=\*(?=\)|$)/gi,
    (_, random) =>
      `(${random.pick([
        'objectClass=top',
        'objectClass=person',
        'createTimestamp>=19700101000000Z',
        'cn=*s*',
        'mail=*@*',
        'sn~=alice)(sn=*',
      ])}`,
  ),
  ldapRewriter(
    'matching rule',
    /\((uid|cn|sn|objectClass)=([\w ]+)(?=\)|$)/gi,
    ([, name, text], random) => `(${name}${random.pick([':=', ':dn:=', '~='])}${text}`,
  ),
  ldapRewriter('wildcards', /\*(?=[\w@]|\)|$)/g, (match, random) => {
    const isWhole = match.index === 0 || match.input[match.index - 1] === '=';
    return isWhole ? random.pick(['*a*', '*i*', '*n*']) : match[0];
  }),
  ldapRewriter('letters before a wildcard', /^\*/g, (_, random) => random.pick(['a*', 'c*', 'b*'])),
];
