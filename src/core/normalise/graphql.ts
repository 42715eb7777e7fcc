import { charClass } from '../text/char-class.ts';
import { stringEnd } from '../tokenise/graphql.ts';
import type { Decoder } from './decoder.ts';

const stringsMax = 32;
const opensDocument = /^\s{0,80}(?:\{\s{0,40}\w|(?:query|mutation|subscription)\b)/;

/** The string arguments of a GraphQL document: what a resolver gets to see. */
export const graphql: Decoder = {
  name: 'graphql',
  applies(text, scan): boolean {
    const classes = charClass.brace | charClass.doubleQuote | charClass.paren;
    return (scan.classes & classes) === classes && opensDocument.test(text.slice(0, 200));
  },
  decode(text, emit) {
    let count = 0;
    for (let at = text.indexOf('"'); at >= 0 && count < stringsMax; count++) {
      const end = stringEnd(text, at);
      if (end - at > 2) emit(decodeString(text.slice(at, end)), String(count));
      at = text.indexOf('"', end);
    }
  },
};

/** Escapes are those of JSON; a string with others is taken as it stands. */
function decodeString(literal: string): string {
  const content = literal.slice(1, -1);
  if (!content.includes('\\')) return content;
  try {
    return JSON.parse(literal) as string;
  } catch {
    return content;
  }
}
