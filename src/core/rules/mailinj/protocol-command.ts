import {
  behindBreak,
  type Line,
  type LineReading,
  lineGrammar,
} from '../../grammars/http/lines.ts';
import { breakWeight, isHeadLine, linesBefore } from '../../placement/break-weight.ts';
import { confidence, levelOf } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** SMTP and POP3, at the start of a line. */
const commandWords: readonly string[] = [
  ...wordList('data quit rset starttls'),
  ...wordList('ehlo helo vrfy expn auth retr dele').map((word) => `${word} `),
  ...['.\n', '.\r'],
];

/** Blanks may stand in front of these. */
const envelopeWords: readonly string[] = ['rcpt to', 'mail from'];

/** IMAP, behind the tag of the command, which ends with a digit: most words of prose do not. */
const taggedCommands: readonly string[] = [
  ...wordList('capability logout noop expunge idle'),
  ...wordList(
    'fetch login select examine lsub search store copy append delete rename create status',
    'authenticate uid',
  ).map((word) => `${word} `),
  ...['list "', 'list ('],
].flatMap((word) => Array.from({ length: 10 }, (_, digit) => `${digit} ${word}`));

/** `x%0d%0aRCPT TO:<…>`, `x%0d%0aA1 FETCH 1:*`: commands of SMTP, IMAP and POP3. */
export const protocolCommand: ValueRule = {
  id: 'mailinj.protocol-command',
  severity: 'critical',
  score: confidence.certain,
  message: 'breaks the line and gives the mail server a command of its own',
  trigger: {
    classes: charClass.lineBreak,
    literals: [[...behindBreak(commandWords), ...envelopeWords, ...taggedCommands]],
  },
  judge: (subject) => {
    const reading = subject.tokens(lineGrammar);
    const smuggled = smuggledMessage(subject.text, reading);
    if (smuggled !== undefined) return smuggled;
    let best: Match | undefined;
    let commands = 0;
    const before = isHeadLine(subject, reading) ? linesBefore : 1;
    for (const [index, line] of reading.lines.entries()) {
      // Commands come at once, or the text is a text.
      if (commands === 0 && index > before) break;
      const source = subject.text.slice(line.start, Math.min(line.end, line.start + 200));
      const isEnd = isMessageEnd(subject.text, line);
      // The end of the message: people space paragraphs with it, so it needs a command beside it.
      if (isEnd && commands === 0) commands = 1;
      const strength = isEnd && best !== undefined ? confidence.hint : strengthOf(source);
      if (strength === 0) continue;
      commands++;
      const sum = commands > 1 ? levelOf(strength + 25) : strength;
      const weight = breakWeight(subject, reading.firstEnd);
      // An encoded break in front of a command has no other use.
      const score = weight === 1 ? Math.max(sum, confidence.likely) : levelOf(sum * weight);
      if (score > (best?.score ?? 0)) best = { start: line.breakStart, end: line.end, score };
    }
    return best;
  },
  examples: [
    'anna%0d%0aRCPT TO:<list@example.org>',
    { body: { email: 'Anna <anna@example.com>>\r\n  RCPT TO:<list@example.org' } },
    'x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n\r\nhi\r\n.',
    'hello%0aA001 FETCH 1:* (FLAGS)',
    'hello\r\nV100 CAPABILITY\r\nV101 FETCH 4791',
    'x%0d%0a.%0d%0aQUIT',
    'x\r\nZ900 RENAME INBOX ARCHIVES\r\n',
    '%0d%0aQUIT%0d%0a',
    'DQpRVUlUDQo=',
    'x\r\nVRFY postmaster\r\n',
    { body: { message: 'Hi,\nbye\n.\nMAIL FROM:<a@a.test>\nRCPT TO:<b@b.test>\nDATA\nhi' } },
    { body: { message: 'Hi\n.\nRSET\nMAIL FROM:<a@a.test>\nRCPT TO:<b@b.test>\nDATA\nhi' } },
    { body: { message: 'hi\n.\nmail from:\t  <a@a.test>\nrcpt to:   <b@b.test>\nDATA\nhi' } },
    { body: { text: 'ok\r.\r\nmail from:<a@a.test>\r\nrcpt to:<b@b.test>\r\ndata\r\n' } },
  ],
  lookalikes: [
    'I typed\nDATA\nand nothing happened',
    'Plan\nB12 SELECT a good colour\nB13 LIST the rest',
    'I have mail from: Anna,\nand from Bob',
    'Commands of SMTP:\nHELO name\nMAIL FROM:<address>\nRCPT TO:<address>',
    'Do not\nquit\nnow',
    'SGVsbG8KUVVJVAp0aGVyZQ==',
    'Big news today\n.\n.\n.\n#shop #summer',
    'Wait\r\n.\r\n.\r\nhere it is',
    { body: { text: 'EHLO a.test\nQUIT\n.\nMAIL FROM:<a@a.test>\nRCPT TO:<c@c.test>\nDATA' } },
    { body: { message: 'The trace says\n.\n250 OK\nMAIL FROM:<a@a.test>\n250 OK\nQUIT' } },
  ],
};

/**
 * The end of a message, and at once the envelope of another: what two mail servers that disagree on
 * line ends make two mails of. A session that is shown begins with commands.
 */
function smuggledMessage(text: string, reading: LineReading): Match | undefined {
  if (!reading.lines.some((line) => isMessageEnd(text, line))) return undefined;
  const lineAt = (index: number): string => {
    const line = reading.lines[index];
    return line === undefined ? '' : text.slice(line.start, Math.min(line.end, line.start + 200));
  };
  if (strengthOf(text.slice(0, Math.min(reading.firstEnd, 200))) > 0) return undefined;
  for (const [index, line] of reading.lines.entries()) {
    const source = lineAt(index);
    if (strengthOf(source) > 0) return undefined;
    const next = resetCommand.test(lineAt(index + 1)) ? index + 2 : index + 1;
    if (!isMessageEnd(text, line) || !envelope.test(lineAt(next))) continue;
    const isFollowed = envelope.test(lineAt(next + 1)) || dataCommand.test(lineAt(next + 1));
    return isFollowed
      ? { start: line.breakStart, end: line.end, score: confidence.strong }
      : undefined;
  }
  return undefined;
}

/** A dot alone; by its length most lines are none. */
function isMessageEnd(text: string, { start, end }: Line): boolean {
  return end - start <= messageEndMax && messageEnd.test(text.slice(start, end));
}

const messageEndMax = 7;

const resetCommand = /^\s{0,3}RSET\s{0,3}$/i;
const dataCommand = /^\s{0,3}DATA\s{0,3}$/i;

function strengthOf(line: string): number {
  if (!begins.test(line)) return 0;
  if (envelope.test(line)) return confidence.certain;
  if (imap.test(line) || probing.test(line)) return confidence.strong;
  return bare.test(line) ? confidence.hint : 0;
}

/** What the patterns below begin with, and few lines of a letter do. */
const begins = /^\s{0,3}(?:[A-Z]{4}|[A-Za-z]{1,4}\d|[Mm][Aa][Ii][Ll] |[Rr][Cc][Pp][Tt] )/;
const envelope = /^\s{0,3}(?:mail from|rcpt to)\s{0,8}:\s{0,8}<?[^\s>]{1,200}/i;
const imap =
  /^\s{0,3}[A-Za-z]{1,4}\d{1,5}\s(?:CAPABILITY|LOGOUT|NOOP|IDLE|EXPUNGE|STARTTLS|CLOSE)\s{0,3}$|^\s{0,3}[A-Za-z]{1,4}\d{1,5}\s(?:LOGIN\s\S{1,80}\s\S{1,80}\s{0,3}$|UID\s[A-Z]|(?:FETCH|STORE|COPY|SEARCH)\s(?:[\d*:,]{1,20}|ALL\b|UN|FROM\b|SUBJECT\b)|(?:SELECT|EXAMINE|DELETE|CREATE|STATUS|APPEND)\s(?:"|INBOX|\S{1,80}\s{0,3}$)|RENAME\s\S{1,80}\s\S{1,80}\s{0,3}$|(?:LIST|LSUB)\s["(%*]|AUTHENTICATE\s[A-Z])/;
const bare =
  /^\s{0,3}(?:DATA|QUIT|RSET|STARTTLS|(?:EHLO|HELO|VRFY|EXPN|RETR|DELE|AUTH)\s[^\s]{1,120})\s{0,3}$/;
/** Commands that are no words. */
const probing =
  /^\s{0,3}(?:(?:VRFY|EXPN)\s<?[\w.@-]{1,120}>?|EHLO\s(?:\[|[\w-]{1,60}\.)[\w.:-]{1,100}\]?)\s{0,3}$/;
const messageEnd = /^\s{0,3}\.\s{0,3}$/;
