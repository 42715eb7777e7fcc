import { createFinder } from '../../text/char-finder.ts';
import { nextClosingQuote, startQuotes } from '../../text/closing-quote.ts';
import { characterSet, skipAny } from '../../text/runs.ts';
import type { Grammar } from '../grammar.ts';
import { PieceReader, type XPathPiece, xpathEnd, xpathTrait } from './xpath-piece.ts';

/** A text as a piece of an XPath expression around it. */
interface XPathReading {
  /** The text from its beginning, where an operand is expected or one has just ended. */
  readonly bare: XPathPiece;
  /** What stands behind a quote that closes a literal around the text, and the offset of the quote. */
  readonly quoted: XPathPiece | undefined;
  readonly quoteAt: number;
}

/**
 * Reads a text by the lexical rules of XPath (W3C, XML Path Language 1.0, section 3.7, with the
 * comments, operators and clauses of 2.0 and XQuery) as a piece of an expression: brackets may be
 * closed that nothing opened, and the end may stand in a literal or in brackets. Any other error
 * makes it no such piece.
 */
export const xpathGrammar: Grammar<XPathReading> = { name: 'xpath', read };

/** Any quote of these may close, one behind them where nothing opened it; so many are tried. */
const windowChars = 400;
const piecesMax = 16;

function read(text: string): XPathReading {
  const first = new PieceReader(text, 0, true).read();
  const bare = first.end === xpathEnd.broken ? new PieceReader(text, 0, false).read() : first;
  const quoteAt = findQuote(text);
  const quoted = quoteAt < 0 ? undefined : new PieceReader(text, quoteAt + 1, false).read();
  return { bare, quoted, quoteAt };
}

const nextQuote = createFinder(/['"]/g);

/** Offset of the first quote behind which the text goes on as the expression around it; else -1. */
function findQuote(text: string): number {
  const limit = text.length;
  const quotes = startQuotes();
  let closing = -1;
  let isLast = false;
  let pieces = 0;
  for (
    let at = nextQuote(text, 0);
    at < limit && pieces < piecesMax;
    at = nextQuote(text, at + 1)
  ) {
    const code = text.charCodeAt(at);
    if (follows[text.charCodeAt(at + 1)] !== 1) continue;
    if (!goesOn.includes(text.charAt(skipAny(text, at + 1, between, limit)))) continue;
    pieces++;
    // Behind most quotes stands nothing that goes on: there it does not matter which ones close.
    while (closing < at && !isLast) {
      const next = nextClosingQuote(text, limit, quotes);
      isLast = next < 0;
      if (!isLast) closing = next;
    }
    // Of the many quotes of a long text one is followed by an operator by chance.
    if (at >= windowChars && at !== closing) continue;
    const piece = new PieceReader(text, at + 1, false).read();
    if (leaves(piece, code, at === closing)) return at;
  }
  return -1;
}

/** What may stand behind a literal: an operator, a bracket, a comma or a comment. */
const goesOn = 'oadmrl=!<>|+-*,](';
const between = ' \t\r\n)';
/** Cheaper than to pass over what is between. */
const follows: Uint8Array = characterSet(goesOn + between);

/** The literal that the quote closed is opened again, or cut off, or never mattered. */
function leaves({ traits, end, quote }: XPathPiece, closed: number, isClosing: boolean): boolean {
  if ((traits & parts) === 0 || (traits & xpathTrait.comma) > 0) return false;
  if (end === xpathEnd.literal) return quote === closed;
  return end === xpathEnd.cut || (isClosing && end === xpathEnd.complete);
}

const parts = xpathTrait.connective | xpathTrait.union | xpathTrait.excess | xpathTrait.clause;
