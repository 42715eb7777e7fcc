import { climbTrigger } from '../../grammars/path/climb-trigger.ts';
import { type PathWord, plainPath } from '../../grammars/path/path.ts';
import { sensitivity, sensitivityOf } from '../../knowledge/sensitive-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isMention, type PathPlace, strongestPath } from '../../placement/path-place.ts';
import type { Subject } from '../../placement/subject.ts';
import type { ValueRule } from '../rule.ts';

/** `../` in front of a file that is worth reading. */
export const climbToFile: ValueRule = {
  id: 'traversal.climb-to-file',
  severity: 'critical',
  score: confidence.certain,
  message: 'climbs to a file that holds secrets or settings',
  trigger: climbTrigger,
  judge: (subject) => strongestPath(subject, (word, place) => scoreOf(subject, word, place)),
  examples: [
    ...['../../../../etc/passwd', '..\\..\\windows\\win.ini', '....//....//etc/shadow', '../.env'],
    ...['/var/www/images/../../../proc/self/environ', '../.env?words of a query', '../.env# '],
    ...['x.png?f=../web.config', '/view?tpl=.../.../.../etc/group', '0x2e0x2e0x2fetc0x2fpasswd'],
    ...['..2f..2f..2fetc2fhosts', '.%00./.%00./etc/issue', '‥/‥/etc/issue', '‥/.env'],
    '資料資料資料資料資料資料資料資料/．．／..／.env',
  ],
  lookalikes: [
    ...['the config lives in [config](../config.md)', '<a href="../etc/readme.html">etc.</a>'],
    ...["require('../package.json')", 'we moved ../settings.py into the package', '昨日‥/.envの話'],
    ...[
      '../docs/handbook.pdf',
      '等等．．稍后／明天再看／.env里写',
      'C:\\Program Files\\App\\..\\Common\\a.dll',
    ],
  ],
};

function scoreOf(subject: Subject, word: PathWord, place: PathPlace): number {
  if (word.climbs + word.wide === 0) return 0;
  switch (sensitivityOf(plainPath(subject.text, word))) {
    case sensitivity.none:
      return 0;
    case sensitivity.classic:
      return scoreOfClassic(word, isMention(place));
    case sensitivity.system:
      return scoreOfSystem(word, isMention(place));
    default:
      return isMention(place) ? confidence.trace : scoreOfSetting(word);
  }
}

function scoreOfClassic({ climbs }: PathWord, isMentioned: boolean): number {
  if (climbs < 2) return isMentioned ? confidence.hint : confidence.strong;
  return isMentioned && climbs === 2 ? confidence.strong : confidence.certain;
}

function scoreOfSystem({ climbs, wide }: PathWord, isMentioned: boolean): number {
  if (isMentioned) return climbs >= 4 ? confidence.strong : confidence.trace;
  return climbs + wide >= 2 ? confidence.certain : confidence.strong;
}

/** Settings and programs of an application. */
function scoreOfSetting(word: PathWord): number {
  if (word.climbs >= 2 || word.disguised) return confidence.strong;
  // Installers and compilers write `C:\\Tools\\bin\\..\\lib\\a.dll`.
  if (word.absolute && word.above === 0) return confidence.hint;
  return word.climbs === 1 ? confidence.likely : confidence.trace;
}
