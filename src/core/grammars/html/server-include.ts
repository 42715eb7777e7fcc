import { limits } from '../../../contract/limits.ts';
import { isAlnum, isWord } from '../../text/char-class.ts';
import type { Grammar } from '../grammar.ts';

/**
 * Reads the directives of server-side includes, `<!--#exec cmd="id" -->`
 * (https://httpd.apache.org/docs/2.4/mod/mod_include.html; nginx and IIS allow blanks around
 * the `#`), and the elements of Edge Side Includes, `<esi:include src="…"/>`
 * (https://www.w3.org/TR/esi-lang). A value that is put behind an open `<!--` begins with the `#`:
 * there it must be a directive with quoted attributes and nothing else, as far as it goes.
 */
export const serverInclude: Grammar<readonly IncludeDirective[]> = {
  name: 'server-include',
  read: readDirectives,
};

/** One directive or element; names are lower case. */
interface IncludeDirective {
  readonly kind: 'ssi' | 'esi' | 'esi-comment';
  readonly name: string;
  /** Name of the first attribute, `''` when there is none. */
  readonly attribute: string;
  readonly start: number;
  readonly end: number;
}

function readDirectives(text: string): readonly IncludeDirective[] {
  const directives: IncludeDirective[] = [];
  const hash = openDirective.exec(text.slice(0, directiveMax));
  if (hash !== null) directives.push(read(text, 'ssi', hash[0].indexOf('#'), hash[1]?.length ?? 0));
  let at = text.indexOf('<');
  while (at >= 0 && directives.length < limits.tokensMax) {
    const directive = directiveAt(text, at);
    if (directive !== undefined) directives.push(directive);
    at = text.indexOf('<', at + 1);
  }
  return directives;
}

function directiveAt(text: string, at: number): IncludeDirective | undefined {
  if (text.startsWith('<!--', at)) return commentAt(text, at);
  const tag = text.slice(at + 1, at + 6).toLowerCase();
  const from = tag.startsWith('/') ? at + 2 : at + 1;
  if (text.slice(from, from + 4).toLowerCase() !== 'esi:') return undefined;
  return read(text, 'esi', at, from + 4);
}

function commentAt(text: string, at: number): IncludeDirective | undefined {
  if (text.slice(at + 4, at + 7).toLowerCase() === 'esi' && !isAlnum(text.charCodeAt(at + 7))) {
    return read(text, 'esi-comment', at, at + 4);
  }
  const hash = skipBlanks(text, at + 4);
  if (text.charCodeAt(hash) !== 35) return undefined;
  return read(text, 'ssi', at, skipBlanks(text, hash + 1));
}

function read(
  text: string,
  kind: IncludeDirective['kind'],
  start: number,
  from: number,
): IncludeDirective {
  const nameEnd = wordEnd(text, from);
  const attributeStart = skipBlanks(text, nameEnd);
  const attributeEnd = wordEnd(text, attributeStart);
  const hasValue = text.charCodeAt(skipBlanks(text, attributeEnd)) === 61;
  return {
    kind,
    name: text.slice(from, nameEnd).toLowerCase(),
    attribute: hasValue ? text.slice(attributeStart, attributeEnd).toLowerCase() : '',
    start,
    end: directiveEnd(text, attributeEnd),
  };
}

const nameMax = 32;
const directiveMax = 512;
/** `#echo var="x" `, and the end of the text or of the comment. */
const openDirective =
  /^(\s{0,32}#\s{0,32})\w{1,32}(?:\s{1,32}\w{1,32}\s{0,32}=\s{0,32}(?:"[^"]{0,200}"|'[^']{0,200}')){1,8}\s{0,32}(?:$|-->)/;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < nameMax && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 160)) at++;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at - from < nameMax && isWord(text.charCodeAt(at))) at++;
  return at;
}

/** After the closing bracket, when there is one near. */
function directiveEnd(text: string, from: number): number {
  const close = text.slice(from, from + directiveMax).indexOf('>');
  return close < 0 ? Math.min(text.length, from + 40) : from + close + 1;
}
