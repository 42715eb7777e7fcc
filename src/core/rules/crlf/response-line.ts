import { isDocumentStart, lineGrammar } from '../../grammars/http/lines.ts';
import { type BreakOrigin, breakOriginOf, isEncoded } from '../../placement/break-origin.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** A status line or a request line behind a line break: a second message on the same connection. */
export const responseLine: ValueRule = {
  id: 'crlf.response-line',
  severity: 'critical',
  score: confidence.certain,
  message: 'ends the HTTP message that it is put into and begins one of its own',
  trigger: { classes: charClass.lineBreak, literals: [['http/1.', 'http/2', 'http/0.9']] },
  judge: (subject) => {
    const { text } = subject;
    const reading = subject.tokens(lineGrammar);
    const [next] = reading.lines;
    if (next !== undefined && next.field !== '' && isRequestEnd(text, reading.firstEnd)) {
      const isMessage = breakOriginOf(subject, reading.firstEnd) === 'message';
      const score = isMessage ? scores.message : confidence.strong;
      return { start: next.breakStart, end: next.end, score };
    }
    for (const line of reading.lines) {
      const first = text.slice(line.start, Math.min(line.end, line.start + 300));
      if (!messageStart.test(first)) continue;
      const origin = breakOriginOf(subject, reading.firstEnd);
      return { start: line.breakStart, end: line.end, score: scores[origin] };
    }
    return undefined;
  },
  examples: [
    '/%0d%0aHTTP/1.1 302 Found%0d%0aLocation: //203.0.113.5',
    'x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<b>x</b>',
    '0\r\n\r\nGET /admin HTTP/1.1\r\nHost: localhost',
    '17 HTTP/1.1\r\nX-added: yes',
    { body: { 'query.id': '/a HTTP/1.1\nCache-Control: public\nX-added: ' } },
    { body: { 'query.id': ' HTTP/1.1%0d%0aw: 0%0d%0ay: ' } },
  ],
  lookalikes: [
    'HTTP/1.1 200 OK\nDate: today\n\nHTTP/1.1 404 Not Found',
    'The answers of my server in the log today were these:\nHTTP/1.1 200 OK\nHTTP/1.1 500 Internal Server Error',
    '$ curl -I https://www.example.com/\nHTTP/2 301\nlocation: https://example.com/',
    'Use HTTP/1.1\nNote: version 2 is slower here',
    'GET /a HTTP/1.1\nHost: www.example.com',
    { body: { message: 'I get\nHTTP/1.1 502 Bad Gateway\nsince noon.' } },
  ],
};

/**
 * The end of a request line (RFC 9112, 3: target and version) without its method: the rest of the
 * target that a program writes, and a head behind it.
 */
function isRequestEnd(text: string, firstEnd: number): boolean {
  return firstEnd <= requestCharsMax && requestEnd.test(text.slice(0, firstEnd));
}

const requestCharsMax = 200;
const requestEnd = /^(?:|\S{0,80}[\d/]\S{0,80}) HTTP\/[01]\.\d$/;

const messageStart =
  /^\s{0,4}(?:HTTP\/[012](?:\.[019])?\s{1,4}[1-5]\d\d|[A-Z]{3,10}\s{1,4}\S{1,200}\s{1,4}HTTP\/[012])/;

const scores: Readonly<Record<BreakOrigin, number>> = {
  encoded: confidence.certain,
  line: confidence.certain,
  escaped: confidence.certain,
  head: confidence.strong,
  plain: confidence.strong,
  message: confidence.hint,
  document: confidence.trace,
};

/** An encoded empty line and markup behind it: the header ends, the body is the sender's. */
export const bodyStart: ValueRule = {
  id: 'crlf.body-start',
  score: confidence.strong,
  message: 'ends the header with an empty line and goes on with a body of its own',
  trigger: {
    classes: charClass.lineBreak | charClass.less,
    literals: [
      ['<script', '<html', '<svg', '<img', '<body', '<iframe', '<!doctype', '<h1', '\n<', '\r<'],
    ],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const line = reading.lines.find((one) => one.afterBlank);
    const head = line === undefined ? '' : subject.text.slice(line.start, line.start + 20);
    if (line === undefined || !element.test(head)) return undefined;
    const origin = breakOriginOf(subject, reading.firstEnd);
    const first = subject.text.slice(0, reading.firstEnd);
    const isHead = origin === 'head' && !first.startsWith('<') && !isDocumentStart(first);
    const isTarget = origin === 'line' || isHead || (origin === 'encoded' && target.test(first));
    if (!isTarget && !markup.test(head)) return undefined;
    const lesser = origin === 'escaped' ? confidence.hint : confidence.trace;
    const score = isEncoded(origin) ? confidence.strong : isHead ? confidence.likely : lesser;
    return { start: line.breakStart, end: line.end, score };
  },
  examples: [
    '%0d%0a%0d%0a<html><body>hi</body></html>',
    'en%0a%0a<h1>Closed</h1>',
    { body: { 'query.next': '/home\r\n\r\n<a href=//a.test>x</a>' } },
    { body: { 'query.next': '/home%0d%0A%0d%0a<a href=//a.test>x</a>' } },
    { body: { 'query.name': '3 x; anna lee\r\n\r\n<a href=//a.test>x</a>' } },
    { body: { lang: 'en\n\r<html>x</html>' } },
  ],
  lookalikes: [
    '<p>One</p>\n\n<h1>Two</h1>',
    'Intro\n\n<img src="https://www.example.com/a.png">',
    { body: { return_to: '<!-- page -->\n\n<p>One</p>\n\n<h1>Two</h1>' } },
    'Hello,\n\n<a href="mailto:anna@example.com?subject=The%20menu">Anna</a>',
    'Hi!\n\n<p><img src="/images/a%20b.png"></p>',
    '%3Cp%3EOne%3C/p%3E%0A%0A%3Cp%3ETwo%3C/p%3E',
    { body: { 'query.message': 'Hi\n\n<b>there</b>' } },
    'mailto:anna@example.com?body=Hi%0D%0A%0D%0A<b>there</b>',
  ],
};

/** Nothing, a path or an address: no greeting, no part of a query or of a page. */
const target = /^(?:|[^\s=<>,!]{0,100}\/[^\s=<>,!]{0,100})$/;
const element = /^\s{0,8}<[a-z!]/i;
const markup = /^\s{0,8}<(?:script|html|svg|img|body|iframe|!doctype|h1)/i;
