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
    return strongestPath(subject, (word, place) => {
      if (inRequestPath && !word.url && word.climbs > 0) return 85;
      const score = scoreOf(word, place, single);
      if (score < 72) return score;
      if (returnsHome(word)) return 60;
      // What modules and documents refer to by a relative path.
      const isHonest =
        single < 72 ? isReference(subject.text, word) : isPicture(subject.text, word);
      return isHonest ? 60 : score;
    });
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
    '../../shared/utils.ts',
    '../../node_modules/.pnpm/a+b@1.2.3/node_modules/a.b/dist/index.js',
    'docs/../../LICENSE',
    '../../../../shared/components/Button.tsx',
    '..\\..\\packages\\ui\\index.ts',
    '../../assets/logo@2x.png',
    { body: { path: './charts/../app' } },
    { body: { src: '../icons/192.png' } },
    { body: { file: './src/../README.md' } },
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

/** A relative path to source, style, picture or documentation, in plain spelling. */
function isReference(text: string, word: PathWord): boolean {
  if (word.disguised || word.absolute || word.nul >= 0 || word.above > referenceStepsMax)
    return false;
  const from = Math.max(word.tail, word.end - referenceCharsMax);
  return reference.test(text.slice(from, word.end));
}

/** `./charts/../app`: up within the directory that it starts in, in plain spelling. */
function returnsHome(word: PathWord): boolean {
  const isPlain = !word.disguised && !word.absolute && !word.nameless && word.nul < 0;
  return isPlain && word.climbs > 0 && word.climbs < 4 && word.above <= 0 && word.wide === 0;
}

/** `../icons/192.png`: a picture, font or style beside the page. */
function isPicture(text: string, word: PathWord): boolean {
  if (word.disguised || word.absolute || word.nul >= 0 || word.above !== 1) return false;
  return picture.test(text.slice(Math.max(word.tail, word.end - referenceCharsMax), word.end));
}

const picture =
  /^(?:[\w@-][\w@.+-]{0,80}\/){0,8}[\w@.-]{1,60}\.(?:svg|png|jpe?g|gif|webp|avif|ico|woff2?|s?css)$/;
const referenceStepsMax = 5;
const referenceCharsMax = 120;
const reference =
  /^(?:(?:\.github|\.pnpm|[\w@][\w@.+-]{0,80})[\\/]){0,16}(?:tsconfig[\w.]{0,20}\.json|[\w@.-]{1,60}\.(?:[cm]?tsx?|[cm]?jsx?|vue|svelte|s?css|less|md|rst|adoc|svg|png|jpe?g|gif|webp|woff2?|ipynb)|README|LICENSE|CHANGELOG|CONTRIBUTING|Makefile)$/;
