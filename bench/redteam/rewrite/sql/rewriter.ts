import type { Random } from '../../../lib/random.ts';
import type { Rewriter } from '../../contract.ts';
import type { Dialect } from '../../oracle/sql/shop.ts';
import { type Piece, readFragment, writeFragment } from './fragment.ts';

/** A rewriter, with the dialects in which its variants can work. */
export interface SqlRewriter extends Rewriter {
  readonly dialects: readonly Dialect[];
}

/** Other text for the pieces from one place to another, both included. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What can be written in another way where a piece stands: a text for it alone, or a patch. */
export type Edit = (
  pieces: readonly Piece[],
  at: number,
  random: Random,
) => string | Patch | undefined;

export const all: readonly Dialect[] = ['sqlite', 'postgres', 'mariadb'];
export const sqlite: readonly Dialect[] = ['sqlite'];
export const postgres: readonly Dialect[] = ['postgres'];
export const mariadb: readonly Dialect[] = ['mariadb'];

/** A rewriter that tries each piece of a value and changes some of them, at least one. */
export function rewriter(
  name: string,
  edit: Edit,
  dialects: readonly Dialect[] = all,
): SqlRewriter {
  return {
    name,
    language: 'sql',
    dialects,
    rewrite: (value, random) => {
      const pieces = readFragment(value);
      const patches = pieces.flatMap((piece, at): Patch[] => {
        const edited = edit(pieces, at, random);
        if (edited === undefined) return [];
        if (typeof edited !== 'string') return [edited];
        return edited === piece.text ? [] : [{ from: at, to: at, text: edited }];
      });
      if (patches.length === 0) return undefined;
      const always = random.below(patches.length);
      const percent = random.pick([25, 50, 75, 100]);
      return apply(
        pieces,
        patches.filter((_, i) => i === always || random.chance(percent)),
      );
    },
  };
}

/** A rewriter of the value as a whole. */
export function wholeRewriter(
  name: string,
  rewrite: (value: string, random: Random) => string | undefined,
  dialects: readonly Dialect[] = all,
): SqlRewriter {
  return { name, language: 'sql', dialects, rewrite };
}

function apply(pieces: readonly Piece[], patches: readonly Patch[]): string {
  const ordered = [...patches].sort((a, b) => a.from - b.from);
  let next = 0;
  let text = '';
  for (const patch of ordered) {
    // Of two patches that overlap the first one counts.
    if (patch.from < next) continue;
    text += writeFragment(pieces.slice(next, patch.from)) + patch.text;
    next = patch.to + 1;
  }
  return text + writeFragment(pieces.slice(next));
}

/** The place of the next piece that is neither space nor comment; `step` -1 looks back. */
export function neighbour(pieces: readonly Piece[], at: number, step: 1 | -1): number {
  let place = at + step;
  while (pieces[place]?.kind === 'space' || pieces[place]?.kind === 'comment') place += step;
  return place;
}

/** Whether a word of SQL stands at a place. */
export function isWord(piece: Piece | undefined, ...words: readonly string[]): boolean {
  return piece?.kind === 'word' && words.includes(piece.text.toLowerCase());
}

/** The place of the parenthesis that closes the one at a place, or opens it. */
export function partner(pieces: readonly Piece[], at: number): number | undefined {
  const step = pieces[at]?.text === '(' ? 1 : -1;
  let depth = 0;
  for (let place = at; place >= 0 && place < pieces.length; place += step) {
    if (pieces[place]?.text === '(') depth += step;
    if (pieces[place]?.text === ')') depth -= step;
    if (depth === 0) return place;
  }
  return undefined;
}

/** The simple operand that begins at a place: a literal, a name, a call, something in parentheses. */
export function operandEnd(pieces: readonly Piece[], at: number): number | undefined {
  const piece = pieces[at];
  if (piece === undefined) return undefined;
  if (piece.text === '(') return partner(pieces, at);
  if (!['word', 'number', 'string'].includes(piece.kind) || isKeyword(piece)) return undefined;
  if (piece.kind === 'word' && pieces[at + 1]?.text === '(') return partner(pieces, at + 1);
  return at;
}

/** The same for an operand that ends at a place. */
export function operandStart(pieces: readonly Piece[], at: number): number | undefined {
  const piece = pieces[at];
  if (piece === undefined) return undefined;
  if (piece.text === ')') {
    const open = partner(pieces, at);
    if (open === undefined) return undefined;
    const before = pieces[open - 1];
    return before?.kind === 'word' && !isKeyword(before) ? open - 1 : open;
  }
  return ['word', 'number', 'string'].includes(piece.kind) && !isKeyword(piece) ? at : undefined;
}

/** The text from one place to another, both included. */
export function textOf(pieces: readonly Piece[], from: number, to: number): string {
  return writeFragment(pieces.slice(from, to + 1));
}

const keywords = new Set(
  `all alter and as asc attach begin between by case cast create cross database delete desc distinct
   drop else end escape except exists from group having if in inner insert intersect into is join
   left like limit natural not null offset on or order outer rename right select set table then to
   truncate union update values when where with xor`.split(/\s+/),
);

/** Whether a word means something in SQL itself: it cannot be quoted, and case does not matter. */
export function isKeyword(piece: Piece | undefined): boolean {
  return piece?.kind === 'word' && keywords.has(piece.text.toLowerCase());
}
