import { decoders } from '../../oracle/sql/decoders.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { all, type SqlRewriter } from './rewriter.ts';
import { tamper, tamperScripts } from './tamper.ts';

/** Scripts whose variants can work in some of our dialects only. */
const limited: Readonly<Record<string, readonly Dialect[]>> = {
  '0eunion': ['mariadb'],
  apostrophenullencode: ['mariadb'],
  binary: ['mariadb'],
  commalesslimit: ['sqlite', 'mariadb'],
  commalessmid: ['mariadb'],
  concat2concatws: ['mariadb'],
  equaltorlike: ['mariadb'],
  greatest: ['postgres', 'mariadb'],
  hex2char: ['mariadb'],
  if2case: ['mariadb'],
  ifnull2casewhenisnull: ['mariadb'],
  ifnull2ifisnull: ['mariadb'],
  informationschemacomment: ['postgres', 'mariadb'],
  least: ['postgres', 'mariadb'],
  misunion: ['mariadb'],
  ord2ascii: ['mariadb'],
  overlongutf8: ['mariadb'],
  sleep2getlock: ['mariadb'],
  substring2leftright: ['postgres'],
  symboliclogical: ['mariadb'],
};

/** Scripts that keep no attack working in our interpreters, and why. */
export const unfitTampers: Readonly<Record<string, string>> = {
  base64encode: 'an attack on what decodes Base64 is Base64 already: encoded twice it is lost',
  charunicodeencode: 'only IIS and ASP decode %u0027',
  dunion: 'a number that ends in D is one of Oracle',
  escapequotes: 'an attack that needs the backslash has it already',
  luanginx: 'adds parameters to the request, and leaves the value as it is',
  overlongutf8more: 'no decoder of today takes overlong UTF-8',
  plus2concat: 'joins strings with +, as Transact-SQL does',
  plus2fnconcat: 'joins strings with +, as Transact-SQL does',
  schemasplit: 'MariaDB no longer takes the rest of a number between a schema and its table',
  scientific: 'MariaDB no longer takes the rest of a number for nothing',
  varnish: 'adds a header, and leaves the value as it is',
  xforwardedfor: 'adds headers, and leaves the value as it is',
};

/** One for each tamper script of the installed sqlmap, by its name. */
export const tamperRewriters: readonly SqlRewriter[] = tamperScripts().map((script) => ({
  name: `sqlmap/${script}`,
  language: 'sql',
  dialects: script in unfitTampers ? [] : (limited[script] ?? all),
  rewrite: async (value, random) => {
    const made = await tamper(script, value, random.next());
    if (made === undefined) return undefined;
    // sqlmap sends what scripts write as it is, and the framework decodes it once.
    const isEncoded = /%[0-9a-f]{2}|\+/i.test(made);
    const received = isEncoded && random.chance(80) ? decoders.percent.decode(made) : made;
    return received === value ? undefined : received;
  },
}));
