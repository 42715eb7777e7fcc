import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

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
