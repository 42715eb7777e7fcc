import { type PathReading, type PathWord, pathGrammar } from '../grammars/path/path.ts';
import type { Match } from '../rules/rule.ts';
import { charClass } from '../text/char-class.ts';
import { characterSet } from '../text/runs.ts';
import { strongest } from './evidence.ts';
import type { Subject } from './subject.ts';
import { isInValue } from './value-place.ts';

/**
 * The strongest match over the paths of a subject; `scoreOf` says 0 where a path is no evidence.
 */
export function strongestPath(
  subject: Subject,
  scoreOf: (word: PathWord, place: PathPlace) => number,
): Match | undefined {
  const reading: PathReading = subject.tokens(pathGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  return strongest(reading.words, (word) => {
    const place = placeOf(subject.text, subject.classes, word);
    return scoreOf(word, isLed(subject, word, place) ? 'parameter' : place);
  });
}

/**
 * The file system takes the words in front for the name of a folder: `late. a/../../b` climbs, while of
 * `go to ../../docs` the first step is a part of that name, which the second one leaves.
 */
function isLed(subject: Subject, { start, climbs }: PathWord, place: PathPlace): boolean {
  if (place !== 'prose') return false;
  const least = subject.text.startsWith('..', start) ? 3 : 1;
  return climbs >= least && isInValue(subject, start);
}

/** A member whose value an application uses as a path, or a parameter of the client's query. */
export function isPathMember(subject: Subject): boolean {
  return pathMember.test(subject.member.slice(0, 64));
}

const pathMember =
  /^query\.|(?:^|[._\-[])(?:file|filename|filepath|path|page|dir|folder|template|tpl|include|inc|doc|document|load|read|download|module|view|lang|locale|theme|style|img|image|src|root)(?:$|[._\-\]])/i;

/**
 * The path of the request itself. A browser resolves `..` before it sends a path, so that there
 * even one step up is an attack.
 */
export function isRequestPath(subject: Subject): boolean {
  return subject.member === 'path' && subject.text.charCodeAt(0) === 47;
}

/** Where a path occurs in its text: benign relative paths are common in quotes and in prose. */
export type PathPlace = 'whole' | 'parameter' | 'quoted' | 'prose';

/** Within other text, which may be about the path. */
export function isMention(place: PathPlace): boolean {
  return place === 'prose' || place === 'quoted';
}

/** `classes` are the class bits of the text. */
export function placeOf(text: string, classes: number, word: PathWord): PathPlace {
  const before = word.start > 0 ? text.charCodeAt(word.start - 1) : -1;
  if (quotes[before] === 1) {
    const isSole = word.start === 1 && word.end === text.length - 1;
    return isSole || isElementText(text, word) ? 'whole' : 'quoted';
  }
  if ((classes & (charClass.space | charClass.lineBreak)) === 0) {
    return word.start === 0 ? 'whole' : 'parameter';
  }
  if (before === equals) return 'parameter';
  const isAlone =
    isBlank(text, 0, word.start) &&
    (isBlank(text, word.end, text.length) || isUrlEnd(text, word.end));
  return isAlone ? 'whole' : 'prose';
}

/**
 * A query or a fragment, which a parser of URLs takes off together with all words in it; what ends a
 * question has a blank behind it.
 */
function isUrlEnd(text: string, at: number): boolean {
  if (urlEnd.test(text.slice(at, at + 8))) return true;
  const code = text.charCodeAt(at);
  return (code === 35 || code === 63) && isBlank(text, at + 1, text.length);
}

const urlEnd = /^[#?](?![?!.)]{0,4}(?:\s|$))\S/;

const equals = 61;

const quotes: Uint8Array = characterSet('"\'([<>`');

/** The whole text of an element that is not one of rich text: `<string>/etc/passwd</string>`. */
function isElementText(text: string, word: PathWord): boolean {
  if (text.charCodeAt(word.start - 1) !== 62 || text.charCodeAt(word.end) !== 60) return false;
  for (let at = word.start - 2; at >= 0 && at > word.start - tagCharsMax; at--) {
    if (text.charCodeAt(at) === 60) return !richText.test(text.slice(at + 1, word.start - 1));
  }
  return false;
}

const tagCharsMax = 60;

/** Elements of HTML and DocBook that benign text puts around a path; end tags as well. */
const richText =
  /^(?:\/|(?:a|abbr|b|big|blockquote|br|cite|code|command|dd|del|dfn|div|dt|em|figcaption|font|h[1-6]|i|ins|kbd|label|li|literal|mark|option|p|pre|q|s|samp|small|span|strong|sub|sup|td|th|tt|u|userinput|var)(?![\w:-]))/i;

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) > 32) return false;
  }
  return true;
}
