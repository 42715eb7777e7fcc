/** Core functions of XPath 1.0 to 3.1 that injections call (W3C, XPath and XQuery Functions). */
export const xpathFunctions: ReadonlySet<string> = new Set(
  (
    'not count string-length substring substring-before substring-after contains starts-with ends-with ' +
    'name local-name namespace-uri position last text node comment processing-instruction true false ' +
    'doc document doc-available concat normalize-space translate string number boolean sum floor ' +
    'ceiling round id lang matches replace tokenize exists upper-case lower-case string-to-codepoints ' +
    'codepoints-to-string string-join unparsed-text collection current-dateTime environment-variable ' +
    'generate-id key current system-property error trace empty distinct-values max min avg ' +
    'deep-equal data reverse subsequence index-of root node-name base-uri'
  ).split(' '),
);

/** Axes of XPath (W3C, XPath 1.0, section 2.2). */
export const xpathAxes: ReadonlySet<string> = new Set(
  (
    'ancestor ancestor-or-self attribute child descendant descendant-or-self following ' +
    'following-sibling namespace parent preceding preceding-sibling self'
  ).split(' '),
);
