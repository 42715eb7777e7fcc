import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `¼script¾`: angle brackets that appear when the page is read in another character set. */
export const shiftedMarkup: ValueRule = {
  id: 'xss.shifted-markup',
  score: confidence.strong,
  message: 'holds a script element whose brackets appear in another character set',
  trigger: { classes: charClass.nonAscii, literals: [['script']] },
  judge: judgeShifted,
  examples: [
    '\u00bcscript\u00begoto()\u00bc/script\u00be',
    '\u3c00script\u3e00go(1)\u3c00/script\u3e00',
    'x \u00bcSCRIPT src=//evil.test\u00be',
  ],
  lookalikes: [
    'Un quart (¼) du script est écrit, ¾ reste',
    'Das ¼-Skript: „script“ ¾ fertig',
    '«script»',
  ],
};

/**
 * `<` with its eighth bit set (US-ASCII, ISO-2022), and with its bytes the other way round
 * (UTF-16/32).
 */
const openers: ReadonlySet<number> = new Set([0xbc, 0x3c00]);
const closers: ReadonlySet<number> = new Set([0xbe, 0x3e00]);

/** Characters in which a start tag must end. */
const tagCharsMax = 120;

function judgeShifted(subject: Subject): Match | undefined {
  const text = subject.text.toLowerCase();
  for (let at = text.indexOf('script'); at >= 0; at = text.indexOf('script', at + 6)) {
    if (!openers.has(text.charCodeAt(at - 1))) continue;
    const limit = Math.min(text.length, at + tagCharsMax);
    for (let end = at + 6; end < limit; end++) {
      if (!closers.has(text.charCodeAt(end))) continue;
      return { start: at - 1, end: end + 1, score: confidence.strong };
    }
  }
  return undefined;
}
