/** What a piece of a fragment is. `head` and `tail` belong to strings that the statement holds. */
export type Kind =
  | 'head'
  | 'space'
  | 'comment'
  | 'end'
  | 'word'
  | 'number'
  | 'string'
  | 'name'
  | 'mark'
  | 'tail';

export interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

/**
 * Reads a value that starts in the middle of a statement: mostly in a string, which its first quote
 * closes. The dialects differ; what is read wrongly is rewritten wrongly, and the oracle sees it.
 */
export function readFragment(value: string): Piece[] {
  const start = headLength(value);
  const pieces: Piece[] = start > 0 ? [{ kind: 'head', text: value.slice(0, start) }] : [];
  for (let at = start; at < value.length; ) {
    const piece = pieceAt(value, at);
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

/** The value again. */
export function writeFragment(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

const code =
  /[()=<>,;|+/*-]|\b(?:or|and|union|select|from|where|order|case|like|in|is|limit|not|null)\b/i;

/** How much of the value is the content of a string or a comment, with the mark that ends it. */
function headLength(value: string): number {
  const closing = value.indexOf('*/');
  const opening = value.indexOf('/*');
  if (closing >= 0 && (opening < 0 || closing < opening)) return closing + 2;
  const quote = value.search(/['"`]/);
  if (quote < 0 || code.test(value.slice(0, quote))) return 0;
  // In MySQL a backslash takes the first of two quotes that an application makes of one.
  return quote + 1;
}

const spaces = /[\s\uFEFF]+/y;
const words = /[a-z_@$\u0080-\uFFFF][\w@$\u0080-\uFFFF]*/iy;
const numbers = /0x[0-9a-f]+\b|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
const marks = /<=>|\|\||&&|::|<>|!=|<=|>=|==|<<|>>|[\s\S]/y;
const blocks = /\/\*(?:[^*]|\*(?!\/))*\*\//y;
const lines = /(?:--|#)[^\n]*\n/y;
const ends = /(?:--|#|\/\*|;?\0)[\s\S]*/y;

function pieceAt(value: string, at: number): Piece {
  const quoted = quotedAt(value, at);
  if (quoted !== undefined) return quoted;
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(value)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return { kind: 'mark', text: value.slice(at, at + 1) };
}

const patterns: readonly (readonly [Kind, RegExp])[] = [
  ['space', spaces],
  ['comment', blocks],
  ['comment', lines],
  ['end', ends],
  ['word', words],
  ['number', numbers],
  ['mark', marks],
];

function quotedAt(value: string, at: number): Piece | undefined {
  const quote = value[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  let end = value.indexOf(quote, at + 1);
  while (end >= 0 && value[end + 1] === quote) end = value.indexOf(quote, end + 2);
  // A string that does not end here ends with the quote of the statement.
  if (end < 0) return { kind: 'tail', text: value.slice(at) };
  return { kind: quote === "'" ? 'string' : 'name', text: value.slice(at, end + 1) };
}
