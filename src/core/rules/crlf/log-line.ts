import { behindBreak, type Line, lineGrammar } from '../../grammars/http/lines.ts';
import { isRest } from '../../normalise/parts.ts';
import { type BreakOrigin, breakOriginOf } from '../../placement/break-origin.ts';
import { confidence } from '../../placement/confidence.ts';
import { isSignInMember } from '../../placement/member.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

const entryWords: readonly string[] = wordList(
  'info warn error debug fatal notice critical audit success [info [warn [error [debug',
  '[fatal [notice [critical [audit [success 20 [20',
);

/** An encoded line break and what looks like a line of a log: a forged entry. */
export const logLine: ValueRule = {
  id: 'crlf.log-line',
  cwe: 'CWE-117',
  severity: 'medium',
  score: confidence.likely,
  message: 'breaks the line and continues with a forged entry of a log',
  trigger: {
    classes: charClass.lineBreak,
    literals: [[...behindBreak(entryWords), ' - - [']],
  },
  judge: (subject) => {
    if (isRest(subject.decoded)) return undefined;
    const reading = subject.tokens(lineGrammar);
    const { text } = subject;
    for (const line of reading.lines) {
      if (!entry.test(text.slice(line.start, line.start + 80))) continue;
      const origin = breakOriginOf(subject, reading.firstEnd);
      const isClosed = closedEntry.test(text.slice(0, Math.min(reading.firstEnd, 80)));
      const isSure = isClosed || origin === 'encoded' || isForged(subject, origin, line);
      const unsure = origin === 'escaped' ? confidence.hint : confidence.trace;
      const score = isSure ? confidence.likely : unsure;
      return { start: line.breakStart, end: line.end, score };
    }
    return undefined;
  },
  examples: [
    'anna%0a[INFO] login of admin succeeded',
    'x%0d%0aERROR: payment 5 refunded',
    'bob%0a2024-05-01 12:00:00 INFO user admin logged in',
    'x%0a203.0.113.5 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 error',
    { body: { username: 'anna\n2024-05-01 12:00:00 INFO login of admin succeeded' } },
    { body: { login: 'bob\r\n[2024-05-01 12:00:01] WARN admin logged out' } },
    '/x" 404 12\r\n203.0.113.9 - root [01/May/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 1',
  ],
  lookalikes: [
    '203.0.113.5 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 1\n203.0.113.5 - - [01/May/2024:10:00:01 +0000] "GET /a HTTP/1.1" 200 1',
    '[INFO] start\n[ERROR] disk full\n[INFO] stop',
    '2024-05-01 12:00:00 INFO one\n2024-05-01 12:00:01 INFO two',
    'My program says\nERROR: no such file',
    { body: { title: 'Crash\n2024-05-01 12:00:00 ERROR disk full' } },
    { body: { user: 'anna\n2024-05-01' } },
    // Strings of one JSON text, which a line break of ours parts.
    encodeURIComponent(
      JSON.stringify(
        Array.from({ length: 30 }, (_, at) => [`a.b/c-${at}`, '2024-05-01T12:00:00Z']),
      ),
    ),
  ],
};

/** A name that somebody signs in with has one line, and no time and level of a log behind it. */
function isForged(subject: Subject, origin: BreakOrigin, line: Line): boolean {
  if (origin !== 'plain' && origin !== 'line' && origin !== 'escaped') return false;
  if (!isSignInMember(subject.member)) return false;
  return timedEntry.test(subject.text.slice(line.start, Math.min(line.end, line.start + 80)));
}

const timedEntry =
  /^\s{0,4}\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S{0,12}\s{1,4}\[?[A-Z]{4,8}\b|^\s{0,4}\d{1,3}(?:\.\d{1,3}){3} - \S{1,40} \[\d\d\//;

/** The value itself closes the quoted field that a log puts it into: `x" 200 1`. */
const closedEntry = /^[^"\s]{0,40}["'] \d{3} (?:\d{1,10}|-)\s{0,2}(?:"[^"]{0,30}"?\s{0,2}){0,2}$/;

const entry =
  /^\s{0,4}(?:\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|NOTICE|CRITICAL|AUDIT|SUCCESS)\]?[: ]|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} - )/;
