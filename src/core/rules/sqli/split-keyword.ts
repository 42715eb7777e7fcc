import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isLetter } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

const keywords = ['select', 'union', 'from', 'where'];

/** All ways to put one keyword into another: `selselectect`, `unifromon`. */
const nested: readonly string[] = keywords.flatMap((outer) =>
  keywords.flatMap((inner) => splitsOf(outer, inner)),
);

/** The keywords with an empty comment or tag inside, which a filter takes out. */
const commented: readonly string[] = ['select', 'union'].flatMap((word) => [
  ...splitsOf(word, '/**/'),
  ...splitsOf(word, '<>'),
]);

const literals: readonly string[] = [...nested, ...commented];

function splitsOf(word: string, inside: string): readonly string[] {
  return [...word.slice(1)].map((_, i) => word.slice(0, i + 1) + inside + word.slice(i + 1));
}

/** `uniunionon selselectect`, or a comment inside: keywords once a filter has taken its part. */
export const splitKeyword: ValueRule = {
  id: 'sqli.split-keyword',
  score: confidence.strong,
  message: 'hides a keyword of SQL in another or around a comment, for a filter to put together',
  trigger: { literals: [literals] },
  judge,
  examples: [
    ...["' seselectlect pin frfromom staff", '-1 uniunionon selselectect 1,2'],
    ...['1 uni/**/on sel/**/ect 5', '1 un<>ion sel<>ect 1,2'],
  ],
  lookalikes: [
    ...['reunion/**/selection', 'src/**/on-select.ts', 'selected unions', 'select<>union'],
    'un/ion',
  ],
};

/** Where the literal stands that the trigger has seen; what is found first is enough. */
function judge(subject: Subject): Match | undefined {
  const text = subject.text.toLowerCase();
  for (const literal of literals) {
    const start = text.indexOf(literal);
    const end = start + literal.length;
    if (start < 0 || isLetter(text.charCodeAt(start - 1))) continue;
    if (!isLetter(text.charCodeAt(end))) return { start, end };
  }
  return undefined;
}
