import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isAlnum } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `scriptalert(1)/script`: a script element that lost its brackets, or is spelled backwards. */
export const strippedMarkup: ValueRule = {
  id: 'xss.stripped-markup',
  severity: 'medium',
  score: confidence.likely,
  message: 'is a script element without its angle brackets, or one that is written backwards',
  trigger: {
    literals: [['/script', 'tpircs', 'trela', 'tpmorp(', 'mrifnoc', '=rorreno', '=daolno']],
  },
  judge: judgeStripped,
  examples: [
    'scriptalert(1)/script',
    '\u00ef\u00bcscript\u00ef\u00bealert(1)\u00ef\u00bc/script\u00ef\u00be',
    "')1(trela:tpircsavaj'.split('').reverse().join('')",
    'scriptdocument.title=1;/script',
  ],
  lookalikes: [
    'src/scripts/alert.js and test/script',
    'manuscript/script (see page 4)',
    'the script/script pair, "alert" and document.title',
    'Atrela is a village (trela)',
  ],
};

/** How such a script begins. */
const openings = wordList('alert confirm prompt eval( document. window. location print(');
const reversed = ['(trela', '(tpmorp', '(mrifnoc', ':tpircsavaj', '>tpircs', '=rorreno', '=daolno'];

/** Characters between the start tag and the end tag. */
const scriptCharsMax = 400;
/** Start tags that are tried. */
const triesMax = 4_096;

function judgeStripped(subject: Subject): Match | undefined {
  const text = subject.text.toLowerCase();
  for (const word of reversed) {
    const at = text.indexOf(word);
    if (at > 0 && text.lastIndexOf(')', at) >= Math.max(0, at - 40)) {
      return { start: Math.max(0, at - 20), end: at + word.length };
    }
  }
  let tries = 0;
  for (let at = text.indexOf('script'); at >= 0; at = text.indexOf('script', at + 6)) {
    const before = text.charAt(at - 1);
    if (before === '/' || before === '<') continue;
    const code = skipMarks(text, at + 6);
    if (!openings.some((one) => text.startsWith(one, code))) continue;
    if (tries++ >= triesMax) {
      subject.incomplete('tokens');
      break;
    }
    const rest = text.slice(code, code + scriptCharsMax);
    const end = rest.indexOf('/script');
    if (end < 0 || !(rest.includes('(') || rest.includes('='))) continue;
    if (rest.slice(0, end).includes(' ')) continue;
    return { start: at, end: code + end + 7 };
  }
  return undefined;
}

/** What a converter makes of an angle bracket: a few characters outside of ASCII. */
function skipMarks(text: string, from: number): number {
  let at = from;
  while (at < from + 4 && text.charCodeAt(at) >= 128 && !isAlnum(text.charCodeAt(at))) at++;
  return at;
}
