import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `$IFS` between words, where no script is being written. */
export const fieldSeparator: ValueRule = {
  id: 'cmdi.field-separator',
  score: confidence.certain,
  message: 'writes blanks as $IFS, which only hides a command',
  trigger: { classes: charClass.dollar, literals: [['$ifs', '${ifs', '{ifs']] },
  judge,
  examples: [
    'cat$IFS/etc/hosts',
    'ping${IFS}-c${IFS}3${IFS}x.example',
    'x;foo$IFS$9bar',
    "a';b${IFS%??}c",
  ],
  lookalikes: [
    'OLDIFS=$IFS; IFS=:',
    'The variable $IFS holds the field separators',
    'set -- $IFS',
    'what does "$IFS" mean?',
  ],
};

/** A letter before and something to pass after: `word$IFS…`. */
function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  for (const match of text.matchAll(fieldVariable)) {
    const dollar = match.index;
    if (!glues(text.charCodeAt(dollar - 1))) continue;
    const end = dollar + match[0].length;
    const next = text.charCodeAt(end);
    if (next > 32 && !closers.includes(next)) {
      return { start: wordStart(text, dollar), end: Math.min(text.length, end + 24) };
    }
  }
  return undefined;
}

const fieldVariable = /\$(?:\{ifs[^}\n]{0,12}\}|ifs)/gi;

/** `" ' ) ; ,` and the full stop */
const closers: readonly number[] = [34, 39, 41, 59, 44, 46];

/** A character that ends a word of a command: letter, digit, quote, closing bracket. */
function glues(code: number): boolean {
  return isAlnum(code) || code === 34 || code === 39 || code === 41 || code === 125;
}

function wordStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < 24 && isAlnum(text.charCodeAt(at - 1))) at--;
  return at;
}
