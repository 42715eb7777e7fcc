import type { PathPlace, PathWord } from '../../tokenise/path.ts';
import type { ValueRule } from '../rule.ts';
import { climbTrigger } from './climb-trigger.ts';
import { strongestPath } from './place.ts';

/** A step up whose dots or separators are spelt to pass a filter. */
export const disguisedClimb: ValueRule = {
  id: 'traversal.disguised-climb',
  category: 'traversal',
  cwe: 'CWE-22',
  severity: 'high',
  score: 85,
  message: 'spells a step up the directory tree so that a filter misses it',
  trigger: climbTrigger,
  judge: (subject) => strongestPath(subject, scoreOf),
  examples: [
    '....//....//',
    '..././..././',
    '0x2e0x2e0x2fdata',
    '..%c0%qfreports',
    '%%32%65%%32%65%%32%66data',
    '..%bg%qf..%bg%qf',
    '.?%c0%9v.?%c0%9vdata',
  ],
  lookalikes: [
    'Loading..../done',
    'maybe.../perhaps',
    'offset 0x2e, length 0x2f',
    'rated ..../5 stars',
    '100%off%sale',
    { body: { password: 'qT$7.gd^N;[0=.?\\"t^Go6a' } },
  ],
};

function scoreOf(word: PathWord, place: PathPlace): number {
  if (!word.disguised || word.climbs === 0) return 0;
  if (place === 'prose' || place === 'quoted') return word.climbs >= 2 ? 75 : 45;
  if (word.climbs >= 2) return 90;
  // Three odd characters are part of a password sooner than a path.
  return word.end - word.start <= 3 && place !== 'whole' ? 50 : 80;
}
