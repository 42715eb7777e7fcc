import { decodeReferences } from './character-reference.ts';
import { squeeze } from './markup.ts';

/** What a URL does when it is followed. */
export type UrlThreat = 'none' | 'inert' | 'script' | 'document' | 'image-document';

const scriptSchemes = ['javascript:', 'vbscript:', 'livescript:', 'jscript:', 'mocha:', 'vbs:'];

/** Media types that a browser shows as a page of its own, with scripts. */
const documentTypes = ['text/html', 'application/xhtml', 'text/xml', 'application/xml', 'text/xsl'];
const scriptTypes = ['text/javascript', 'application/javascript', 'application/ecmascript'];

/** Bodies of a script URL that do nothing. */
const inertScripts: ReadonlySet<string> = new Set([
  '',
  ';',
  '#',
  'void0',
  'void(0)',
  'void(0);',
  'void(null)',
  'void(null);',
  'return',
  'returnfalse',
  'returnfalse;',
  'false',
  'false;',
]);

/**
 * Judges the URL between two offsets as browsers read it: case, white space and control characters
 * do not count, and what stands before the scheme may have been dropped by a filter.
 */
export function threatOfUrl(text: string, start: number, end: number): UrlThreat {
  return threatOfSqueezed(decodeReferences(squeeze(text, start, end)));
}

/** The same for text that is squeezed already. */
function threatOfSqueezed(url: string): UrlThreat {
  // Netscape's script entity, and the scheme with a wrong colon that filters were tested with.
  if (url.startsWith('&{') || url.startsWith('javascript#')) return 'script';
  for (const scheme of scriptSchemes) {
    const at = url.indexOf(scheme);
    if (at < 0 || !startsUrl(url, at)) continue;
    return inertScripts.has(url.slice(at + scheme.length)) ? 'inert' : 'script';
  }
  const data = url.indexOf('data:');
  if (data >= 0 && startsUrl(url, data)) return threatOfData(url, data + 5);
  return 'none';
}

function threatOfData(url: string, at: number): UrlThreat {
  if (documentTypes.some((type) => url.startsWith(type, at))) return 'document';
  if (scriptTypes.some((type) => url.startsWith(type, at))) return 'document';
  if (url.startsWith('image/svg', at)) return 'image-document';
  return 'none';
}

/** True where a URL can begin: at the start, behind a separator or what a filter may drop. */
function startsUrl(url: string, at: number): boolean {
  if (at === 0) return true;
  const before = url.charCodeAt(at - 1);
  if (before >= 128) return true;
  // Behind `;` `,` `=` `(` `"` `'` `:` `<` `|` `!`, but not in a path such as /wiki/JavaScript:_…
  return ';,=(\'":<|!'.includes(url.charAt(at - 1));
}
