/** What each decoder of a whole text does, in words that follow "after". */
const wholeTexts: Readonly<Record<string, string>> = {
  percent: 'URL-decoding',
  plus: 'reading + as a space',
  'html-entity': 'decoding HTML entities',
  'js-escape': 'decoding JavaScript escapes',
  'css-escape': 'decoding CSS escapes',
  'json:escapes': 'decoding needless escapes of JSON',
  unicode: 'mapping Unicode characters to ASCII',
  control: 'removing invisible characters',
  'utf-7': 'decoding UTF-7',
  'utf-16': 'decoding UTF-16',
  hex: 'decoding hex digits',
  base64: 'decoding Base64',
  'base64-data': 'decoding Base64',
  'sql-comment': 'removing SQL comments',
  'sql-code': 'reading it as SQL without comments',
  'template-comment': 'removing template comments',
  'url-break': 'removing line breaks within the URL',
  printable: 'extracting the readable text',
};

/** What a decoder that takes a text apart calls one of the parts. */
const parts: Readonly<Record<string, string>> = {
  form: 'form field',
  json: 'JSON field',
  cookie: 'cookie',
  multipart: 'multipart field',
  xml: 'XML text',
  graphql: 'GraphQL string',
  path: 'path segment',
};

/** Decodings in words, first applied first: `URL-decoding twice, then reading form field q`. */
export function decodings(decoded: readonly string[]): string {
  const runs: { readonly words: string; times: number }[] = [];
  for (const label of decoded) {
    const words = wordsOf(label);
    const last = runs.at(-1);
    if (last?.words === words) last.times += 1;
    else runs.push({ words, times: 1 });
  }
  const all = runs.map(({ words, times }) => {
    if (times === 1) return words;
    return times === 2 ? `${words} twice` : `${words} ${times} times`;
  });
  return all.join(', then ');
}

/** A label is the name of a decoder and, behind a colon, the part that it took out. */
function wordsOf(label: string): string {
  const colon = label.indexOf(':');
  const decoder = colon < 0 ? label : label.slice(0, colon);
  const part = parts[decoder];
  if (part === undefined || label in wholeTexts)
    return wholeTexts[label] ?? wholeTexts[decoder] ?? label;
  const name = colon < 0 ? '' : label.slice(colon + 1);
  if (name === 'rest') return `reading the other ${part}s`;
  const ofName = /^name (.*)$/su.exec(name)?.[1];
  return ofName === undefined ? `reading ${part} ${name}` : `reading the name of ${part} ${ofName}`;
}
