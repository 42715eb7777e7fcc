import { stringEnd } from '../grammars/graphql/graphql-lexical.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/** More of them travel together, one a line. */
const stringsMax = 32;
const opensDocument = /^\s{0,80}(?:\{\s{0,40}\w|(?:query|mutation|subscription)\b)/;

/** The string arguments of a GraphQL document: what a resolver gets to see. */
export const graphql: Decoder = {
  name: 'graphql',
  classes: charClass.brace | charClass.doubleQuote | charClass.paren,
  applies: (text) => opensDocument.test(text.slice(0, 200)),
  decode(text, emit) {
    let count = 0;
    const rest: string[] = [];
    for (let at = text.indexOf('"'); at >= 0; count++) {
      const end = stringEnd(text, at);
      if (end - at > 2) {
        const content = decodeString(text.slice(at, end));
        if (count < stringsMax) emit(content, String(count));
        else rest.push(content);
      }
      at = text.indexOf('"', end);
    }
    if (rest.length > 0) emit(rest.join('\n'), 'rest');
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
