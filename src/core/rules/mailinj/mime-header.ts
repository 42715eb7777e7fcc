import {
  behindBreak,
  fieldsBehindFirst,
  lineGrammar,
  valueOfField,
} from '../../grammars/http/lines.ts';
import { breakWeight } from '../../placement/break-weight.ts';
import { confidence, levelOf } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

const version = /^\d/;
const mediaType = /^(?:text|multipart|application|message|image)\//i;
const transferEncoding = /^(?:7bit|8bit|base64|binary|quoted-printable)/i;
const anything = /./;
const priority = /^[1-5]/;
const messageId = /^</;

const fields: ReadonlyMap<string, { readonly value: RegExp; readonly strength: number }> = new Map([
  ['mime-version', { value: version, strength: confidence.certain }],
  ['content-type', { value: mediaType, strength: confidence.certain }],
  ['content-transfer-encoding', { value: transferEncoding, strength: confidence.certain }],
  ['x-mailer', { value: anything, strength: confidence.strong }],
  ['x-priority', { value: priority, strength: confidence.strong }],
  ['message-id', { value: messageId, strength: confidence.strong }],
  ['in-reply-to', { value: messageId, strength: confidence.strong }],
  // An ordinary word: sure only where the break is encoded.
  ['subject', { value: anything, strength: confidence.likely }],
]);

/** What a program puts into the head of a mail: there, an ordinary word is a field, too. */
const headMember =
  /(?:^|[._\-[])(?:(?:first_?|last_?|full_?|sender_?)?name|subject|betreff|e-?mail|from|sender|reply_?-?to)\]?$/i;
const headStrength = confidence.strong;
const headCharsMax = 60;

/** `name%0aContent-Type: text/html`: fields that give the mail another body. */
export const mimeHeader: ValueRule = {
  id: 'mailinj.mime-header',
  cwe: 'CWE-93',
  severity: 'high',
  score: confidence.strong,
  message: 'breaks the line inside a mail header and gives the mail another form or body',
  trigger: {
    classes: charClass.lineBreak | charClass.colon,
    literals: [behindBreak([...fields.keys()])],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const { text } = subject;
    let best: Match | undefined;
    for (const line of fieldsBehindFirst(text, reading)) {
      const field = fields.get(line.field);
      if (field === undefined) continue;
      const value = valueOfField(text, line);
      if (!field.value.test(value)) continue;
      const isHead = headMember.test(subject.member.slice(-40)) && reading.firstEnd <= headCharsMax;
      const score = levelOf(
        (isHead ? Math.max(field.strength, headStrength) : field.strength) *
          breakWeight(subject, reading.firstEnd),
      );
      if (score > (best?.score ?? 0)) best = { start: line.breakStart, end: line.end, score };
    }
    return best;
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
