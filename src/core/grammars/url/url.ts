import { limits } from '../../../contract/limits.ts';
import { isAlnum, isDigit, isLetter } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import { createWordTable } from '../../text/word-table.ts';
import { wordSet } from '../../text/words.ts';
import type { Grammar } from '../grammar.ts';
import { type HostKind, hostKindOf } from './host.ts';

/** A URL in a text (RFC 3986, read as leniently as URL libraries do). Offsets count in the text. */
export interface Url {
  readonly start: number;
  /** End of the run without white space and quotes that the URL stands in. */
  readonly end: number;
  /** Lower case; empty for `//host` and `\\host`. */
  readonly scheme: string;
  /** Slashes and backslashes behind the scheme. */
  readonly slashes: number;
  readonly authorityStart: number;
  /** Behind the `@` of the user information, or equal to `authorityStart`. */
  readonly hostStart: number;
  readonly hostEnd: number;
  readonly hostKind: HostKind;
  /** -1 without. */
  readonly port: number;
  /** Where path, query or fragment begin. */
  readonly pathStart: number;
  readonly place: UrlPlace;
}

/** Where a URL occurs: benign text quotes and mentions URLs, a parameter is one. */
type UrlPlace = 'whole' | 'parameter' | 'quoted' | 'prose';

/** The URLs of a text. */
interface UrlReading {
  readonly urls: readonly Url[];
  /** False when there were more than `limits.tokensMax`. */
  readonly complete: boolean;
}

/** Finds every URL, also those in the query of another one. */
export const urlGrammar: Grammar<UrlReading> = {
  name: 'url',
  read(text) {
    const urls: Url[] = [];
    const isSpaced = whiteSpace.test(text);
    let runEnd = 0;
    for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
      const start =
        text.charCodeAt(at) === colon ? startOfScheme(text, at) : startOfBareHost(text, at);
      if (start < 0) {
        // In a row of slashes only the first may begin a URL.
        while (isSlash(text.charCodeAt(at)) && isSlash(text.charCodeAt(at + 1))) at++;
        continue;
      }
      if (urls.length >= urlsMax) return { urls, complete: false };
      if (runEnd <= at) runEnd = endOfRun(text, at);
      const url = readUrl(text, { start, mark: at, runEnd, isSpaced });
      if (url === undefined) continue;
      urls.push(url);
      // `url:http://host`: what reads the first scheme goes on to the second.
      at = Math.max(at, url.scheme === 'url' ? at : url.pathStart - 1);
    }
    return { urls, complete: true };
  },
};

/** More than the longest site map of one body holds. */
const urlsMax = Math.min(limits.tokensMax, 8_192);
const whiteSpace = /\s/;
/** What a URL cannot do without. */
const nextMark = createFinder(/[:/\\]/g);
const colon = 58;
const slash = 47;
const backslash = 92;
const at_ = 64;
const schemeCharsMax = 20;
const authorityCharsMax = 320;
const portCharsMax = 12;

function isSlash(code: number): boolean {
  return code === slash || code === backslash;
}

/** Start of a URL whose `//` or `\\` stands at an offset; -1 when there is none. */
function startOfBareHost(text: string, at: number): number {
  if (!isSlash(text.charCodeAt(at + 1))) return -1;
  const before = at === 0 ? 61 : text.charCodeAt(at - 1);
  const canStart = before <= 32 || before === 61 || before === 34 || before === 39 || before === 40;
  return canStart && isHostStart(text.charCodeAt(at + 2)) ? at : -1;
}

function startOfScheme(text: string, mark: number): number {
  let start = mark;
  while (start > 0 && mark - start < schemeCharsMax && isSchemeCode(text.charCodeAt(start - 1))) {
    start--;
  }
  // A digit or sign in front of the scheme is not part of it.
  while (start < mark && !isLetter(text.charCodeAt(start))) start++;
  // Most colons of prose have neither a slash behind them nor a scheme that needs none in front.
  const isUrl =
    isSlash(text.charCodeAt(mark + 1)) || opaqueTable.wordBetween(text, start, mark) !== '';
  return isUrl && mark - start >= 2 ? start : -1;
}

function isSchemeCode(code: number): boolean {
  return isAlnum(code) || code === 43 || code === 45 || code === 46;
}

function isHostStart(code: number): boolean {
  return isAlnum(code) || code === 91 || code >= 128;
}

/** White space, quotes, angle brackets and controls end a URL in running text. */
function endOfRun(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 ? code !== 0 : code === 34 || code === 60 || code === 62 || code === 96)
      return at;
  }
  return text.length;
}

interface Place {
  readonly start: number;
  /** Offset of the colon, or of the first slash where there is no scheme. */
  readonly mark: number;
  readonly runEnd: number;
  /** The text holds white space. */
  readonly isSpaced: boolean;
}

function readUrl(text: string, place: Place): Url | undefined {
  const { start, mark, runEnd } = place;
  const scheme = start === mark ? '' : text.slice(start, mark).toLowerCase();
  let next = scheme === '' ? mark : mark + 1;
  const slashStart = next;
  while (next < runEnd && isSlash(text.charCodeAt(next))) next++;
  const slashes = next - slashStart;
  const slashesMin = opaqueSchemes.has(scheme) ? 0 : clientSchemes.has(scheme) ? 1 : 2;
  if (slashes < slashesMin) return undefined;
  const authorityStart = next;
  const pathStart = endOfAuthority(text, authorityStart, runEnd);
  const authority = text.slice(authorityStart, pathStart);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const portMark = portMarkOf(host);
  const name = portMark < 0 ? host : host.slice(0, portMark);
  const hostStart = pathStart - host.length;
  return {
    start,
    end: runEnd,
    scheme,
    slashes,
    authorityStart,
    hostStart,
    hostEnd: hostStart + name.length,
    hostKind: hostKindOf(name),
    port: portMark < 0 ? -1 : portOf(host.slice(portMark + 1).split(':', 1)[0] ?? ''),
    pathStart,
    place: placeOf(text, start, runEnd, place.isSpaced),
  };
}

/** Schemes that are a URL without `//` behind them. */
const opaqueSchemes: ReadonlySet<string> = wordSet(
  'http https ftp file netdoc jar unix data url gopher dict php',
);

const opaqueTable = createWordTable(opaqueSchemes);

/** Schemes that libcurl takes with one slash. */
const clientSchemes: ReadonlySet<string> = wordSet(
  'ftps imap imaps ldap ldaps mqtt pop3 pop3s rtsp scp sftp smb smbs smtp smtps telnet tftp',
);

/** What a text with a URL cannot do without, for triggers. */
export const urlLiterals: readonly string[] = [
  ...['//', '\\\\', '/\\', '\\/'],
  ...[...opaqueSchemes, ...clientSchemes].map((scheme) => `${scheme}:`),
];

function endOfAuthority(text: string, from: number, runEnd: number): number {
  const end = Math.min(runEnd, from + authorityCharsMax);
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isSlash(code) || code === 63 || code === 35 || code === 0) return at;
  }
  return end;
}

/** Offset of the colon in front of the port, of which some clients take several; `[…]` holds others. */
function portMarkOf(host: string): number {
  return host.indexOf(':', host.lastIndexOf(']') + 1);
}

/** Clients read leading zeros over. */
function portOf(digits: string): number {
  return digits.length <= portCharsMax ? Number(digits) || -1 : -1;
}

function placeOf(text: string, start: number, end: number, isSpaced: boolean): UrlPlace {
  const first = startOfValue(text, start);
  const lead = start - first <= leadCharsMax ? wrapper.exec(text.slice(first, start)) : null;
  const isClosed = lead?.[1] === '' || text.charCodeAt(end) === 62;
  if (lead !== null && isClosed && isRest(text, end)) return 'whole';
  const before = start > 0 ? text.charCodeAt(start - 1) : 32;
  if (before === 61) return 'parameter';
  const isQuoted =
    before === 34 || before === 39 || before === 40 || before === 60 || before === 96;
  return isQuoted ? 'quoted' : isSpaced ? 'prose' : 'parameter';
}

const leadCharsMax = 24;
/** `<URL:…>` (RFC 3986, appendix C). */
const wrapper = /^(<?)[\u0000- ]{0,4}(?:URL:[\u0000- ]{0,8})?$/i;

/** Offset behind the blanks and controls at the start, which clients take off. */
export function startOfValue(text: string, last: number): number {
  const end = Math.min(last, blanksMax);
  let at = 0;
  while (at < end && text.charCodeAt(at) <= 32) at++;
  return at;
}

const blanksMax = 1_024;

/** The same with the start of `<URL:…>` behind them. */
export function startOfWrapped(text: string): number {
  opening.lastIndex = startOfValue(text, text.length);
  opening.test(text);
  return opening.lastIndex;
}

const opening = /<?(?:URL:)?[\u0000- ]{0,8}/iy;

/**
 * A few words behind a URL do not make it prose; what ends it in running text and is a single word
 * goes on with it.
 */
function isRest(text: string, end: number): boolean {
  return text.length - end <= 24 || !whiteSpace.test(text.slice(end).trimEnd());
}

/** True when the authority holds user information. */
export function hasUser(text: string, url: Url): boolean {
  return url.hostStart > url.authorityStart && text.charCodeAt(url.hostStart - 1) === at_;
}

/** True when the host is an address in numbers: no name begins and ends with a digit. */
export function hasNumericHost(text: string, url: Url): boolean {
  return isDigit(text.charCodeAt(url.hostStart)) && isDigit(text.charCodeAt(url.hostEnd - 1));
}
