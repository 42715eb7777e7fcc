import { followsValue } from '../../text/place.ts';
import { readLineHead } from '../../tokenise/shell.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { type Command, fit, readCommand } from './command.ts';
import { endsText } from './place.ts';
import { commandNames, use } from './vocabulary.ts';

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
    'cc1 is run\ngcc -O2 -Wall -c list.c -o build/list.o',
    'Dear team,\nfind the file attached.\nCat',
    'milk\nbread\ncat food\ntime magazine',
    '# Set-up\n\n```\nnpm install\ncurl -L https://example.com/a.tgz\ntar xzf a.tgz\n```\n\nThat is all.',
    'St. John\nHost 5\nid 12',
    'install:\n\tcp app $(DESTDIR)/usr/bin/',
    'all: build\n\tgcc -o $@ $< && ./$@\nclean:\n\trm -f *.o',
    '<p>Use <code>NULL</code> for <em>it</em>\n.</p>',
    ">>> certs.where()\n    '/usr/lib/python3/certs/ca.pem'",
    '{\n  ".": "./index.js",\n  "./*": "./*"\n}',
    '==========\npip config\n==========',
    'Usage:\n  ifconfig [-a] [-v] <interface>',
    'Please see below.\n\nls -la shows two files\n\nThanks',
  ],
};

const linesMax = 4;

/** What a build prints line by line, with files of a project: it runs nothing. */
const isCompiler = /^(?:gcc|g\+\+|cc|clang|make|javac)$/;
const opensFile = /\/(?:etc|proc|tmp|dev|root)\/|-wrapper|-x ?c|[|<>$`]/;

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const at of lineBreaks(text)) {
    const head = readLineHead(text, at, commandNames.wordBetween);
    const command = head === undefined ? undefined : readCommand(text, head);
    if (command === undefined) continue;
    const score = scoreOf(text, command);
    if (score > (best?.score ?? 0)) best = { start: at, end: command.end, score };
  }
  return best;
}

/** The first line breaks of a text, and those near its end: a value has no more. */
function lineBreaks(text: string): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < text.length && found.length < linesMax; i++) {
    i = nextBreak(text, i);
    if (i < text.length) found.push(i);
  }
  const last = found[found.length - 1] ?? text.length;
  for (let i = Math.max(last + 1, text.length - endMax); i < text.length; i++) {
    i = nextBreak(text, i);
    if (i < text.length) found.push(i);
  }
  return found;
}

const endMax = 64;

/** Offset of the next line break, the length of the text when there is none. */
function nextBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.slice(from, feed < 0 ? text.length : feed).indexOf('\r');
  if (carriage >= 0) return from + carriage;
  return feed < 0 ? text.length : feed;
}

/** A value is one line; a document has more above. */
function isOneLine(text: string, start: number): boolean {
  const prefix = text.slice(Math.max(0, start - 200), start).trim();
  return !prefix.includes('\n') && !prefix.startsWith('#') && !prefix.startsWith('```');
}

/** A target of a makefile: `install:⏎⇥cp …`. */
function isRecipe(text: string, start: number): boolean {
  if (text.charCodeAt(start + 1) !== 9) return false;
  return target.test(text.slice(Math.max(0, start - 100), start));
}

/** `install:`, `all: build test` */
const target = /(?:^|\n)[\w./%-]{1,60}:(?: {0,2}[\w./%-]{1,40}){0,4}$/;

/** A heading with a line of signs below it, or a usage: `ifconfig [-a] <interface>`. */
function isManual(text: string, command: Command): boolean {
  const { nameEnd, start } = command.head;
  if (
    text
      .slice(nameEnd, nameEnd + 3)
      .trim()
      .startsWith('[')
  )
    return true;
  return (
    underline.test(text.slice(command.end, command.end + 12)) &&
    (start < 3 || adorned.test(text.slice(Math.max(0, start - 40), start)))
  );
}

const underline = /^\s{0,4}(?:={3}|-{3}|~{3})/;
const adorned = /(?:={3}|-{3}|~{3})\s{0,4}$/;

function scoreOf(text: string, command: Command): number {
  const { start } = command.head;
  if (isManual(text, command)) return 40;
  const isValue = followsValue(text, start) && isOneLine(text, start) && !isRecipe(text, start);
  const ends = endsText(text, command.end);
  switch (command.fit) {
    case fit.full:
      if (!isValue) return command.hidden ? 72 : 40;
      if (command.hidden || command.hidesArgument) return 92;
      if (isCompiler.test(command.name) && !opensFile.test(text.slice(start, command.end)))
        return 60;
      return (command.uses & use.english) === 0 || ends ? 86 : 45;
    case fit.sureAlone:
      return isValue && ends ? 82 : 40;
    case fit.alone:
      return isValue && ends ? 72 : 30;
    default:
      return 0;
  }
}
