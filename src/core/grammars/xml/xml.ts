import { limits } from '../../../contract/limits.ts';
import type { Grammar } from '../grammar.ts';

/** A `<!DOCTYPE …>` or `<!ENTITY …>` (XML 1.0, 2.8 and 4.2), or what the text has of it. */
export interface XmlDeclaration {
  readonly kind: 'doctype' | 'entity';
  readonly start: number;
  /** Behind the external identifier or the value; a document type's internal subset follows. */
  readonly end: number;
  readonly name: string;
  /** `<!ENTITY % name …>` */
  readonly isParameter: boolean;
  /** Refers to an external resource: `SYSTEM "…"`, `PUBLIC "…" "…"`. */
  readonly external: 'system' | 'public' | undefined;
  readonly publicId: string;
  /** System identifier, or the value of an internal entity. */
  readonly literal: string;
  /** A document type whose name or identifier is followed by `[`. */
  readonly hasSubset: boolean;
}

/** A start tag with the attributes that matter to the rules. */
export interface XmlElement {
  readonly start: number;
  readonly end: number;
  /** Empty without one. */
  readonly prefix: string;
  readonly name: string;
}

interface XmlReading {
  readonly declarations: readonly XmlDeclaration[];
  /** Start tags with a namespace prefix, and those that may have a default one. */
  readonly elements: readonly XmlElement[];
  /** False when there were more than `limits.tokensMax`. */
  readonly complete: boolean;
}

/**
 * Reads declarations wherever they stand, also without a document around them, in CDATA sections,
 * and in the literals of other declarations, where parameter entities are smuggled.
 */
export const xmlGrammar: Grammar<XmlReading> = {
  name: 'xml',
  read(text) {
    const declarations: XmlDeclaration[] = [];
    const elements: XmlElement[] = [];
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
      if (declarations.length + elements.length >= limits.tokensMax) {
        return { declarations, elements, complete: false };
      }
      if (text.charCodeAt(at + 1) === 33) {
        const declaration = readDeclaration(text, at);
        if (declaration !== undefined) declarations.push(declaration);
      } else {
        const element = readElement(text, at);
        if (element !== undefined) elements.push(element);
      }
    }
    return { declarations, elements, complete: true };
  },
};

const nameCharsMax = 100;
const literalCharsMax = 400;
const tagCharsMax = 600;

function readDeclaration(text: string, start: number): XmlDeclaration | undefined {
  keyword.lastIndex = start;
  // No array of groups for each of many: the first letter tells which word it was.
  if (!keyword.test(text)) return undefined;
  const kind = (text.charCodeAt(start + 2) | 32) === letterE ? 'entity' : 'doctype';
  const cursor: Cursor = { text, at: keyword.lastIndex };
  skipSpace(cursor);
  const isParameter = kind === 'entity' && takePercent(cursor);
  const name = takeName(cursor);
  skipSpace(cursor);
  const external = takeExternal(cursor);
  let publicId = '';
  if (external === 'public') {
    publicId = takeLiteral(cursor) ?? '';
    skipSpace(cursor);
  }
  const literal = external !== undefined || kind === 'entity' ? (takeLiteral(cursor) ?? '') : '';
  skipSpace(cursor);
  const hasSubset = kind === 'doctype' && text.charCodeAt(cursor.at) === 91;
  return { kind, start, end: cursor.at, name, isParameter, external, publicId, literal, hasSubset };
}

const letterE = 101;

const keyword = /<!(?:doctype|entity)(?=[\s%[>]|$)/iy;

interface Cursor {
  readonly text: string;
  at: number;
}

function skipSpace(cursor: Cursor): void {
  const end = cursor.at + literalCharsMax;
  while (cursor.at < end && cursor.text.charCodeAt(cursor.at) <= 32) cursor.at++;
}

/** `%`, or its character reference inside a literal: `&#x25;`, `&#37;`. */
function takePercent(cursor: Cursor): boolean {
  percentSign.lastIndex = cursor.at;
  if (!percentSign.test(cursor.text)) return false;
  cursor.at = percentSign.lastIndex;
  skipSpace(cursor);
  return true;
}

const percentSign = /%|&#(?:x0{0,4}25|0{0,4}37);/iy;

function takeName(cursor: Cursor): string {
  const start = cursor.at;
  const end = Math.min(cursor.text.length, start + nameCharsMax);
  while (cursor.at < end && !nameEnds.has(cursor.text.charCodeAt(cursor.at))) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** White space, `" ' [ < >` */
const nameEnds: ReadonlySet<number> = new Set([32, 9, 10, 13, 34, 39, 91, 60, 62]);

function takeExternal(cursor: Cursor): 'system' | 'public' | undefined {
  externalWord.lastIndex = cursor.at;
  if (!externalWord.test(cursor.text)) return undefined;
  const isSystem = (cursor.text.charCodeAt(cursor.at) | 32) === letterS;
  cursor.at = externalWord.lastIndex;
  skipSpace(cursor);
  return isSystem ? 'system' : 'public';
}

const letterS = 115;

const externalWord = /(?:system|public)(?=[\s"'&]|$)/iy;

/**
 * A quoted literal; quotation marks may be doubled by CSV, or escaped by a string around the
 * document.
 */
function takeLiteral(cursor: Cursor): string | undefined {
  const { text } = cursor;
  while (text.charCodeAt(cursor.at) === 92) cursor.at++;
  const quote = text.charCodeAt(cursor.at);
  if (quote !== 34 && quote !== 39) return undefined;
  let start = cursor.at + 1;
  if (text.charCodeAt(start) === quote && !isLiteralEnd(text.charCodeAt(start + 1))) start++;
  const limit = Math.min(text.length, start + literalCharsMax);
  let end = start;
  while (end < limit && text.charCodeAt(end) !== quote) end++;
  cursor.at = Math.min(text.length, end + 1);
  while (cursor.at < limit && text.charCodeAt(cursor.at) === quote) cursor.at++;
  return text.slice(start, end);
}

/** What can follow an empty literal. */
function isLiteralEnd(code: number): boolean {
  return code <= 32 || code === 62 || code === 91 || Number.isNaN(code);
}

function readElement(text: string, start: number): XmlElement | undefined {
  startTag.lastIndex = start;
  const found = startTag.exec(text);
  if (found === null) return undefined;
  const limit = Math.min(text.length, start + tagCharsMax);
  let end = startTag.lastIndex;
  while (end < limit && text.charCodeAt(end) !== 62 && text.charCodeAt(end) !== 60) end++;
  return {
    start,
    end: Math.min(text.length, end + (text.charCodeAt(end) === 62 ? 1 : 0)),
    prefix: (found[1] ?? '').toLowerCase(),
    name: (found[2] ?? found[3] ?? '').toLowerCase(),
  };
}

const startTag =
  /<(?:([a-z_][\w.-]{0,40}):([a-z_][\w.-]{0,40})|(include|import|copy-of|value-of|for-each|apply-templates|variable|param|with-param|sequence|result-document))(?=[\s/>]|$)/iy;
