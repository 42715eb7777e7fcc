import { isDigit, isWord } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import { wordSet } from '../../text/words.ts';

/** Core functions of XPath 1.0 to 3.1 that injections call (W3C, XPath and XQuery Functions). */
export const xpathFunctions: ReadonlySet<string> = wordSet(
  'not count string-length substring substring-before substring-after contains starts-with ends-with',
  'name local-name namespace-uri position last true false doc document doc-available concat',
  'normalize-space translate string number boolean sum floor ceiling round id idref lang matches',
  'replace tokenize exists upper-case lower-case string-to-codepoints codepoints-to-string',
  'string-join unparsed-text unparsed-text-lines unparsed-text-available collection',
  'uri-collection document-uri static-base-uri resolve-uri encode-for-uri environment-variable',
  'available-environment-variables system-property function-available generate-id key current',
  'current-date current-time current-dateTime error trace empty distinct-values max min avg abs',
  'deep-equal data reverse subsequence index-of root node-name base-uri compare codepoint-equal',
  'insert-before remove unordered zero-or-one one-or-more exactly-one head tail for-each filter',
  'fold-left fold-right parse-xml serialize analyze-string path has-children innermost outermost',
  'json-doc parse-json format-number unparsed-entity-uri round-half-to-even normalize-unicode',
);

/** Those that take no argument, or the context node without one. */
export const xpathContextFunctions: ReadonlySet<string> = wordSet(
  'last position true false name local-name namespace-uri string number string-length',
  'normalize-space current current-dateTime generate-id root node-name base-uri',
);

/** Those that give nodes, so that a union or a further step may follow. */
export const xpathNodeFunctions: ReadonlySet<string> = wordSet(
  'id key doc document collection current root reverse subsequence',
);

/** Tests of a node by its type (XPath 1.0, section 3.7, NodeType). */
export const xpathNodeTypes: ReadonlySet<string> = wordSet(
  'node text comment processing-instruction',
);

/** Axes of XPath (W3C, XPath 1.0, section 2.2). */
export const xpathAxes: ReadonlySet<string> = wordSet(
  'ancestor ancestor-or-self attribute child descendant descendant-or-self following',
  'following-sibling namespace parent preceding preceding-sibling self',
);

/** Operators by name: of XPath 1.0, where libxml2 needs no blank behind them, and of 2.0 and later. */
export const xpathConnectives = ['or', 'and'] as const;
export const xpathArithmetic = ['div', 'mod'] as const;
export const xpathLaterOperators: ReadonlySet<string> = wordSet(
  'eq ne lt le gt ge is idiv to union intersect except',
);

/** Those of them that are no words of a sentence. */
export const xpathValueOperators: ReadonlySet<string> = new Set(['eq', 'lt', 'gt', 'idiv']);

/** Words that go on with a clause (XPath 2.0, section 3.7 and 3.8; XQuery 1.0, section 3.8). */
export const xpathClauseParts: ReadonlySet<string> = wordSet('in return satisfies then else where');

/** Words that begin a clause with a variable of its own (XQuery 1.0, section 3.8). */
export const xpathClauses: ReadonlySet<string> = wordSet('for some every let');

/** What the words begin with that stand where an operator is expected. */
export const operatorInitials: Uint8Array = characterSet(
  [
    ...xpathConnectives,
    ...xpathArithmetic,
    ...xpathLaterOperators,
    ...xpathClauseParts,
    ...xpathClauses,
  ]
    .map((word) => word.charAt(0))
    .join(''),
);

/** A name of a node (Namespaces in XML, NCName); letters beyond ASCII are taken as they come. */
export function nameEnd(text: string, start: number): number {
  if (!isWord(text.charCodeAt(start)) || isDigit(text.charCodeAt(start))) return start;
  let at = start + 1;
  for (let code = text.charCodeAt(at); isWord(code) || code === 45 || code === 46; ) {
    code = text.charCodeAt(++at);
  }
  return at;
}

export function isComparisonSign(code: number): boolean {
  return code === 33 || (code >= 60 && code <= 62); // ! < = >
}

export function isArithmeticSign(code: number): boolean {
  return code === 42 || code === 43 || code === 45; // * + -
}
