import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { makesObjects } from '../../text/object-stream.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * The stream magic and version of Java serialisation in its spellings: bytes, hex, base64, and gzip
 * of it.
 */
const streamHeader = /(?:^|[^0-9A-Za-z+/])(?:aced0005[0-9a-f]{2}|rO0AB[A-Za-z0-9+/_-]{4})/i;
const rawHeader = '\u00ac\u00ed\u0000\u0005';

/** A serialised Java object (Java Object Serialization Specification, section 6.4.2). */
export const javaStream: ValueRule = {
  id: 'deserialization.java-stream',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.certain,
  message: 'carries a serialised Java object',
  readsBytes: 'start',
  trigger: { literals: [['aced0005', 'rO0AB', '\u0000\u0005']] },
  examples: [
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA',
    'aced0005737200116a6176612e7574696c2e48617368',
    'state=rO0ABXVyABNbTGphdmE=',
    '\u00ac\u00ed\u0000\u0005sr\u0000\u0011java.util.HashMap',
  ],
  lookalikes: [
    'faced00051',
    'the file starts with the bytes ac ed 00 05',
    'xrO0ABout',
    'eyJhbGciOiJIUzI1NiJ9.eyJyTzBBQiI6MX0.c2ln',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const raw = text.indexOf(rawHeader);
    if (raw >= 0) return { start: raw, end: Math.min(text.length, raw + 40) };
    const found = streamHeader.exec(text);
    if (found === null || found[0].includes('RO0') || found[0].includes('ro0')) return undefined;
    return foundBy(found);
  },
};

/**
 * The header record of .NET BinaryFormatter (MS-NRBF, section 2.6.1) in base64 at each of the three
 * alignments that a container such as ViewState can give it, and as bytes.
 */
const headers: readonly string[] = [
  ...wordList('AAEAAAD///// AAQAAAP////8 ABAAAA///// AAEAAAD_____ AAQAAAP____8 ABAAAA_____'),
  '\u0000\u0001\u0000\u0000\u0000\u00ff\u00ff\u00ff\u00ff',
];

/** A serialised .NET object graph. */
export const dotnetStream: ValueRule = {
  id: 'deserialization.dotnet-stream',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.certain,
  message: 'carries a serialised .NET object graph',
  readsBytes: 'anywhere',
  trigger: {
    literals: [['AAEAAAD', 'AAQAAAP', 'ABAAAA', '\u0000\u0001\u0000\u0000\u0000']],
  },
  examples: [
    'AAEAAAD/////AQAAAAAAAAAMAgAAAElTeXN0ZW0',
    '/wEyxBEAAQAAAP////8BAAAAAAAAAAwC',
    'AAEAAAD_____AQAAAAAAAAAMAgAAAElTeXN0ZW0',
  ],
  lookalikes: [
    '/wEPDwUKLTEwMjY0NTk1Nw9kFgICAw9kFgI',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
    'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
    'AAAAAAEAAAAD//8=',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    for (const header of headers) {
      const start = text.indexOf(header);
      if (start >= 0) return { start, end: Math.min(text.length, start + 40) };
    }
    return undefined;
  },
};

/**
 * `O:8:"Class":1:{…` or `C:…`, as `serialize()` of PHP writes objects; plain arrays and scalars
 * pass.
 */
const head = /(?:^|[^A-Za-z0-9_])[OC]:\+?\d+:"/g;
const behindHead = /^[A-Za-z_\\][\w\\]*":\d+:\{/;
/** Of a name and a count. */
const behindMax = 400;

/** A serialised PHP object. */
export const phpObject: ValueRule = {
  id: 'deserialization.php-object',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.certain,
  message: 'carries a serialised PHP object, whose class would be created and run',
  trigger: {
    literals: [
      ['O:', 'C:'],
      [':{', ':"'],
    ],
  },
  examples: [
    'O:4:"Cart":1:{s:2:"id";i:5;}',
    'a:1:{i:0;O:3:"Log":0:{}}',
    'O:+4:"Cart":0:{}',
    'O:0000000004:"Cart":000000000:{}',
    'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
    'O:10:"App\\Mailer":1:{s:1:"x";N;}',
  ],
  lookalikes: [
    'a:2:{s:4:"name";s:4:"Anna";s:3:"age";i:30;}',
    'BCC:1:"x":2',
    'ISO:9001:"quality":1:{a}',
    'O:4 is the ratio',
    '{"O":4,"C":{"a":1}}',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    head.lastIndex = 0;
    for (let found = head.exec(text); found !== null; found = head.exec(text)) {
      const at = head.lastIndex;
      const behind = behindHead.exec(text.slice(at, at + behindMax));
      if (behind !== null) return { start: found.index, end: at + behind[0].length };
    }
    return undefined;
  },
};

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
