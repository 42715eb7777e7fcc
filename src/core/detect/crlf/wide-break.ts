import { charClass } from '../../text/char-class.ts';
import { lineGrammar } from '../../tokenise/lines.ts';
import type { ValueRule } from '../rule.ts';
import { fieldStrength, isKnownField } from './fields.ts';

/** The break itself is not ASCII; the rest of the usual fields is. */
const wideLiterals: readonly string[] = [
  'cookie:',
  'location:',
  'content-',
  'http/1.',
  'access-control-',
  '-encoding:',
  'x-xss-',
  'x-frame-',
  'refresh:',
  'x-forwarded',
  '-security',
  'bcc:',
];

/** U+560D U+560A, U+010D U+010A: characters that become CR LF where text is cut to bytes. */
export const wideBreak: ValueRule = {
  id: 'crlf.wide-break',
  category: 'crlf',
  cwe: 'CWE-113',
  severity: 'high',
  score: 90,
  message: 'breaks the line with characters that lose their upper byte on the way into the header',
  trigger: { classes: charClass.nonAscii, literals: [wideLiterals] },
  judge: (subject) => {
    const { text } = subject;
    for (const line of subject.tokens(lineGrammar).lines) {
      const code = text.charCodeAt(line.breakStart);
      if (code < 256) continue;
      const value = text.slice(line.valueStart, Math.min(line.end, line.valueStart + 120));
      if (
        fieldStrength(line.field, value) > 0 ||
        line.field === 'bcc' ||
        (code >>> 8 === 0x56 && isKnownField(line.field)) ||
        statusLine.test(text.slice(line.start, line.start + 12))
      ) {
        return { start: line.breakStart, end: line.end };
      }
    }
    return undefined;
  },
  examples: [
    'en\u560d\u560aSet-Cookie: a=b',
    'en\u010d\u010aSet-Cookie: a=b',
    '/x\u560a\u560dHTTP/1.1 302 Found',
    '%E5%98%8A%E5%98%8DLocation:%20//203.0.113.5',
    'anna@example.com\u560a\u560dBcc: list@example.org',
  ],
  lookalikes: ['\u560d\u560a\u4e00\u4e0b x-ray: ok', '\u5c0f\u660e Location: Tokyo'],
};

const statusLine = /^HTTP\/[012]/i;
