import { introducer, shell } from '../../tokenise/shell.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { type Command, fit, readCommand } from './command.ts';
import { endsText, followsValue } from './place.ts';
import { use } from './vocabulary.ts';

/** `127.0.0.1⏎id`: a line break ends a command too. */
export const lineBreak: ValueRule = {
  id: 'cmdi.line-break',
  category: 'cmdi',
  cwe: 'CWE-78',
  severity: 'critical',
  score: 86,
  message: 'ends the expected command with a line break and starts another one',
  trigger: { literals: [['\n', '\r']] },
  judge,
  examples: [
    '127.0.0.1\nuname -a',
    'a.png\r\ncat /etc/hosts',
    "'\nnslookup evil.example.com\n'",
    '10.0.0.1\nwhoami',
    'x\n{ls,-la}',
  ],
  lookalikes: [
    'Dear team,\nfind the file attached.\nCat',
    'milk\nbread\ncat food\ntime magazine',
    '# Set-up\n\n```\nnpm install\ncurl -L https://example.com/a.tgz\ntar xzf a.tgz\n```\n\nThat is all.',
    'St. John\nHost 5\nid 12',
    'Please see below.\n\nls -la shows two files\n\nThanks',
  ],
};

const linesMax = 4;

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const reading = subject.tokens(shell);
  let best: Match | undefined;
  let lines = 0;
  for (const head of reading.heads) {
    if (head.introducer !== introducer.lineBreak) continue;
    if (++lines > linesMax && !isLast(text, head.start)) continue;
    const command = readCommand(text, head);
    if (command === undefined) continue;
    const score = scoreOf(text, command);
    if (score > (best?.score ?? 0)) best = { start: head.start, end: command.end, score };
  }
  return best;
}

function isLast(text: string, start: number): boolean {
  return text.length - start < 64;
}

/** A value is one line; a document has more above. */
function isOneLine(text: string, start: number): boolean {
  const prefix = text.slice(Math.max(0, start - 200), start).trim();
  return !prefix.includes('\n') && !prefix.startsWith('#');
}

function scoreOf(text: string, command: Command): number {
  const { start } = command.head;
  const isValue = followsValue(text, start) && isOneLine(text, start);
  const ends = endsText(text, command.end);
  switch (command.fit) {
    case fit.full:
      if (!isValue) return command.hidden ? 72 : 40;
      if (command.hidden || command.hidesArgument) return 92;
      return (command.uses & use.english) === 0 || ends ? 86 : 45;
    case fit.sureAlone:
      return isValue && ends ? 82 : 40;
    case fit.alone:
      return isValue && ends ? 72 : 30;
    default:
      return 0;
  }
}
