import { charClass } from '../../text/char-class.ts';
import { lineGrammar } from '../../tokenise/lines.ts';
import type { ValueRule } from '../rule.ts';
import { breakOriginOf } from './context.ts';

/** An encoded empty line and markup behind it: the header ends, the body is the sender's. */
export const bodyStart: ValueRule = {
  id: 'crlf.body-start',
  category: 'crlf',
  cwe: 'CWE-113',
  severity: 'high',
  score: 82,
  message: 'ends the header with an empty line and goes on with a body of its own',
  trigger: {
    classes: charClass.lineBreak | charClass.less,
    literals: [['<script', '<html', '<svg', '<img', '<body', '<iframe', '<!doctype', '<h1']],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const line = reading.lines.find((one) => one.afterBlank);
    if (line === undefined || !markup.test(subject.text.slice(line.start, line.start + 20))) {
      return undefined;
    }
    const origin = breakOriginOf(subject, reading.firstEnd);
    const score = origin === 'encoded' ? 82 : origin === 'escaped' ? 60 : 35;
    return { start: line.breakStart, end: line.end, score };
  },
  examples: ['%0d%0a%0d%0a<html><body>hi</body></html>', 'en%0a%0a<h1>Closed</h1>'],
  lookalikes: ['<p>One</p>\n\n<h1>Two</h1>', 'Intro\n\n<img src="https://www.example.com/a.png">'],
};

const markup = /^\s{0,8}<(?:script|html|svg|img|body|iframe|!doctype|h1)/i;
