import { charClass } from '../../text/char-class.ts';
import { lineGrammar } from '../../tokenise/lines.ts';
import type { Match, ValueRule } from '../rule.ts';
import { breakWeight } from './context.ts';

/** `name%0aContent-Type: text/html`: fields that give the mail another body. */
export const mimeHeader: ValueRule = {
  id: 'mailinj.mime-header',
  category: 'mailinj',
  cwe: 'CWE-93',
  severity: 'high',
  score: 86,
  message: 'breaks the line inside a mail header and gives the mail another form or body',
  trigger: {
    classes: charClass.lineBreak | charClass.colon,
    literals: [
      [
        'mime-version',
        'content-type',
        'content-transfer-encoding',
        'x-mailer',
        'subject',
        'message-id',
        'x-priority',
        'in-reply-to',
      ],
    ],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const { text } = subject;
    let best: Match | undefined;
    for (const line of reading.lines.slice(0, linesMax)) {
      const field = fields.get(line.field);
      if (field === undefined) continue;
      const value = text.slice(line.valueStart, Math.min(line.end, line.valueStart + 120));
      if (!field.value.test(value)) continue;
      const score = Math.round(field.strength * breakWeight(subject, reading.firstEnd));
      if (score > (best?.score ?? 0)) best = { start: line.breakStart, end: line.end, score };
    }
    return best;
  },
  examples: [
    'Anna%0aMIME-Version: 1.0%0aContent-Type: multipart/mixed; boundary=x',
    'Anna\r\nContent-Type: text/html\r\n\r\n<b>win</b>',
    'Anna%0d%0aContent-Transfer-Encoding: base64',
    'Anna%0aSubject: You won',
  ],
  lookalikes: [
    'MIME-Version: 1.0\nContent-Type: text/plain\nSubject: Hi',
    { body: { description: 'The mail has\nContent-Type: text/html\nin its head.' } },
    'Notes\nSubject: algebra',
  ],
};

const linesMax = 20;

const fields: ReadonlyMap<string, { readonly value: RegExp; readonly strength: number }> = new Map([
  ['mime-version', { value: /^\d/, strength: 90 }],
  ['content-type', { value: /^(?:text|multipart|application|message|image)\//i, strength: 90 }],
  [
    'content-transfer-encoding',
    { value: /^(?:7bit|8bit|base64|binary|quoted-printable)/i, strength: 92 },
  ],
  ['x-mailer', { value: /./, strength: 80 }],
  ['x-priority', { value: /^[1-5]/, strength: 80 }],
  ['message-id', { value: /^</, strength: 85 }],
  ['in-reply-to', { value: /^</, strength: 80 }],
  // An ordinary word: sure only where the break is encoded.
  ['subject', { value: /./, strength: 72 }],
]);
