import { lineGrammar } from '../../grammars/http/lines.ts';
import { breakOriginOf, isEncoded } from '../../placement/break-origin.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** An encoded empty line and markup behind it: the header ends, the body is the sender's. */
export const bodyStart: ValueRule = {
  id: 'crlf.body-start',
  cwe: 'CWE-113',
  severity: 'high',
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
    const isTarget =
      origin === 'line' ||
      (origin === 'encoded' && target.test(subject.text.slice(0, reading.firstEnd)));
    if (!isTarget && !markup.test(head)) return undefined;
    const lesser = origin === 'escaped' ? confidence.hint : confidence.trace;
    const score = isEncoded(origin) ? confidence.strong : lesser;
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
