import { decodeBase64 } from '../../normalise/base64-alphabet.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Protocol 2 to 5 behind their PROTO opcode, in base64 (pickletools, CPython). */
const base64Pickle = /(?:^|[^A-Za-z0-9+/])gA[JNRSUVW][A-Za-z0-9+/]{12}/g;
/**
 * Protocol 0: GLOBAL with module and name on lines of their own, then what REDUCE calls it with.
 */
const globalOpcode = /(?:^|[^A-Za-z])c[a-z_][\w.]{0,60}\r?\n[A-Za-z_]\w{0,60}\r?\n/;
/** The same with what only an attacker asks for; memo or arguments follow. */
const commandGlobal =
  /(?:^|[\n.])c(?:os|nt|posix|subprocess|commands|builtins|__builtin__|pty|importlib|runpy)\r?\n(?:system|popen\w?|spawn\w{1,3}|exec\w{0,4}|eval|getattr|__import__|Popen|call|run|check_output|check_call|import_module|run_module)\r?\n(?=[(p.\]}V]|S['"])/;
/** How the line of that with the name begins: found far faster. */
const commandNames: readonly string[] = [
  ...['system', 'popen', 'spawn', 'exec', 'eval', 'getattr', '__import__'],
  ...['Popen', 'call', 'run', 'check_', 'import_'],
];
const reduceOpcode = /\n(?:p\d{1,4}\r?\n)?t(?:p\d{1,4}\r?\n)?R[.bpsa]/;
const commandInitials: ReadonlySet<number> = new Set(
  commandNames.map((name) => name.charCodeAt(0)),
);
/** What REDUCE is called with, behind a memo of the function. */
const argumentsOpen = /^(?:p\d{1,4}\r?\n)?\(/;
/** Protocol 0: INST takes module and name after its arguments. */
const instanceOpcode =
  /\(S'[^'\r\n]{0,200}'\r?\n(?:p\d{1,4}\r?\n)?i[a-z_][\w.]{0,60}\r?\n\w{1,60}\r?\n/;
const hexPickle = /(?:^|[^0-9a-f])800[2-5](?:63|28|7d|5d|58|8c|95)[0-9a-f]{24}/i;
const opcodesChars = 2000;
/**
 * The PROTO opcode and what a pickler writes behind it: a frame of less than 2^24 bytes, a global,
 * a string, a list or dictionary with its memo. Three bytes alone agree by chance.
 */
const rawProtocol =
  /\u0080(?:[\u0004\u0005](?:\u0095[\s\S]{3}\u0000{5}|\(?\u008c[\u0001-\u0040][A-Za-z_]{2}|[}\]]\u0094)|[\u0002\u0003]\(?(?:c[A-Za-z_][\w.]|X[\s\S]{2}\u0000\u0000|[}\]]q[\s\S](?:\(|X|U|c)|U[\s\S]q))/;
/** Characters of the base64 that its first opcodes take. */
const base64HeadChars = 16;

/** A pickled Python object. */
export const pickle: ValueRule = {
  id: 'deserialization.python-pickle',
  category: 'deserialization',
  cwe: 'CWE-502',
  severity: 'critical',
  score: 85,
  message: 'carries a pickled Python object, which calls functions when it is read',
  readsBytes: 'start',
  trigger: {
    literals: [
      [
        'gAJ',
        'gAN',
        '8002',
        '8003',
        '8004',
        '8005',
        '(S',
        'gAR',
        'gAS',
        'gAU',
        'gAV',
        'gAW',
        '\n(',
        'system\n',
        'popen\n',
        'eval\n',
        'exec\n',
        'getattr\n',
        '\u0002',
        '\u0003',
        '\u0004',
        '\u0005',
      ],
    ],
  },
  examples: [
    "cos\nsystem\n(S'ls'\ntR.",
    'c__builtin__\neval\n(Vprint(1)\ntR.',
    "(S'ls'\nios\nsystem\n.",
    "cos\nsystem\np0\n(S'ls'\np1\ntp2\nRp3\n.",
    "S'a'\np0\ncos\npopen\n.",
    '80036362756e0a71005802000000696471018571025271032e',
    'gASVJQAAAAAAAACMBXBvc2l4lIwGc3lzdGVt',
    '\u0080\u0004\u0095\u0025\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u008c\u0005posix',
  ],
  lookalikes: [
    'const\nvalue\n(see R. Smith)',
    'cost of the system\n(2024)',
    'cos\nsystem\nsin',
    'magASIN',
    'gASTRO bar and grill',
    'calls\nnothing\n',
    'eyJnQVNWIjoxfQ.gAR.x',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    // Short literals that no pickle lacks, as most texts that come here are only prose with
    // `organ`.
    const call = text.includes('\n(') ? globalOpcode.exec(text) : null;
    if (call !== null) {
      const start = call.index + call[0].length;
      const rest = text.slice(start, start + opcodesChars);
      if (argumentsOpen.test(rest) && reduceOpcode.test(rest)) return matchOf(call);
    }
    const command = holdsCommandLine(text) ? commandGlobal.exec(text) : null;
    if (command !== null) return matchOf(command);
    const instance = text.includes("(S'") ? instanceOpcode.exec(text) : null;
    if (instance !== null) return matchOf(instance);
    const base64 = text.includes('gA') ? encodedPickle(text) : null;
    const hex = text.includes('800') ? hexPickle.exec(text) : null;
    const raw = text.includes('\u0080') ? rawProtocol.exec(text) : null;
    return matchOf(base64 ?? hex ?? raw);
  },
};

/** The first that has the opcodes of a pickle behind its base64. */
function encodedPickle(text: string): RegExpExecArray | null {
  for (const found of text.matchAll(base64Pickle)) {
    const start = found.index + (found[0].startsWith('gA') ? 0 : 1);
    const head = decodeBase64(text.slice(start, start + base64HeadChars));
    if (head.search(rawProtocol) === 0) return found;
  }
  return null;
}

function holdsCommandLine(text: string): boolean {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    // Blank lines are passed over without a search for each.
    while (text.charCodeAt(at + 1) === 10) at++;
    if (!commandInitials.has(text.charCodeAt(at + 1))) continue;
    for (const name of commandNames) if (text.startsWith(name, at + 1)) return true;
  }
  return false;
}

function matchOf(found: RegExpExecArray | null): Match | undefined {
  if (found === null) return undefined;
  return { start: found.index, end: found.index + found[0].length };
}
