import { behindBreak, type Line, lineGrammar, valueOfField } from '../../grammars/http/lines.ts';
import { breakWeight, fieldsOf, strongestLine } from '../../placement/break-weight.ts';
import { confidence, levelOf } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordMap } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

const strengths = wordMap<number>(
  [
    confidence.certain,
    'bcc cc resent-to resent-bcc apparently-to disposition-notification-to return-receipt-to',
  ],
  [confidence.strong, 'to reply-to return-path errors-to from sender'],
);

/** `name%0aBcc: list@…`: a recipient that the form did not ask for. */
export const recipient: ValueRule = {
  id: 'mailinj.recipient',
  score: confidence.certain,
  message: 'breaks the line inside a mail header and adds a recipient',
  trigger: {
    classes: charClass.lineBreak | charClass.colon | charClass.at,
    literals: [behindBreak([...strengths.keys()])],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    return strongestLine(fieldsOf(subject, reading), (line) => {
      const strength = strengthOf(subject, line);
      return strength === 0 ? 0 : levelOf(strength * breakWeight(subject, reading.firstEnd));
    });
  },
  examples: [
    'Anna%0aBcc: list@example.org',
    'Anna\r\nCc:\r\n "list"@example.org',
    'anna@example.com\r\nCc: a@example.org, b@example.org',
    'Hello\\nTo: list@example.org',
    { body: { subject: 'Order\r\n\r\nBcc: list@example.org' } },
    'Hello\r\n there\r\nBcc: list@example.org',
    { body: { subject: 'Re: our plan\r\nBcc: list@example.org' } },
    { body: { reply_to: `${'x'.repeat(170)}\nBcc: list@example.org` } },
    { body: { comment: 'anna@example.com\nBcc: list@example.org' } },
    { body: { subject: 'Here it is:\n```\nOrder\nBcc: list@example.org' } },
    { body: { email: `${'It came too late. '.repeat(20)}\nBcc: list@example.org` } },
  ],
  lookalikes: [
    'From: Anna <anna@example.com>\nTo: Bob <bob@example.com>\nCc: carl@example.com\nSubject: Hi',
    { body: { message: 'Hi,\nplease send it again\nTo: anna@example.com\nThanks' } },
    { body: { note: 'anna@example.com\nFrom: Leeds\nTo: York' } },
    'Minutes\nCc: everybody in the team',
    { body: { email: 'From: Anna <anna@example.com>\nTo: Bob <bob@example.com>\n\nHi' } },
    'RSVP\nTo: anna@example.com by Friday',
    '> quoted\n> To: anna@example.com',
    { body: { raw: 'subject=Trip&message=Hi%0D%0ACc:%20bob@example.com%0D%0A&send=1' } },
  ],
};

function strengthOf(subject: Subject, line: Line): number {
  const strength = strengths.get(line.field);
  if (strength === undefined) return 0;
  const value = subject.text.slice(line.valueStart, Math.min(line.end, line.valueStart + 300));
  const found = mailAddress.exec(value);
  if (found === null) return 0;
  // `To: anna@example.com by Friday`
  const isSentence = words.test(value.slice(found.index + found[0].length));
  return isSentence ? levelOf(strength * 0.7) : strength;
}

const mailAddress =
  /(?:[\w.+%-]{1,64}|"[^"\r\n]{1,64}")(?:\([^()\r\n]{0,40}\))?@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|@\[/;
const words = /^[,.]?\s[a-z]{1,12}\s[\w.]{1,20}\s{0,2}$|^[,.]?(?:\s[a-z]{1,12}){3}/i;

const mediaType = /^(?:text|multipart|application|message|image)\//i;
const transferEncoding = /^(?:7bit|8bit|base64|binary|quoted-printable)/i;
const fields: ReadonlyMap<string, { readonly value: RegExp; readonly strength: number }> = new Map([
  ['mime-version', { value: /^\d/, strength: confidence.certain }],
  ['content-type', { value: mediaType, strength: confidence.certain }],
  ['content-transfer-encoding', { value: transferEncoding, strength: confidence.certain }],
  ['x-mailer', { value: /./, strength: confidence.strong }],
  ['x-priority', { value: /^[1-5]/, strength: confidence.strong }],
  ['message-id', { value: /^</, strength: confidence.strong }],
  ['in-reply-to', { value: /^</, strength: confidence.strong }],
  // An ordinary word: sure only where the break is encoded.
  ['subject', { value: /./, strength: confidence.likely }],
]);

/** What a program puts into the head of a mail: there, an ordinary word is a field, too. */
const headMember =
  /(?:^|[._\-[])(?:(?:first_?|last_?|full_?|sender_?)?name|subject|betreff|e-?mail|from|sender|reply_?-?to)\]?$/i;
const headStrength = confidence.strong;
const headCharsMax = 60;

/** `name%0aContent-Type: text/html`: fields that give the mail another body. */
export const mimeHeader: ValueRule = {
  id: 'mailinj.mime-header',
  score: confidence.strong,
  message: 'breaks the line inside a mail header and gives the mail another form or body',
  trigger: {
    classes: charClass.lineBreak | charClass.colon,
    literals: [behindBreak([...fields.keys()])],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const { text } = subject;
    const isHead = headMember.test(subject.member.slice(-40)) && reading.firstEnd <= headCharsMax;
    return strongestLine(fieldsOf(subject, reading), (line) => {
      const field = fields.get(line.field);
      if (field === undefined || !field.value.test(valueOfField(text, line))) return 0;
      const strength = isHead ? Math.max(field.strength, headStrength) : field.strength;
      return levelOf(strength * breakWeight(subject, reading.firstEnd));
    });
  },
  examples: [
    'Anna%0aMIME-Version: 1.0%0aContent-Type: multipart/mixed; boundary=x',
    'Anna\r\nContent-Type: text/html\r\n\r\n<b>win</b>',
    'Anna%0d%0aContent-Transfer-Encoding: base64',
    'Anna%0aSubject: You won',
    { body: { name: 'ann lee\r\nSubject:\n you won' } },
  ],
  lookalikes: [
    'MIME-Version: 1.0\nContent-Type: text/plain\nSubject: Hi',
    { body: { description: 'The mail has\nContent-Type: text/html\nin its head.' } },
    'Notes\nSubject: algebra',
    { body: { title: 'Notes\nSubject: algebra' } },
    'Content-Type: text/plain; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHi',
  ],
};
