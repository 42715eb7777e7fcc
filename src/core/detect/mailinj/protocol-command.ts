import { charClass } from '../../text/char-class.ts';
import { lineGrammar } from '../../tokenise/lines.ts';
import type { Match, ValueRule } from '../rule.ts';
import { breakWeight } from './context.ts';

/** `x%0d%0aRCPT TO:<…>`, `x%0d%0aA1 FETCH 1:*`: commands of SMTP, IMAP and POP3. */
export const protocolCommand: ValueRule = {
  id: 'mailinj.protocol-command',
  category: 'mailinj',
  cwe: 'CWE-93',
  severity: 'critical',
  score: 92,
  message: 'breaks the line and gives the mail server a command of its own',
  trigger: {
    classes: charClass.lineBreak,
    literals: [
      [
        'rcpt to',
        'mail from',
        'data',
        'quit',
        'ehlo ',
        'helo ',
        ' capability',
        ' fetch ',
        ' login ',
        ' select ',
        ' examine ',
        ' list ',
        ' lsub ',
        ' search ',
        ' store ',
        ' copy ',
        ' append ',
        ' delete ',
        ' create ',
        ' logout',
        ' noop',
        ' authenticate ',
        ' uid ',
        'vrfy ',
        'expn ',
        'rset',
        'retr ',
        'dele ',
        'auth login',
        'auth plain',
        'starttls',
        ' status ',
        ' expunge',
        ' idle',
      ],
    ],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    let best: Match | undefined;
    let commands = 0;
    for (const line of reading.lines.slice(0, linesMax)) {
      const strength = strengthOf(
        subject.text.slice(line.start, Math.min(line.end, line.start + 200)),
      );
      if (strength === 0) continue;
      commands++;
      const sum = commands > 1 ? Math.min(95, strength + 25) : strength;
      const score = Math.round(sum * breakWeight(subject, reading.firstEnd));
      if (score > (best?.score ?? 0)) best = { start: line.breakStart, end: line.end, score };
    }
    return best;
  },
  examples: [
    'anna%0d%0aRCPT TO:<list@example.org>',
    'x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n\r\nhi\r\n.',
    'hello%0aA001 FETCH 1:* (FLAGS)',
    'hello\r\nV100 CAPABILITY\r\nV101 FETCH 4791',
    'x%0d%0a.%0d%0aQUIT',
  ],
  lookalikes: [
    'I typed\nDATA\nand nothing happened',
    'Plan\nB12 SELECT a colour\nB13 LIST the rest',
    'Commands of SMTP:\nHELO name\nMAIL FROM:<address>\nRCPT TO:<address>',
    'Do not\nquit\nnow',
  ],
};

const linesMax = 40;

function strengthOf(line: string): number {
  if (envelope.test(line)) return 92;
  if (imap.test(line)) return 84;
  if (bare.test(line)) return 62;
  return 0;
}

const envelope = /^\s{0,3}(?:mail from|rcpt to)\s{0,2}:\s{0,2}<?[^\s>]{1,200}/i;
const imap =
  /^\s{0,3}[A-Za-z]{1,3}\d{1,5}\s(?:CAPABILITY|LOGOUT|NOOP|IDLE|EXPUNGE|CLOSE|STARTTLS|(?:LOGIN|FETCH|SELECT|EXAMINE|LIST|LSUB|SEARCH|STORE|COPY|APPEND|DELETE|CREATE|RENAME|STATUS|UID|AUTHENTICATE)\s\S)/;
const bare =
  /^\s{0,3}(?:DATA|QUIT|RSET|STARTTLS|\.|(?:EHLO|HELO|VRFY|EXPN|RETR|DELE|AUTH)\s[^\s]{1,120})\s{0,3}$/;
