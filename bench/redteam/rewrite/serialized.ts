import { deflateSync, inflateSync } from 'node:zlib';
import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName, aNumber } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

type Change = (match: RegExpExecArray, random: Random) => string;

interface Coding {
  decode(value: string): string;
  encode(text: string): string;
}

const base64: Coding = {
  decode: (value) => Buffer.from(value, 'base64').toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1').toString('base64'),
};

const hexadecimal: Coding = {
  decode: (value) => Buffer.from(value, 'hex').toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1').toString('hex'),
};

const compressed: Coding = {
  decode: (value) => inflateSync(Buffer.from(value, 'base64')).toString('latin1'),
  encode: (text) => deflateSync(Buffer.from(text, 'latin1')).toString('base64'),
};

const plain: Coding = { decode: (value) => value, encode: (text) => text };

function codingOf(value: string): Coding {
  if (/^(?:[\da-f]{2}){6,}$/i.test(value)) return hexadecimal;
  if (!isBase64(value)) return plain;
  return value.startsWith('eJ') && !value.startsWith('eyJ') ? compressed : base64;
}

/** Rewrites a value, or what a value in base64, in digits or compressed holds. */
function serializedRewriter(name: string, pattern: RegExp, change: Change): Rewriter {
  return {
    name,
    language: 'serialized',
    rewrite(value, random) {
      const coding = codingOf(value);
      try {
        const written = rewriteMatches(coding.decode(value), pattern, random, change);
        return written === undefined ? undefined : coding.encode(written);
      } catch {
        // It only looked like a coding.
        return undefined;
      }
    },
  };
}

/** Rewrites base64 itself. */
function base64Rewriter(name: string, pattern: RegExp, change: Change): Rewriter {
  return {
    name: `base64: ${name}`,
    language: 'serialized',
    rewrite: (value, random) =>
      isBase64(value) ? rewriteMatches(value, pattern, random, change) : undefined,
  };
}

function isBase64(value: string): boolean {
  return value.length >= 12 && /^[A-Za-z\d+/_-]+={0,2}$/.test(value) && !/^[\da-f]+$/.test(value);
}

const phpObject = /(?<![\w:])O:\d+:"[^"]+":(\d+):\{/g;
const serializedValue = /^[aOisbdN][:;].*$/gs;
const pickle = /^(?:\x80[\x02-\x05])?(?=[(c}SVXU\x8cI\]])(?=.*\.$)/gs;

const withCase = (text: string, random: Random): string =>
  [...text].map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase())).join('');

const percentOf = (one: string): string => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Rewriters of serialized objects: PHP, pickle, YAML, Marshal in base64, functions in JSON. */
export const serializedRewriters: readonly Rewriter[] = [
  serializedRewriter('PHP: zeros', /(?<=(?:^|[{;}])[Oais]:)(?=\d+:)/g, (_, random) =>
    random.pick(['0', '00', '000']),
  ),
  serializedRewriter('PHP: in a list', serializedValue, ([value]) => `a:1:{i:0;${value}}`),
  serializedRewriter('PHP: in an object', serializedValue, ([value], random) => {
    const name = aName(random);
    return `O:8:"stdClass":1:{s:${name.length}:"${name}";${value}}`;
  }),
  serializedRewriter('PHP: member more', phpObject, ([object = '', count = '0'], random) => {
    const name = `${aName(random)}_`;
    const more = `s:${name.length}:"${name}";i:${aNumber(random)};`;
    return object.replace(`:${count}:{`, `:${Number(count) + 1}:{${more}`);
  }),
  serializedRewriter('PHP: case of a class', /(?<=O:\d+:")[^"]+/g, ([name = ''], random) =>
    withCase(name, random),
  ),
  serializedRewriter(
    'PHP: escaped texts',
    /(?<=[{;}])s:(\d+):"([^"\\]*)"/g,
    ([, size, text = '']) => {
      const written = [...text].map((one) => `\\${percentOf(one).slice(1)}`).join('');
      return `S:${size}:"${written}"`;
    },
  ),
  serializedRewriter(
    'PHP: text behind',
    serializedValue,
    ([value], random) => value + aName(random),
  ),
  serializedRewriter(
    'pickle: idle operations',
    pickle,
    ([start], random) =>
      `${start}${random.pick(['N0', `I${aNumber(random)}\n0`, '(1', '}0', ']0', ')0', 'N(10'])}`,
  ),
  serializedRewriter(
    'pickle: protocol',
    pickle,
    (_, random) => `\x80${random.pick(['\x02', '\x03', '\x04'])}`,
  ),
  serializedRewriter(
    'pickle: stored',
    /\)?(?=R?\.$)/g,
    ([found], random) => `${found}${random.pick([`p${random.below(9)}\n`, 'q\0', '\x94'])}`,
  ),
  serializedRewriter(
    'pickle: text of another kind',
    /(?<=\n|\()S'([^'\n]*)'\n/g,
    ([, text], random) =>
      random.pick([
        `V${text}\n`,
        `S"${text}"\n`,
        `X${String.fromCharCode(text?.length ?? 0, 0, 0, 0)}${text}`,
      ]),
  ),
  serializedRewriter('pickle: text behind', /\.$/g, (_, random) => `.${aName(random)}`),
  serializedRewriter('Marshal: in a list', /(?<=^\x04\x08)(?=.)/gs, (_, random) =>
    random.pick(['[\x06', '[\x06[\x06', '[\x07i\x06', '[\x070']),
  ),
  serializedRewriter('Marshal: in a hash', /(?<=^\x04\x08)(?=.)/gs, (_, random) =>
    random.pick(['{\x06:\x06a', '{\x06i\x07', '{\x060', '{\x06"\x06a']),
  ),
  serializedRewriter(
    'Marshal: size in two bytes',
    /(?<=^\x04\x08.*[oUu]:)[\x06-\x7f](?=[A-Z])/gs,
    ([one = '']) => `\x01${String.fromCharCode(one.charCodeAt(0) - 5)}`,
  ),
  serializedRewriter('Marshal: text behind', /(?<=^\x04\x08.*)$/gs, (_, random) => aName(random)),
  serializedRewriter(
    'YAML: verbatim tag',
    /!!(python\/[\w/.:]+)/g,
    ([, tag]) => `!<tag:yaml.org,2002:${tag}>`,
  ),
  serializedRewriter(
    'YAML: percent signs in a tag',
    /(?<=!(?:!python|ruby)\/[\w/:.%]*)[a-zA-Z]/g,
    ([one = '']) => percentOf(one),
  ),
  serializedRewriter('YAML: own tag handle', /^.*!!python\/.*$/gs, ([value = ''], random) => {
    const handle = `!${aName(random)}!`;
    return `%TAG ${handle} tag:yaml.org,2002:\n---\n${value.replaceAll('!!python', `${handle}python`)}`;
  }),
  serializedRewriter(
    'YAML: anchor',
    /!(?:!python|ruby)\/[\w/:.%]+ /g,
    ([tag], random) => `${tag}&${aName(random)} `,
  ),
  serializedRewriter(
    'YAML: white space',
    /(?<=[\w:]) (?=[[{])|(?<=[[{,]) ?(?=[\w!"'])/g,
    (_, random) => random.pick(['  ', ' \t', '   ']),
  ),
  serializedRewriter('YAML: comment', /^(?=[!\w{[-].*!(?:!python|ruby)\/)/g, (_, random) =>
    random.pick([`# ${aName(random)}\n`, '---\n', `--- # ${aName(random)}\n`]),
  ),
  serializedRewriter(
    'JSON: escapes',
    /(?<="[^"\\]*)[_$A-Za-z](?=[^"\\]*(?:\\.[^"\\]*)*"[,}])/g,
    ([one = '']) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
  serializedRewriter(
    'script: comment',
    /[({](?=\)|require|process|fetch|global)/g,
    ([one], random) => `${one}/*${aName(random)}*/`,
  ),
  serializedRewriter(
    'script: in brackets',
    /\.(exec|execSync|spawn|exit|kill|abort|binding|mainModule)(?=[.(])/g,
    ([, name]) => `['${name}']`,
  ),
  {
    name: 'hexadecimal: case',
    language: 'serialized',
    rewrite: (value, random) =>
      codingOf(value) === hexadecimal
        ? rewriteMatches(value, /[a-f]/gi, random, ([one = '']) => withCase(one, random))
        : undefined,
  },
  base64Rewriter('no padding', /=+$/g, () => ''),
  base64Rewriter(
    'line breaks',
    /.{4,60}(?=.)/g,
    ([line], random) => line + random.pick(['\n', '\r\n', ' ']),
  ),
  base64Rewriter('other characters', /(?<=.)(?=.)/g, (_, random) =>
    random.pick(['.', '!', '~', '*']),
  ),
];
