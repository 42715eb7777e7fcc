import {
  type PathPlace,
  type PathReading,
  type PathWord,
  pathGrammar,
  placeOf,
} from '../grammars/path/path.ts';
import type { Match } from '../rules/rule.ts';
import { strongest } from './evidence.ts';
import type { Subject } from './subject.ts';

/**
 * The strongest match over the paths of a subject; `scoreOf` says 0 where a path is no evidence.
 */
export function strongestPath(
  subject: Subject,
  scoreOf: (word: PathWord, place: PathPlace) => number,
): Match | undefined {
  const reading: PathReading = subject.tokens(pathGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  return strongest(reading.words, (word) =>
    scoreOf(word, placeOf(subject.text, subject.classes, word)),
  );
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
