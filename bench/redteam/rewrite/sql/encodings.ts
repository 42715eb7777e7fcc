import type { Random } from '../../../lib/random.ts';
import { wide } from '../../oracle/sql/decoders.ts';
import { type SqlRewriter, wholeRewriter } from './rewriter.ts';

/** An encoding of single characters; what is encoded already stays as it is. */
function encoding(
  name: string,
  sites: RegExp,
  encode: (character: string, random: Random) => string,
): SqlRewriter {
  return wholeRewriter(`encode/${name}`, (value, random) => {
    const percent = random.pick([10, 30, 60, 100]);
    const encoded = value.replace(sites, (found) =>
      found.length === 1 && random.chance(percent) ? encode(found, random) : found,
    );
    return encoded === value ? undefined : encoded;
  });
}

const code = (character: string) => character.charCodeAt(0);
const hex = (character: string, length: number) =>
  code(character).toString(16).padStart(length, '0');

/** For applications that decode once more than the framework does. */
export const encodings: readonly SqlRewriter[] = [
  encoding('percent', /%[0-9a-f]{2}|[!-~]/gi, (one) => `%${hex(one, 2)}`),
  encoding('percent-upper', /%[0-9a-f]{2}|[!-~]/gi, (one) => `%${hex(one, 2).toUpperCase()}`),
  encoding('percent-letters', /%[0-9a-f]{2}|[a-z]/gi, (one) => `%${hex(one, 2)}`),
  encoding('json', /\\u[0-9a-f]{4}|\\.|[!-~]/gi, (one) => `\\u${hex(one, 4)}`),
  encoding(
    'html-decimal',
    /&#?\w+;|[!-~]/g,
    (one, random) => `&#${'0'.repeat(random.below(4))}${code(one)};`,
  ),
  encoding(
    'html-hex',
    /&#?\w+;|[!-~]/g,
    (one, random) => `&#${random.pick(['x', 'X'])}${hex(one, 2)};`,
  ),
  encoding('wide', /[!-~]/g, wide),
  wholeRewriter('encode/base64-odd', (value, random) => {
    if (!/^[\w+/]{8,}={0,2}$/.test(value)) return undefined;
    const at = 1 + random.below(value.length - 1);
    const broken = `${value.slice(0, at)}${random.pick(['\n', ' ', '.', '!', '\r\n', '~'])}${value.slice(at)}`;
    return random.chance(50) ? broken : broken.replace(/=+$/, '');
  }),
];
