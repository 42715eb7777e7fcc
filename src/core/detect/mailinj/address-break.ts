import { charClass } from '../../text/char-class.ts';
import { isMessageMember, lineGrammar } from '../../tokenise/lines.ts';
import type { ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';

/** `anna@example.com⏎QUIT`: an address, a line break and anything but further addresses. */
export const addressBreak: ValueRule = {
  id: 'mailinj.address-break',
  category: 'mailinj',
  cwe: 'CWE-93',
  severity: 'high',
  score: 76,
  message: 'breaks the line behind an address, or a subject, that goes into the head of a mail',
  trigger: { classes: charClass.lineBreak },
  judge: (subject) => {
    const { text } = subject;
    if (subject.where === 'name') return undefined;
    const isAddress = addressMember.test(subject.member.slice(-40));
    const isSubject = subjectMember.test(subject.member.slice(-40));
    // Most texts of several lines begin with words.
    if (!isSubject && !oneAddress.test(firstLine.exec(text)?.[0] ?? '')) return undefined;
    const { firstEnd, lines } = subject.tokens(lineGrammar);
    const line = lines[0];
    if (line === undefined) return undefined;
    const rest = text.slice(line.start, Math.min(line.end, line.start + 200));
    if (isSubject && line.afterBlank && bodyStart.test(rest))
      return { start: line.breakStart, end: line.end };
    if (!oneAddress.test(text.slice(0, Math.min(firstEnd, 200))) || listed.test(rest))
      return undefined;
    const isBroken = isAddress || isHead(subject, line.field);
    return isBroken
      ? { start: line.breakStart, end: line.end, score: isAddress ? 76 : 74 }
      : undefined;
  },
  examples: [
    { body: { email: 'anna@example.com\n\nBuy now at http://203.0.113.5/' } },
    { body: { from: 'anna@example.com\r\nList-Unsubscribe: <http://203.0.113.5>' } },
    { body: { reply_to: 'anna@example.com\r\nSubject: Re: invoice' } },
    { body: { email: 'anna@example.com\n Bcc: bob@example.org' } },
    { body: { subject: 'Offer\n\n<html>Buy</html>' } },
    'anna@example.com%0D%0A%0D%0ABuy now',
    'anna@example.com\r\nSubject: Offer\r\n\r\nHello',
    'anna@example.com\nX-Header: x',
    { body: { subject: 'Offer\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>x' } },
  ],
  lookalikes: [
    { body: { email: 'anna@example.com\n' } },
    { body: { email: 'anna@example.com\nbob@example.org\n' } },
    { body: { email: 'anna@example.com,\nBob Smith <bob@example.org>' } },
    { body: { contact: 'anna@example.com\nTel. 030 123456' } },
    { body: { email: 'From: anna@example.com\nTo: bob@example.org\n\nHi' } },
    { body: { subject: 'Minutes\n\nof Monday' } },
    { body: { raw: 'from=anna@example.com%0D%0ATel.%20030&send=1' } },
    { body: { emails: 'anna@example.com\nX-Files: a fan' } },
    { body: { q: 'anna@example.com\nTel. 030 123456' } },
  ],
};

/** Members for one address; a program puts them into a header. */
const addressMember =
  /(?:^|[._\-[])(?:e-?mail|mail|from|sender|reply_?-?to|return_?-?path|recipient)(?:_?addr(?:ess)?)?\]?$/i;
const subjectMember = /(?:^|[._\-[])(?:subject|betreff)\]?$/i;
const firstLine = /^[^\r\n]{0,200}/;
const oneAddress = /^\s{0,4}<?[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}>?\s{0,4}$/;
/**
 * In a member for anything: a field that only mails have, or a break that was encoded into the
 * value, which a form does not send so.
 */
function isHead(subject: Subject, field: string): boolean {
  if (isMessageMember(subject.member) || manyLines.test(subject.member)) return false;
  if (mailField.test(field)) return true;
  return subject.decoded.includes('percent') && !subject.decoded.some(isFormPart);
}

function isFormPart(step: string): boolean {
  return step.startsWith('form:') || step.startsWith('multipart:');
}

const mailField = /^(?:subject|sender|list-[a-z]{2,20}|x-[a-z]{2,20}(?:-[a-z]{2,20}){0,3})$/;
const manyLines = /contact|address|recipients|emails|list|users|members|footer|imprint/i;
/** Another address of a list, or nothing that a head could hold. */
const listed = /^[^@\n:]{0,80}@[\w.-]{3,80}>?[\s,;]{0,4}$|^\s{0,200}$/;
const bodyStart = /^\s{0,8}(?:<[a-z!]|--\w)/i;
