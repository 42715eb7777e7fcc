import type { PathPlace, PathWord } from '../../tokenise/path.ts';
import type { ValueRule } from '../rule.ts';
import { climbTrigger } from './climb-trigger.ts';
import { isPathMember, isRequestPath, strongestPath } from './place.ts';

/** `../../..`: out of the directory that the application meant. */
export const climb: ValueRule = {
  id: 'traversal.climb',
  category: 'traversal',
  cwe: 'CWE-22',
  severity: 'high',
  score: 90,
  message: 'climbs out of the directory that the path starts in',
  trigger: climbTrigger,
  judge: (subject) => {
    const inRequestPath = isRequestPath(subject);
    const single = isPathMember(subject) ? 72 : 60;
    return strongestPath(subject, (word, place) =>
      inRequestPath && !word.url && word.climbs > 0 ? 85 : scoreOf(word, place, single),
    );
  },
  examples: [
    '../../../srv/data/report',
    'images/../../../../opt/app',
    '..\\..\\..\\inetpub',
    '....//....//....//data',
    '/download?name=../../../../tmp/x',
    { body: { method: 'GET', path: '/static/../admin/users' } },
  ],
  lookalikes: [
    'see [the guide](../guide/intro.md) and [limits](../../reference/limits.md)',
    "import { x } from '../../lib/x.ts'",
    '<img src="../../images/logo.png" alt="">',
    'Wait.../ what /.../ then',
    { body: { note: '../images/photo.jpg' } },
    'the linker got /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/crt1.o twice',
  ],
};

/** `single` is for one step up that is the whole value. */
function scoreOf(word: PathWord, place: PathPlace, single: number): number {
  if (word.climbs === 0) return scoreOfWide(word, place);
  if (place === 'quoted') return word.above >= 6 ? 75 : 40;
  if (word.above >= 3) return place === 'prose' && word.above < 5 ? 72 : 91;
  if (place === 'prose') return word.above === 2 ? 55 : 30;
  if (word.above === 2) return 80;
  if (word.climbs >= 2) return 74;
  if (place !== 'whole') return 45;
  // `..\\`, `/..//`: no honest relative path.
  return word.nameless && (word.absolute || word.end - word.start > 3) ? 72 : single;
}

function scoreOfWide(word: PathWord, place: PathPlace): number {
  if (place === 'prose' || place === 'quoted') return 0;
  if (word.wide >= 3) return 78;
  return word.nameless && word.wide > 0 && word.dotRun > 3 && word.absolute ? 70 : 0;
}
