import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * An encoded word (RFC 2047) whose text holds what ends a header or an address once a mail program
 * has decoded it: `=?utf-8?q?Hi=0ABcc:_list=40a.test?=`, `=?x?q?anna=40a.test=3e=00?=@b.test`.
 */
export const encodedWord: ValueRule = {
  id: 'mailinj.encoded-word',
  cwe: 'CWE-93',
  severity: 'high',
  score: confidence.strong,
  message: 'hides a line break or the end of an address in an encoded word of a mail header',
  trigger: { literals: [['=?'], ['?q?']] },
  examples: [
    '=?utf-8?Q?Hello=0D=0ABcc:_list=40example.org?=',
    'Anna =?iso-8859-1?q?=0aTo:_list=40example.org?= <anna@example.com>',
    '=?x?q?anna=40example.org=3e=00?=@example.com',
    '=?utf-8?q?anna=40example.org=20?=@example.com',
    '=?utf-8?q?=61=6e=6e=61=40=61=2e=74=65=73=74=3c?=@example.com',
  ],
  lookalikes: [
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln?=',
    'From: =?utf-8?Q?anna=40example.com?= <anna@example.com>',
    '=?iso-8859-1?q?Andr=E9?= <andre@example.com>',
    'What does =?utf-8?Q?Caf=C3=A9_=26_Bar?= mean in a mail?',
    'a=?b&c=?q?d',
  ],
  judge(subject): Match | undefined {
    for (const found of subject.text.matchAll(word)) {
      const content = found[1] ?? '';
      const start = found.index;
      const end = start + found[0].length;
      if (control.test(content)) return { start, end };
      // The address ends within the word, and the host behind it is not the one that counts.
      if (subject.text[end] === '@' && addressEnd.test(content)) return { start, end: end + 1 };
    }
    return undefined;
  },
};

const word = /=\?[\w-]{1,40}\?q\?([!->@-~]{1,400})\?=/gi;
const control = /=0[0ad]/i;
const addressEnd = /=40.{0,400}=(?:3[ce]|2[0c]|3b)/i;
