import { charClass } from '../../text/char-class.ts';
import { behindBreak, lineGrammar } from '../../tokenise/lines.ts';
import type { ValueRule } from '../rule.ts';
import { breakOriginOf } from './context.ts';

const entryWords: readonly string[] = [
  ...['info', 'warn', 'error', 'debug', 'fatal', 'notice', 'critical', 'audit', 'success'],
  ...['[info', '[warn', '[error', '[debug', '[fatal', '[notice', '[critical', '[audit', '[success'],
  ...['20', '[20'],
];

/** An encoded line break and what looks like a line of a log: a forged entry. */
export const logLine: ValueRule = {
  id: 'crlf.log-line',
  category: 'crlf',
  cwe: 'CWE-117',
  severity: 'medium',
  score: 76,
  message: 'breaks the line and continues with a forged entry of a log',
  trigger: {
    classes: charClass.lineBreak,
    literals: [[...behindBreak(entryWords), ' - - [']],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const { text } = subject;
    for (const line of reading.lines) {
      if (!entry.test(text.slice(line.start, line.start + 80))) continue;
      const origin = breakOriginOf(subject, reading.firstEnd);
      const isClosed = closedEntry.test(text.slice(0, Math.min(reading.firstEnd, 80)));
      const score = isClosed ? 80 : origin === 'encoded' ? 76 : origin === 'escaped' ? 50 : 30;
      return { start: line.breakStart, end: line.end, score };
    }
    return undefined;
  },
  examples: [
    'anna%0a[INFO] login of admin succeeded',
    'x%0d%0aERROR: payment 5 refunded',
    'bob%0a2024-05-01 12:00:00 INFO user admin logged in',
    'x%0a203.0.113.5 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 error',
    '/x" 404 12\r\n203.0.113.9 - root [01/May/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 1',
  ],
  lookalikes: [
    '203.0.113.5 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 1\n203.0.113.5 - - [01/May/2024:10:00:01 +0000] "GET /a HTTP/1.1" 200 1',
    '[INFO] start\n[ERROR] disk full\n[INFO] stop',
    '2024-05-01 12:00:00 INFO one\n2024-05-01 12:00:01 INFO two',
    'My program says\nERROR: no such file',
  ],
};

/** The value itself closes the quoted field that a log puts it into: `x" 200 1`. */
const closedEntry = /^[^"\s]{0,40}["'] \d{3} (?:\d{1,10}|-)\s{0,2}(?:"[^"]{0,30}"?\s{0,2}){0,2}$/;

const entry =
  /^\s{0,4}(?:\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|NOTICE|CRITICAL|AUDIT|SUCCESS)\]?[: ]|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} - )/;
