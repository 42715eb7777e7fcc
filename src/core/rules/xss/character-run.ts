import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, hexValue, isAlnum } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `&#39;&#88;&#83;&#83;&#39;&#41;`: letters that need no reference, and the marks of a script. */
export const characterRun: ValueRule = {
  id: 'xss.character-run',
  severity: 'medium',
  score: confidence.likely,
  message: 'spells a piece of script or a script URL with character references',
  trigger: {
    classes: charClass.ampersand | charClass.hash | charClass.digit,
    literals: [['&#', '>#']],
  },
  judge: judgeRuns,
  examples: [
    '&<wbr>#x27&#x61&#x62&#x63&#x27&#x29>',
    '<a href=&#106;&#97;&#118;&#97;&<WBR>#115;&#99;&#114;&#105;&#112;&#116;&#58;x',
    '&#38&#35&#49&#48&#54&#59;',
  ],
  lookalikes: [
    '&#109;&#97;&#105;&#108;&#116;&#111;&#58;&#97;&#64;&#98;&#46;&#99;&#111;&#109;',
    'It&#39;s &#40;really&#41; &#72;ello',
    '&#20013;&#22269;&#65288;&#25945;&#65289; &#8220;x&#8221;',
    'issues &#12, &#13 and &#14; R&D #1',
  ],
};

/** References of a run that are looked at together. */
const runMax = 64;
const runMin = 5;

function judgeRuns(subject: Subject): Match | undefined {
  const { text } = subject;
  let at = text.indexOf('&');
  while (at >= 0) {
    const run = readRun(text, at);
    if (run.count >= runMin && isScript(run.decoded)) return { start: at, end: run.end };
    at = text.indexOf('&', Math.max(run.end, at + 1));
  }
  return undefined;
}

interface Run {
  readonly decoded: string;
  readonly count: number;
  readonly end: number;
}

/** Reads references that follow one another directly; `<wbr>` inside of one was added by a page. */
function readRun(text: string, start: number): Run {
  let decoded = '';
  let count = 0;
  let end = start;
  while (count < runMax && text.charCodeAt(end) === 38) {
    const hash = text.charCodeAt(end + 1) === 60 ? end + 6 : end + 1;
    if (text.charCodeAt(hash) !== 35) break;
    const isHex = (text.charCodeAt(hash + 1) | 32) === 120;
    let at = hash + (isHex ? 2 : 1);
    const digits = at;
    let code = 0;
    for (; at < digits + 8; at++) {
      const value = hexValue(text.charCodeAt(at));
      if (value < 0 || (!isHex && value > 9)) break;
      code = code * (isHex ? 16 : 10) + value;
    }
    if (at === digits) break;
    decoded += code < 128 ? String.fromCharCode(code) : '\u00ff';
    count++;
    end = text.charCodeAt(at) === 59 ? at + 1 : at;
  }
  return { decoded, count, end };
}

/**
 * Two letters or more with brackets or quotation marks, a script URL, or references to references.
 */
function isScript(decoded: string): boolean {
  if (decoded.includes(' ')) return false;
  if (decoded.includes('&#') || decoded.toLowerCase().includes('script:')) return true;
  let letters = 0;
  let marks = 0;
  for (let i = 0; i < decoded.length; i++) {
    const code = decoded.charCodeAt(i);
    if (isAlnum(code)) letters++;
    else if (scriptMarks.has(code)) marks++;
  }
  return letters >= 2 && marks >= 1;
}

/** Brackets, quotation marks and the backslash; a mail address has none of them. */
const scriptMarks: ReadonlySet<number> = new Set(
  [...'()<>\'"`\\=;'].map((one) => one.charCodeAt(0)),
);
