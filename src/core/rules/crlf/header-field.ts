import {
  behindBreak,
  fieldsBehindFirst,
  type Line,
  lineGrammar,
  valueOfField,
} from '../../grammars/http/lines.ts';
import { fieldLiterals, fieldStrength, isKnownField } from '../../knowledge/header-fields.ts';
import {
  type BreakOrigin,
  breakOriginOf,
  isEncoded,
  mayBeLine,
} from '../../placement/break-origin.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `x%0d%0aSet-Cookie: …`: a header field behind a line break. */
export const headerField: ValueRule = {
  id: 'crlf.header-field',
  score: confidence.certain,
  message: 'breaks the line and continues with a header field of its own',
  trigger: {
    classes: charClass.lineBreak | charClass.colon,
    literals: [behindBreak(fieldLiterals)],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    let origin: BreakOrigin | undefined;
    let best: Match | undefined;
    let fields = 0;
    for (const line of fieldsBehindFirst(subject.text, reading)) {
      const strength = strengthOf(subject, line);
      if (strength === 0) continue;
      origin ??= breakOriginOf(subject, reading.firstEnd);
      if (strength === 2 || line.field.includes('-')) fields++;
      const isRow =
        fields > 0 && best !== undefined && wordAndBreak.test(subject.text.slice(0, 80));
      const isCut =
        isRow ||
        (origin === 'head' && line.field.includes('-')) ||
        (strength === 1 &&
          line.field.startsWith('x-') &&
          pathAndBreak.test(subject.text.slice(0, 200)));
      const score = Math.max(scores[origin][strength - 1] ?? 0, isCut ? cutScore(origin) : 0);
      if (score > (best?.score ?? 0)) best = { start: line.breakStart, end: line.end, score };
    }
    return best;
  },
  examples: [
    'en%0d%0aSet-Cookie: admin=1',
    '/home\r\nLocation: https://203.0.113.5/',
    'a%0aContent-Type: text/html%0a%0a<b>hi</b>',
    '\r\nAccess-Control-Allow-Origin: *',
    'x\\r\\nX-XSS-Protection: 0',
    '/home\r\nX-Added: yes',
    'GET / HTTP/1.1%0d%0aHost: intranet',
    'a%0d%0aContent-Length:%200%0d%0a%0d%0aHTTP/1.1%20200%20OK',
    { body: { 'X-Note: 1\r\nSet-Cookie: role': 'admin' } },
    { body: { tag: 'en\r\nX-Cache-Key: /home' } },
    { body: { 'query.meta': 'color: \t1\r\nContent-Security-Policy: default-src *' } },
    { body: { 'query.next': 'we all meet here on this day\r\nSet-Cookie: admin=1' } },
    { body: { redirect: '> quoted\r\nLocation: https://203.0.113.5/' } },
    { body: { url: 'Note: x%0d%0aSet-Cookie: admin=1' } },
    { body: { tag: 'en\r\nETag: a\r\nCache-Control: public' } },
    { body: { next: 'it came too late, and we all went home\r\nCache-Control: public' } },
  ],
  lookalikes: [
    'Dear all,\r\nwe meet on Friday.\r\nLocation: room 5\r\nDate: tomorrow',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\nHello',
    'GET / HTTP/1.1\nHost: www.example.com\nX-Forwarded-For: 203.0.113.5',
    'Content-Type: text/plain\nX-Mailer: Example',
    { body: { comment: 'My server sends\nContent-Type: text/html\nbut it should be plain text.' } },
    '$ curl -sI https://www.example.com/\nlocation: /en\nset-cookie: a=b',
    { body: { raw: 'name=Anna&comment=Hello%0D%0ALocation:%20/room/5&send=1' } },
    'title: Notes\nlink: https://www.example.com/\nstatus: draft',
    '--boundary\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain\r\n\r\nx',
    {
      body: {
        url: 'https://www.example.com/new?details=We all meet on Friday at noon%0ALocation: https://www.example.com/',
      },
    },
    { body: { description: 'Note: x\nLocation: /room/5' } },
    { body: { title: 'Hello\r\nX-mas: a party' } },
    { body: { title: 'Wines\r\nOrigin: Bordeaux\r\nAge: 12' } },
  ],
};

function strengthOf({ text, where }: Subject, line: Line): number {
  const strength = fieldStrength(line.field, valueOfField(text, line));
  return strength === 0 && where === 'name' && isKnownField(line.field) ? 1 : strength;
}

/**
 * By origin of the break: for a field that only servers send, and for one that text may hold as
 * well.
 */
const scores: Readonly<Record<BreakOrigin, readonly [number, number]>> = {
  encoded: [confidence.likely, confidence.certain],
  line: [confidence.likely, confidence.certain],
  escaped: [confidence.hint, confidence.strong],
  head: [confidence.hint, confidence.strong],
  plain: [confidence.hint, confidence.strong],
  message: [confidence.trace, confidence.hint],
  document: [confidence.trace, confidence.trace],
};

/**
 * A path, a word or nothing in front of CR LF and `X-…:` is a value that goes into a header; so is
 * a word in front of two fields.
 */
function cutScore(origin: BreakOrigin): number {
  return origin === 'message' || origin === 'document' ? confidence.trace : confidence.likely;
}

const pathAndBreak = /^(?:\/[^\s]{0,180})?\r\n[Xx]-|^[\w.:=-]{1,60}\r\nX-[A-Z][\w-]{2,40}: /;

const wordAndBreak = /^[\w./:=-]{0,60}\r\n[A-Z]/;

/** `x%0d%0aService-Worker-Allowed: /`, `x%0d%0a%20Set-Cookie: …`: a rare field, or a folded one. */
export const hiddenField: ValueRule = {
  id: 'crlf.hidden-field',
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
