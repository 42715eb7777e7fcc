import { type Line, lineGrammar, valueOfField } from '../../grammars/http/lines.ts';
import { fieldStrength } from '../../knowledge/header-fields.ts';
import { breakOriginOf, isEncoded, mayBeLine } from '../../placement/break-origin.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `x%0d%0aService-Worker-Allowed: /`, `x%0d%0a%20Set-Cookie: …`: a rare field, or a folded one. */
export const hiddenField: ValueRule = {
  id: 'crlf.hidden-field',
  cwe: 'CWE-113',
  severity: 'high',
  score: confidence.likely,
  message: 'breaks the line of a header and continues with a field that no list knows',
  trigger: { classes: charClass.lineBreak | charClass.colon },
  judge: (subject) => {
    const { text, decoded } = subject;
    const isPlain = decoded.length === 0;
    if (isPlain ? !mayBeLine(subject) : !decoded.includes('percent')) return undefined;
    const { firstEnd, lines } = subject.tokens(lineGrammar);
    const line = lines[0];
    if (line === undefined || line.field === '') return undefined;
    const origin = breakOriginOf(subject, firstEnd);
    if (origin === 'line' && isHeadField(text, line, firstEnd))
      return { start: line.breakStart, end: line.end };
    const score = isPlain || !isEncoded(origin) ? 0 : scoreOf(text, line, firstEnd);
    return score === 0 ? undefined : { start: line.breakStart, end: line.end, score };
  },
  examples: [
    'en%0d%0aService-Worker-Allowed:%20/',
    'en%0d%0a%20Set-Cookie:%20admin=1',
    '%0aHeader-Test:yes',
    { body: { 'query.next': '/home\nn: 0' } },
    { body: { user: 'ann\r\nX-A:\r\n b' } },
    '%23%0dSet-Cookie:admin',
    'en%0d%0aSourceMap-Base:%20//203.0.113.5',
    '/home%0d%0a%09Location:%20//203.0.113.5',
    { body: { 'query.lang': 'en%0Ak:%201' } },
    { body: { 'query.next': 'https://www.example.com/%0av: 0' } },
    { body: { email: 'ann lee\r\nX-added: yes' } },
    { body: { 'query.next': '17 x; /home\r\nX-added:\r\n 1' } },
  ],
  lookalikes: [
    { body: { 'query.url': 'https://www.example.com/share?text=Hello%0AName:%20Anna' } },
    { body: { 'query.item': 'We meet on Friday.\nPlace: room 5' } },
    { body: { email: 'Anna Smith writes,\nTel: 030' } },
    { body: { redirect: 'Fix the menu\n\nRef: #17' } },
    { body: { next: '<p>Hello</p>\nTel: 030' } },
    { body: { filename: 'the latest\nhttp://www.example.com/17' } },
    'Check-in\r\nE-mail: anna@example.com',
    'Hello%20Anna%0D%0ACheck-in:%204%20pm',
    { body: { raw: 'message=Hi%0D%0AE-Mail:%20x&send=1' } },
    'Room-Service\nCheck-In: 4 pm',
    { body: { 'query.comment': 'Anna\nTel: 030' } },
    { body: { 'query.q': 'TypeError\nat: main' } },
    { body: { name: 'Anna\nTel: 030' } },
    { body: { users: [{ id: 'a\nb: c', meta: { id: 'a\nb: c' } }] } },
  ],
};

/** The trailers of a text stand behind a blank line, and an address is no field. */
function isHeadField(text: string, line: Line, firstEnd: number): boolean {
  if (text.charCodeAt(line.start) <= 32 || text.startsWith('://', line.valueStart - 1))
    return false;
  return !line.afterBlank || !text.slice(0, firstEnd).includes(' ');
}

function scoreOf(text: string, line: Line, firstEnd: number): number {
  const value = valueOfField(text, line);
  const code = text.charCodeAt(line.start);
  if ((code === 32 || code === 9) && fieldStrength(line.field, value) === 2)
    return confidence.strong;
  if (line.field === 'set-cookie') return confidence.likely;
  // A line feed at the very start, and a field that says nothing to a reader: `%0aHeader-Test:x`.
  if (firstEnd === 0 && tightField.test(text.slice(line.start, line.start + nameCharsMax)))
    return confidence.likely;
  // CR LF, as only HTTP writes it, behind a word and in front of `Two-Words:`.
  const isPair = text.charCodeAt(line.breakStart) === 13 && line.start - line.breakStart === 2;
  if (!isPair || text.slice(0, firstEnd).includes(' ')) return 0;
  return fieldName.test(text.slice(line.start, line.start + nameCharsMax)) ? confidence.likely : 0;
}

const nameCharsMax = 60;
const tightField = /^[A-Z][A-Za-z\d]{2,20}(?:-[A-Z][A-Za-z\d]{1,20}){1,4}:[\w/]/;
const fieldName = /^[A-Z][A-Za-z\d]{2,20}(?:-[A-Z][A-Za-z\d]{1,20}){1,4}: ?\S/;
