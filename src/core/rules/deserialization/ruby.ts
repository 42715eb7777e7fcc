import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { makesObjects } from '../../text/object-stream.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Marshal 4.8 and the type byte of an object or a user-defined class: bytes, hex, base64. */
const marshal =
  /\u0004\u0008(?:[oUuIC][:;\u0006-\u0020]|\[[\u0006-\u0020][co])|(?:^|[^0-9A-Za-z])0408(?:6f3a|553a|753a|5b[01][0-9a-f]6[3f])|(?:^|[^0-9A-Za-z+/])BAh(?:[vV1]O[g-v]|b[BC][A-Za-z0-9+/][M8w]|j[C-J][A-Za-z0-9+/]{2}[A-Za-z0-9+/]{4})[A-Za-z0-9+/]{4}/;

/** A marshalled Ruby object. */
export const rubyMarshal: ValueRule = {
  id: 'deserialization.ruby-marshal',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'carries a marshalled Ruby object',
  readsBytes: 'start',
  trigger: { literals: [['\u0004\u0008', '0408', 'BAh']] },
  examples: [
    '\u0004\u0008o:\u0008Cat\u0006',
    '04086f3a0843617406',
    'BAhvOghDYXQG',
    'BAhVOhVHZW06',
    'BAhjCkdlbTo6U3BlY0ZldGNoZXI=',
    'BAhbB1R1OgtMb2dnZXIA',
    '04085b073a07666b753a08455242073239',
    'B!Ah1!Ogh*FUkIA',
    '04085b0754753a0845 52420732',
  ],
  lookalikes: [
    'order 0408-553',
    'BAh, humbug',
    '040812345678',
    'BAhamas',
    'BAhbB2kHaQg=',
    '04085b07690769083a0b4c6f67676572',
    'B!Ahb!B2k*HaQg=',
    '04085b0769 0769083a0b4c6f67 676572',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    if (text.startsWith('\u0004\u0008') && makesObjects(text))
      return { start: 0, end: text.length };
    return foundBy(marshal.exec(text));
  },
};
