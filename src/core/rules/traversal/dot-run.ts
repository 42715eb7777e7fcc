import { type PathWord, plainPath } from '../../grammars/path/path.ts';
import { sensitivity, sensitivityOf } from '../../knowledge/sensitive-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isMention, type PathPlace, strongestPath } from '../../placement/path-place.ts';
import type { ValueRule } from '../rule.ts';

/** `/static/................etc/passwd`: what a filter leaves that cuts out separators. */
export const dotRun: ValueRule = {
  id: 'traversal.dot-run',
  severity: 'medium',
  score: confidence.strong,
  message: 'leads to a file by a long run of dots, the remains of a climb',
  trigger: { literals: [['......', '%2e%2e%2e%2e', 'x2ex2e']] },
  judge: (subject) => strongestPath(subject, (word, place) => scoreOf(subject.text, word, place)),
  examples: ['/static/..............etc/passwd', '/aaaa................{file}'],
  lookalikes: ['Chapter 1 ........ 12', 'Introduction............3/4', 'Hmmmm......../ok'],
};

function scoreOf(text: string, word: PathWord, place: PathPlace): number {
  if (word.dotRun < 6 || isMention(place)) return 0;
  const plain = plainPath(text, word, Math.max(word.start, word.end - tailCharsMax));
  const cut = plain.slice(plain.lastIndexOf('......'));
  return (cut.startsWith('......') && gluedFile.test(cut)) ||
    sensitivityOf(cut) >= sensitivity.system
    ? confidence.strong
    : confidence.trace;
}

const tailCharsMax = 100;

/** A file name that has lost its separators as well. */
const gluedFile = /(?:passwd|shadow|\.ini|\.xml|\.conf)$/;
