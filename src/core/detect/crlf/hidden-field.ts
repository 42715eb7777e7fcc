import { charClass } from '../../text/char-class.ts';
import { type Line, lineGrammar } from '../../tokenise/lines.ts';
import type { ValueRule } from '../rule.ts';
import { breakOriginOf } from './context.ts';
import { fieldStrength } from './fields.ts';

/** `x%0d%0aService-Worker-Allowed: /`, `x%0d%0a%20Set-Cookie: …`: a rare field, or a folded one. */
export const hiddenField: ValueRule = {
  id: 'crlf.hidden-field',
  category: 'crlf',
  cwe: 'CWE-113',
  severity: 'high',
  score: 76,
  message: 'breaks the line with encoded characters and continues with a field that no list knows',
  trigger: { classes: charClass.lineBreak | charClass.colon },
  judge: (subject) => {
    const { text, decoded } = subject;
    if (!decoded.includes('percent')) return undefined;
    const { firstEnd, lines } = subject.tokens(lineGrammar);
    const line = lines[0];
    if (line === undefined || line.field === '') return undefined;
    const score = scoreOf(text, line, firstEnd);
    if (score === 0 || breakOriginOf(subject, firstEnd) !== 'encoded') return undefined;
    return { start: line.breakStart, end: line.end, score };
  },
  examples: [
    'en%0d%0aService-Worker-Allowed:%20/',
    'en%0d%0a%20Set-Cookie:%20admin=1',
    '%0aHeader-Test:yes',
    '%23%0dSet-Cookie:admin',
    'en%0d%0aSourceMap-Base:%20//203.0.113.5',
    '/home%0d%0a%09Location:%20//203.0.113.5',
  ],
  lookalikes: [
    'Check-in\r\nE-mail: anna@example.com',
    'Hello%20Anna%0D%0ACheck-in:%204%20pm',
    { body: { raw: 'message=Hi%0D%0AE-Mail:%20x&send=1' } },
    'Room-Service\nCheck-In: 4 pm',
  ],
};

function scoreOf(text: string, line: Line, firstEnd: number): number {
  const value = text.slice(line.valueStart, Math.min(line.end, line.valueStart + valueCharsMax));
  const code = text.charCodeAt(line.start);
  if ((code === 32 || code === 9) && fieldStrength(line.field, value) === 2) return 80;
  if (line.field === 'set-cookie') return 76;
  // A line feed at the very start, and a field that says nothing to a reader: `%0aHeader-Test:x`.
  if (firstEnd === 0 && tightField.test(text.slice(line.start, line.start + nameCharsMax)))
    return 76;
  // CR LF, as only HTTP writes it, behind a word and in front of `Two-Words:`.
  const isPair = text.charCodeAt(line.breakStart) === 13 && line.start - line.breakStart === 2;
  if (!isPair || text.slice(0, firstEnd).includes(' ')) return 0;
  return fieldName.test(text.slice(line.start, line.start + nameCharsMax)) ? 76 : 0;
}

const valueCharsMax = 120;
const nameCharsMax = 60;
const tightField = /^[A-Z][A-Za-z\d]{2,20}(?:-[A-Z][A-Za-z\d]{1,20}){1,4}:[\w/]/;
const fieldName = /^[A-Z][A-Za-z\d]{2,20}(?:-[A-Z][A-Za-z\d]{1,20}){1,4}: ?\S/;
