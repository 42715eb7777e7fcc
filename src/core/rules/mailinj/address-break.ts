import { isMessageMember, lineGrammar } from '../../grammars/http/lines.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `anna@example.com⏎QUIT`: an address, a line break and anything but further addresses. */
export const addressBreak: ValueRule = {
  id: 'mailinj.address-break',
  cwe: 'CWE-93',
  severity: 'high',
  score: confidence.likely,
  message: 'breaks the line behind an address, or a subject, that goes into the head of a mail',
  trigger: { classes: charClass.lineBreak },
  judge: (subject) => {
    const { text } = subject;
    if (subject.where === 'name') return undefined;
    const isSubject = subjectMember.test(subject.member.slice(-40));
    // Most texts of several lines begin with words.
    if (!isSubject && !beginsWithMailbox(subject)) return undefined;
    const { firstEnd, lines } = subject.tokens(lineGrammar);
    const line = lines[0];
    if (line === undefined) return undefined;
    const rest = text.slice(line.start, Math.min(line.end, line.start + 200));
    if (isSubject && line.afterBlank && bodyStart.test(rest))
      return { start: line.breakStart, end: line.end };
    const mailbox = mailboxOf(text.slice(0, Math.min(firstEnd, 200)));
    if (mailbox === null || listed.test(rest)) return undefined;
    // With a name, an address may also begin a signature or a list.
    if (line.field === '' && mailbox[1] !== '') return undefined;
    const isAddress = addressMember.test(subject.member.slice(-40));
    const isBroken = isAddress || isHead(subject, line.field);
    return isBroken
      ? { start: line.breakStart, end: line.end, score: confidence.likely }
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
    'anna@example.com (home)\r\nX-added: x',
    '(home) anna@example.com\nSubject: Offer',
    'Anna <anna@example.com (home)>\nX-added: x',
    { body: { name: 'ann" <anna <ann@example.com>>\r\nX-added: 1\r\n\r\nBuy' } },
    { body: { email: 'anna."lee"@example.com\nX-added: x' } },
    { body: { email: '"ann"@example.com>\r\n NOOP' } },
    { body: { name: 'ann" <ann@example.com>\r\nX-added: 1\r\nSubject: Offer\r\nX-b: "' } },
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
    { body: { from: 'Anna Smith <anna@example.com>\n\n-- \nAnna' } },
    { body: { contact: 'Anna Smith <anna@example.com>\nSubject to change' } },
    { body: { q: 'anna@example.com\nTel. 030 123456' } },
  ],
};

/** Members for one address; a program puts them into a header. */
const addressMember =
  /(?:^|[._\-[])(?:e-?mail|mail|from|sender|reply_?-?to|return_?-?path|recipient)(?:_?addr(?:ess)?)?\]?$/i;
const subjectMember = /(?:^|[._\-[])(?:subject|betreff)\]?$/i;
const firstLine = /^[^\r\n]{0,200}/;

function beginsWithMailbox({ text, classes }: Subject): boolean {
  if ((classes & charClass.at) === 0) return false;
  return mailboxOf(firstLine.exec(text)?.[0] ?? '') !== null;
}

/**
 * A mailbox (RFC 5322, 3.4): an address, with comments, and in angle brackets with a name before it,
 * which may also end the quotes that a program puts around it.
 */
function mailboxOf(first: string): RegExpExecArray | null {
  return first.includes('@') ? mailbox.exec(first.replace(comment, ' ')) : null;
}

const comment = /\([^()]{0,60}\)/g;
/** The name, if any, is its group. What stands before the at sign is words and quoted words. */
const mailbox =
  /^\s{0,4}((?:[\w.'-]{1,30}["\s<]{1,4}){0,4}|"[^"<>]{0,60}"\s{0,4})<{0,2}(?:[\w.+%'-]|"[\w .+%'-]{0,64}"){1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\s{0,4}>{0,2}\s{0,4}$/;

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

const mailField = /^(?:subject|sender|list-[a-z]{2,20}|x-[a-z][\w-]{0,40})$/;
const manyLines = /contact|address|recipients|emails|list|users|members|footer|imprint/i;
/** Another address of a list, or nothing that a head could hold. */
const listed = /^[^@\n:]{0,80}@[\w.-]{3,80}>?[\s,;]{0,4}$|^\s{0,200}$/;
const bodyStart = /^\s{0,8}(?:<[a-z!]|--\w)/i;
