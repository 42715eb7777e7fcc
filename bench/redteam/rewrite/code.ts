import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

/** How a language writes what the others write differently. */
interface Dialect {
  readonly language: string;
  readonly join: string;
  readonly comments: readonly string[];
  /** Escapes of a character in a string that has them. */
  readonly escapes: readonly ((code: number) => string)[];
  /** The quote whose strings have escapes. */
  readonly escapingQuotes: readonly string[];
  /** An expression for a text, without quotes of strings. */
  readonly texts: readonly ((text: string) => string)[];
  /** The expression, written so that it is evaluated all the same. */
  readonly wraps: readonly ((expression: string) => string)[];
  readonly isCaseless: boolean;
}

const hex = (code: number) => code.toString(16).padStart(2, '0');
const octal = (code: number) => code.toString(8).padStart(3, '0');
const hexEscape = (code: number) => `\\x${hex(code)}`;
const octalEscape = (code: number) => `\\${octal(code)}`;
const unicodeEscape = (code: number) => `\\u00${hex(code)}`;
const bracedEscape = (code: number) => `\\u{${hex(code)}}`;
const codes = (text: string) => [...text].map((one) => one.charCodeAt(0));
const eachCode = (text: string, write: (code: number) => string, join = '') =>
  codes(text).map(write).join(join);
const percentEncoded = (text: string) => eachCode(text, (code) => `%${hex(code)}`);
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const reversed = (text: string) => [...text].reverse().join('');

const dialects: readonly Dialect[] = [
  {
    language: 'python',
    join: '+',
    comments: [' ', '  ', '\t'],
    escapes: [hexEscape, octalEscape, unicodeEscape],
    escapingQuotes: ["'", '"'],
    texts: [
      (text) => eachCode(text, (code) => `chr(${code})`, '+'),
      (text) => `bytes([${codes(text).join()}]).decode()`,
      (text) => `__import__('base64').b64decode('${base64(text)}').decode()`,
      (text) => `'${reversed(text)}'[::-1]`,
      (text) => `bytes.fromhex('${eachCode(text, hex)}').decode()`,
    ],
    wraps: [
      (one) => `(${one})`,
      (one) => `[${one}][0]`,
      (one) => `(lambda:${one})()`,
      (one) => `0 or ${one}`,
      (one) => `${one} if 1 else 0`,
    ],
    isCaseless: false,
  },
  {
    language: 'php',
    join: '.',
    comments: ['/**/', '/*x*/', ' ', '\t', '\n', '#x\n', '//\n'],
    escapes: [hexEscape, octalEscape, bracedEscape],
    escapingQuotes: ['"'],
    texts: [
      (text) => eachCode(text, (code) => `chr(${code})`, '.'),
      (text) => `base64_decode('${base64(text)}')`,
      (text) => `strrev('${reversed(text)}')`,
      (text) => `hex2bin('${eachCode(text, hex)}')`,
      (text) => `implode(array_map('chr',[${codes(text).join()}]))`,
      (text) => `urldecode('${percentEncoded(text)}')`,
    ],
    wraps: [
      (one) => `(${one})`,
      (one) => `[${one}][0]`,
      (one) => `(fn()=>${one})()`,
      (one) => `@(${one})`,
      (one) => `(1?${one}:0)`,
    ],
    isCaseless: true,
  },
  {
    language: 'ruby',
    join: '+',
    comments: [' ', '  ', '\t', '\n'],
    escapes: [hexEscape, octalEscape, bracedEscape],
    escapingQuotes: ['"'],
    texts: [
      (text) => `[${codes(text).join()}].pack('C*')`,
      (text) => `'${base64(text)}'.unpack1('m')`,
      (text) => `'${reversed(text)}'.reverse`,
      (text) => `%q(${text})`,
      (text) => eachCode(text, (code) => `${code}.chr`, '+'),
    ],
    wraps: [
      (one) => `(${one})`,
      (one) => `[${one}][0]`,
      (one) => `->{${one}}.()`,
      (one) => `begin;${one};end`,
      (one) => `(true&&${one})`,
    ],
    isCaseless: false,
  },
  {
    language: 'vm',
    join: '+',
    comments: ['/**/', '/*x*/', ' ', '\t', '\n', '//\n'],
    escapes: [hexEscape, unicodeEscape, bracedEscape],
    escapingQuotes: ["'", '"'],
    texts: [
      (text) => `String.fromCharCode(${codes(text).join()})`,
      (text) => `'${reversed(text)}'.split('').reverse().join('')`,
      (text) => `decodeURIComponent('${percentEncoded(text)}')`,
      (text) => `\`${text}\``,
    ],
    wraps: [
      (one) => `(${one})`,
      (one) => `[${one}][0]`,
      (one) => `(()=>${one})()`,
      (one) => `(0,${one})`,
      (one) => `(1?${one}:0)`,
    ],
    isCaseless: false,
  },
];

/** Calls and strings of a fragment: a string that begins before the fragment is left alone. */
const string = /(?<=[([,=.+?]\s*)(["'])((?:(?!\1)[^\\\n])+)\1(?=\s*[)\],.+)])/g;
const call = /(?<![\w$>.:'"])([a-z_]\w*)(?=\()/g;

type Rewrite = (value: string, random: Random, dialect: Dialect) => string;

function each(
  name: string,
  rewrite: Rewrite,
  isFor: (dialect: Dialect) => boolean = () => true,
): Rewriter[] {
  return dialects.filter(isFor).map((dialect) => ({
    name,
    language: dialect.language,
    rewrite: (value: string, random: Random) => {
      const result = rewrite(value, random, dialect);
      return result === value ? undefined : result;
    },
  }));
}

function inStrings(value: string, make: (text: string, quote: string) => string): string {
  return value.replace(string, (_, quote: string, text: string) => make(text, quote));
}

/** Ways to write what Python, PHP, Ruby and node:vm evaluate in the same way. */
export const codeRewriters: readonly Rewriter[] = [
  ...each('space and comments', (value, random, { comments }) =>
    value.replace(/[(),[\]]/g, (one) => {
      const space = random.pick(comments);
      return one === '(' || one === '[' ? `${one}${space}` : `${space}${one}`;
    }),
  ),
  ...each('concatenated strings', (value, random, { join }) =>
    inStrings(value, (text, quote) => {
      const cut = random.below(text.length);
      return `${quote}${text.slice(0, cut)}${quote}${join}${quote}${text.slice(cut)}${quote}`;
    }),
  ),
  ...each('escaped strings', (value, random, { escapes, escapingQuotes }) =>
    inStrings(value, (text, quote) => {
      const own = escapingQuotes.includes(quote) ? quote : (escapingQuotes[0] ?? quote);
      const inner = [...text].map((one) =>
        random.chance(60) ? random.pick(escapes)(one.charCodeAt(0)) : one,
      );
      return own + inner.join('') + own;
    }),
  ),
  ...each('computed strings', (value, random, { texts }) =>
    inStrings(value, (text) => `(${random.pick(texts)(text)})`),
  ),
  ...each('wrapped', (value, random, { wraps }) =>
    value.replace(
      /^([\w'"]*["'][+.]|#\{|\$\{|\w*#\{|)([\s\S]*?)([+.]["']|\}?)$/,
      (_, before: string, inner: string, after: string) => {
        return before + random.pick(wraps)(inner) + after;
      },
    ),
  ),
  ...each(
    'function in brackets',
    (value, random, { language }) =>
      value.replace(call, (name) => {
        if (
          /^(?:eval|lambda|fn|function|open|exec|spawn|method|system|if|print)$/.test(name) &&
          language === 'ruby'
        )
          return `${name} `;
        if (/^(?:eval|fn|function|lambda)$/.test(name)) return name;
        if (language === 'php')
          return random.pick([`('${name}')`, `("${name}")`, `['${name}'][0]`]);
        return language === 'python'
          ? random.pick([`(${name})`, `[${name}][0]`, `(lambda:${name})()`])
          : name;
      }),
    ({ language }) => language !== 'vm',
  ),
  ...each(
    'case of names',
    (value, random) =>
      value.replace(call, (name) =>
        [...name].map((one) => (random.chance(50) ? one.toUpperCase() : one)).join(''),
      ),
    ({ isCaseless }) => isCaseless,
  ),
  ...each(
    'letters of another kind',
    (value, random) =>
      value.replace(/(?<=\.|^|\()[a-z_]{3,}(?=\()/g, (name) => {
        const at = 2 + random.below(name.length - 2);
        const code = name.charCodeAt(at);
        const other = code === 95 ? '_' : String.fromCodePoint(0x1d41a + code - 97);
        return name.slice(0, at) + other + name.slice(at + 1);
      }),
    ({ language }) => language === 'python',
  ),
];
