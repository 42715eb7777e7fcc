import { beyondAscii } from '../../match/prefilter.ts';
import { decodeBase64 } from '../../normalise/base64-alphabet.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { makesObjects } from '../../text/object-stream.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Protocol 2 to 5 behind their PROTO opcode, in base64 (pickletools, CPython). */
const base64Pickle = /(?:^|[^A-Za-z0-9+/])gA[JNRSUVW][A-Za-z0-9+/]{12}/g;
/** GLOBAL of protocol 0 with what only an attacker asks for, anywhere; memo or arguments follow. */
const commandGlobal =
  /(?:^|[\n.])c(?:os|nt|posix|subprocess|commands|builtins|__builtin__|pty|importlib|runpy)\r?\n(?:system|popen\w?|spawn\w{1,3}|exec\w{0,4}|eval|getattr|__import__|Popen|call|run|check_output|check_call|import_module|run_module)\r?\n(?=[(p.\]}V]|S['"])/;
/** How the line of that with the name begins: found far faster. */
const commandNames: readonly string[] = [
  ...['system', 'popen', 'spawn', 'exec', 'eval', 'getattr', '__import__'],
  ...['Popen', 'call', 'run', 'check_', 'import_'],
];
const commandInitials: ReadonlySet<number> = new Set(
  commandNames.map((name) => name.charCodeAt(0)),
);
const hexPickle = /(?:^|[^0-9a-f])800[2-5](?:63|28|7d|5d|58|8c|95)[0-9a-f]{24}/i;
/**
 * The PROTO opcode and what a pickler writes behind it: a frame of less than 2^24 bytes, a global,
 * a string, a list or dictionary with its memo. Three bytes alone agree by chance.
 */
const rawProtocol =
  /\u0080(?:[\u0004\u0005](?:\u0095[\s\S]{3}\u0000{5}|\(?\u008c[\u0001-\u0040][A-Za-z_]{2}|[}\]]\u0094)|[\u0002\u0003]\(?(?:c[A-Za-z_][\w.]|X[\s\S]{2}\u0000\u0000|[}\]]q[\s\S](?:\(|X|U|c)|U[\s\S]q))/;
/** That its first opcodes take. */
const headBytes = 12;

/** A pickled Python object. */
export const pickle: ValueRule = {
  id: 'deserialization.python-pickle',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'carries a pickled Python object, which calls functions when it is read',
  readsBytes: 'start',
  trigger: {
    literals: [
      [
        ...['8002', '8003', '8004', '8005'],
        ...['gAJ', 'gAN', 'gAR', 'gAS', 'gAU', 'gAV', 'gAW'],
        // Lengths of names, and the ends of lines. Texts are full of tabs: with its operation.
        ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter(
          (control) => control !== '\t',
        ),
        ...['C\t', 'G\t', 'h\t', 'I\t', 'J\t', 'K\t', 'M\t', 'q\t', 'r\t', 'T\t', 'U\t', 'X\t'],
        beyondAscii,
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
    '(U\u0002lsios\nsystem\n.',
    'KGNvcwpzeXN0ZW0KVjMxKjQ2Cm8u',
    'eJxrYNboYcpMySzIL86s4CquLC5JzeXSAwBWCweK',
    'Y!29z*CnN5~c3Rl.bQpO!hVIu',
    '636f730a 73797374656d0a\n4e 8552 2e',
    'gASVJQAAAAAAAACMBXBvc2l4lIwGc3lzdGVt',
    '\u0080\u0004\u0095\u0025\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u008c\u0005posix',
  ],
  lookalikes: [
    'const\nvalue\n(see R. Smith)',
    'cost of the system\n(2024)',
    'cos\nsystem\nsin',
    '(id\nname\nprice)',
    'cat\ndog\n(or both)',
    'KGNhdApkb2cKKQ==',
    'R+xa5nix8fimhKdXFsNS9DCBzgtUBWCHliy6f7Vi',
    'Y!29z*CnN5~c3Rl.bQo=',
    'magASIN',
    'gASTRO bar and grill',
    'calls\nnothing\n',
    'eyJnQVNWIjoxfQ.gAR.x',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    if (makesObjects(text) && text.charCodeAt(0) !== 4) return { start: 0, end: text.length };
    const command = holdsCommandLine(text) ? commandGlobal.exec(text) : null;
    if (command !== null) return foundBy(command);
    const base64 = text.includes('gA') ? encodedPickle(text) : null;
    const hex = text.includes('800') ? hexPickle.exec(text) : null;
    const raw = text.includes('\u0080') ? rawProtocol.exec(text) : null;
    return foundBy(base64 ?? hex ?? raw);
  },
};

/** The first that has the opcodes of a pickle behind its base64. */
function encodedPickle(text: string): RegExpExecArray | null {
  for (const found of text.matchAll(base64Pickle)) {
    const start = found.index + (found[0].startsWith('gA') ? 0 : 1);
    const head = decodeBase64(text, start, headBytes);
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
