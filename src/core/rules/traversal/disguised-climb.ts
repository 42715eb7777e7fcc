import { climbTrigger } from '../../grammars/path/climb-trigger.ts';
import type { PathWord } from '../../grammars/path/path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isMention, type PathPlace, strongestPath } from '../../placement/path-place.ts';
import type { ValueRule } from '../rule.ts';

/** A step up whose dots or separators are spelt to pass a filter. */
export const disguisedClimb: ValueRule = {
  id: 'traversal.disguised-climb',
  score: confidence.strong,
  message: 'spells a step up the directory tree so that a filter misses it',
  trigger: climbTrigger,
  judge: (subject) =>
    strongestPath(subject, (word, place) => {
      const score = scoreOf(word, place);
      if (score === 0) return 0;
      const { text } = subject;
      const isShown = isSearched(text, word) || isPattern(text, word);
      return isShown ? Math.min(score, confidence.hint) : score;
    }),
  examples: [
    ...['....//....//', '..././..././', '0x2e0x2e0x2fdata', '..%c0%qfreports', '..%bg%qf..%bg%qf'],
    ...['%%32%65%%32%65%%32%66data', '.?%c0%9v.?%c0%9vdata', '.\u0003./config/app.json'],
    ...['..¥..%252f..%252fapp/key', '..¥..0x2f..0x2fapp0x2fdata', '.\u007f\u0001.\u0002/data'],
    ...['..\u0148..%c0%af..%c0%afapp/key', '\\\u2026..\\\\\\\u2026..\\data'],
  ],
  lookalikes: [
    ...[
      'Loading..../done',
      'maybe.../perhaps',
      '100 €..£200, 昨日..／今日',
      'offset 0x2e, length 0x2f',
    ],
    ...['rated ..../5 stars', '-?\\d+\\.?\\d*([eE][-+]\\d+)?', '100%off%sale'],
    'https://example.com/search?q=..%2F+relative+path+in+node',
    { body: { password: 'qT$7.gd^N;[0=.?\\"t^Go6a' } },
  ],
};

/**
 * `http…?q=..%2F+relative+path`: one step up that a search holds, in the address of its page. A
 * parameter escapes the separator, and the address in another's parameter does so twice.
 */
function isSearched(text: string, word: PathWord): boolean {
  if (word.climbs > 1 || !text.includes('http')) return false;
  return searched.test(text.slice(Math.max(0, word.start - 8), word.start + searchedChars));
}

const searchedChars = 60;
const searched =
  /(?:=|%(?:25){0,2}3D)\.\.%(?:25){0,2}2F(?:(?:\+|%(?:25){0,3}(?:20|2B))[A-Za-z]{2,20}){2}/i;

/** `\d+\.?\d*`: a number to a regular expression. Windows has no asterisk in a name. */
function isPattern(text: string, { climbs, start, end }: PathWord): boolean {
  return climbs === 1 && digits.test(text.slice(Math.max(0, start - 8), end + 3));
}

const digits = /\\d(?:[+*]|\{[\d,]{1,5}\})\)?(?:\(\??:?|\[)?\\\.\??\]?\??\\d[+*{]/;

function scoreOf(word: PathWord, place: PathPlace): number {
  if (!word.disguised || word.climbs === 0) return 0;
  if (isMention(place)) return word.climbs >= 2 ? confidence.likely : confidence.trace;
  if (word.climbs >= 2) return confidence.certain;
  // Three odd characters are part of a password sooner than a path.
  return word.end - word.start <= 3 && place !== 'whole' ? confidence.hint : confidence.strong;
}
