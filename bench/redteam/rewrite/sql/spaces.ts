import type { Dialect } from '../../oracle/sql/shop.ts';
import type { Piece } from './fragment.ts';
import { all, type Edit, rewriter, type SqlRewriter } from './rewriter.ts';

const kinds: readonly (readonly [name: string, text: string, dialects: readonly Dialect[]])[] = [
  ['newline', '\n', all],
  ['tab', '\t', all],
  ['carriage-return', '\r', all],
  ['form-feed', '\f', all],
  ['crlf', '\r\n', all],
  ['vertical-tab', '\v', ['mariadb']],
  // SQLite takes a byte order mark for white space, where it does not end a name.
  ['byte-order-mark', ' \uFEFF', ['sqlite']],
];

/** The end of a line comment is not to be touched, nor what stands behind it. */
const replaced =
  (make: (random: Parameters<Edit>[2]) => string): Edit =>
  (pieces, at, random) =>
    pieces[at]?.kind === 'space' ? make(random) : undefined;

/** Places where two pieces touch, and at least one of them is no word: a space can stand there. */
export const between =
  (make: (random: Parameters<Edit>[2]) => string): Edit =>
  (pieces, at, random) => {
    const piece = pieces[at];
    const next = pieces[at + 1];
    if (piece === undefined || next === undefined || !isSolid(piece) || !isSolid(next)) {
      return undefined;
    }
    // A function and its parenthesis: other rewriters part them.
    if (piece.kind === 'word' && next.text === '(') return undefined;
    return `${piece.text}${make(random)}`;
  };

function isSolid({ kind }: Piece): boolean {
  return ['word', 'number', 'string', 'name', 'mark', 'head'].includes(kind);
}

/** Characters that part two words without a space. */
function isParting(piece: Piece | undefined): boolean {
  return piece === undefined || ['mark', 'string', 'name', 'comment', 'head'].includes(piece.kind);
}

/** White space of all kinds, more of it, less of it. */
export const spaces: readonly SqlRewriter[] = [
  ...kinds.map(([name, text, dialects]) =>
    rewriter(
      `space/${name}`,
      replaced(() => text),
      dialects,
    ),
  ),
  rewriter(
    'space/many',
    replaced((random) =>
      random.times(2 + random.below(8), () => random.pick([' ', '\n', '\t'])).join(''),
    ),
  ),
  rewriter(
    'space/added',
    between((random) => random.pick([' ', '\n', '\t', '  '])),
  ),
  rewriter('space/removed', (pieces, at) => {
    if (pieces[at]?.kind !== 'space') return undefined;
    const isFree = isParting(pieces[at - 1]) || isParting(pieces[at + 1]);
    return isFree && pieces[at + 1]?.kind !== 'end' ? '' : undefined;
  }),
  rewriter('space/plus', (pieces, at, random) =>
    pieces[at]?.kind === 'space' && pieces[at + 1]?.kind === 'number'
      ? `${pieces[at].text}${random.pick(['+', '+ ', '- -', '+-+-'])}`
      : undefined,
  ),
  // A number ends where no letter of a number follows: the next word needs no space.
  rewriter(
    'space/number-glued',
    (pieces, at, random) => {
      const [number, space, word] = pieces.slice(at, at + 3);
      if (number?.kind !== 'number' || space?.kind !== 'space' || word?.kind !== 'word') {
        return undefined;
      }
      if (!/^\d+$/.test(number.text)) return undefined;
      const text = `${number.text}${random.pick(['.', '.0', 'e0', '.e0'])}`;
      return { from: at, to: at + 1, text };
    },
    ['mariadb'],
  ),
];
