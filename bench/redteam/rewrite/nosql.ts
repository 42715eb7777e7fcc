import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';
import { between, type Change, type Syntax, tokenRewriter } from './fragment.ts';

const script: Syntax = {
  language: 'nosql',
  quotes: '\'"`',
  escape: '\\',
  comments: [
    ['/*', '*/'],
    ['//', '\n'],
  ],
  // With the dot before it: a property is written anew as a whole.
  word: /\.[A-Za-z_$][\w$]*|[\w$]+/y,
};

const json: Syntax = { language: 'nosql', quotes: '"', escape: '\\', word: /[\w$]+/y };

const inScript = (name: string, change: Change): Rewriter =>
  tokenRewriter(script, `script: ${name}`, change);

const inJson = (name: string, change: Change): Rewriter => {
  const rewriter = tokenRewriter(json, `JSON: ${name}`, change);
  return {
    ...rewriter,
    rewrite: (value, random) => (/["[{]/.test(value) ? rewriter.rewrite(value, random) : undefined),
  };
};

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

/** Some characters of a string written as escapes. */
function escaped(
  text: string,
  random: Random,
  escapes: readonly ((one: string) => string)[],
): string {
  const inner = [...text.slice(1, -1)];
  if (inner.length === 0 || inner.includes('\\')) return text;
  const at = random.below(inner.length);
  const all = random.chance(30);
  const written = inner.map((one, index) =>
    (all || index === at) && one.length === 1 ? random.pick(escapes)(one) : one,
  );
  return `${text[0]}${written.join('')}${text[0]}`;
}

const unicodeEscape = (one: string): string => `\\u${hex(one, 4)}`;

/** Operators that say the same of the documents that are there. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  '"$ne"': ['"$nin"', '"$gte"'],
  '"$gt"': ['"$gte"', '"$ne"'],
  '"$gte"': ['"$gt"', '"$ne"'],
  '"$or"': ['"$and"'],
};

const isMember = (texts: readonly { readonly text: string }[], index: number): boolean =>
  texts.slice(index + 1).find(({ text }) => text.trim() !== '')?.text === ':';

const spaces = ['\t', '\n', '\r', ' ', '  ', '\r\n'];
const scriptSpaces = [
  ...spaces,
  '\u000b',
  '\u000c',
  '\u00a0',
  '\ufeff',
  '\u2003',
  '\u3000',
  '\u2028',
];

/** Names, but not words of the language. */
const mayEscape = /^(?:\.|sleep|db|version|print|hex_md5|Math|Object|Date)/;

/** Rewriters of queries and scripts of document databases. */
export const nosqlRewriters: readonly Rewriter[] = [
  inJson(
    'white space',
    between((random) => random.pick(spaces)),
  ),
  inJson('escapes', ({ kind, text }, random) =>
    kind === 'string' ? escaped(text, random, [unicodeEscape]) : undefined,
  ),
  inJson('escaped dollar sign', ({ kind, text }) =>
    kind === 'string' && text.startsWith('"$') ? text.replace('$', '\\u0024') : undefined,
  ),
  inJson('another operator', ({ kind, text }, random, tokens, index) =>
    kind === 'string' && isMember(tokens, index)
      ? random.pick(synonyms[text] ?? [text])
      : undefined,
  ),
  inJson('member more', ({ kind, text }, random) =>
    text === '{' && kind === 'mark'
      ? `{${random.pick(['"$exists":true,', '"$ne":0,', '"$not":{"$size":7},'])}`
      : undefined,
  ),
  inJson('member twice', ({ kind, text }, random, tokens, index) =>
    kind === 'string' && isMember(tokens, index)
      ? `${text}:${random.pick(['1', 'null', `"${aName(random)}"`])},${text}`
      : undefined,
  ),
  inJson('number', ({ kind, text }, random) =>
    kind === 'number'
      ? random.pick([`${text}e0`, `${text}.0`, `${text}E+0`, `-${text}`])
      : undefined,
  ),
  inScript(
    'comment',
    between((random) =>
      random.pick(['/**/', `/*${aName(random)}*/`, '/*\n*/', `//${aName(random)}\n`]),
    ),
  ),
  inScript(
    'white space',
    between((random) => random.pick(scriptSpaces)),
  ),
  inScript('property in brackets', ({ text }, random) =>
    text.startsWith('.')
      ? random.pick([`["${text.slice(1)}"]`, `?.['${text.slice(1)}']`, `[\`${text.slice(1)}\`]`])
      : undefined,
  ),
  inScript('optional chain', ({ text }) => (text.startsWith('.') ? `?${text}` : undefined)),
  inScript('escaped name', ({ kind, text }, random) => {
    if (kind !== 'word' || !mayEscape.test(text)) return undefined;
    const from = text.startsWith('.') ? 1 : 0;
    const at = from + random.below(text.length - from);
    const one = random.pick([unicodeEscape, (c: string) => `\\u{${hex(c, 1 + random.below(6))}}`]);
    return text.slice(0, at) + one(text[at] ?? '') + text.slice(at + 1);
  }),
  inScript('escaped string', ({ kind, text }, random) =>
    kind === 'string'
      ? escaped(text, random, [
          unicodeEscape,
          (one) => `\\x${hex(one, 2)}`,
          (one) => `\\u{${hex(one, 2)}}`,
        ])
      : undefined,
  ),
  inScript('number', ({ kind, text }, random) => {
    const number = Number(text);
    if (kind !== 'number' || !Number.isInteger(number)) return undefined;
    return random.pick([
      `0x${number.toString(16)}`,
      `0b${number.toString(2)}`,
      `0o${number.toString(8)}`,
      `${text}e0`,
      `(${text})`,
      `${text}.0`,
    ]);
  }),
  inScript('truth', ({ kind, text }, random) =>
    kind === 'word' && text === 'true'
      ? random.pick(['!0', '!!1', '(1)', '!![]', '("1")', '!false', '!-[]'])
      : undefined,
  ),
  inScript('quotes', ({ kind, text }, random) =>
    kind === 'string' && !/["'`\\]/.test(text.slice(1, -1))
      ? text.replaceAll(text[0] ?? '', random.pick(['"', "'", '`']))
      : undefined,
  ),
  inScript('concatenation', ({ kind, text }, random) => {
    if (kind !== 'string' || text.length < 4 || text.includes('\\')) return undefined;
    const at = 2 + random.below(text.length - 3);
    return `(${text.slice(0, at)}${text[0]}+${text[0]}${text.slice(at)})`;
  }),
  inScript('dead code', ({ text }, random) =>
    text === ';'
      ? random.pick([';;', ';{};', `;var ${aName(random)}_=1;`, `;if(0){${aName(random)}()};`])
      : undefined,
  ),
  inScript('operator', ({ kind, text }, random, tokens, index) => {
    if (kind !== 'mark' || text !== '|' || tokens[index + 1]?.text !== '|') return undefined;
    return random.pick(['|0', '|!1', '|[]']);
  }),
];
