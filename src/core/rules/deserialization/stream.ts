import { beyondAscii } from '../../match/prefilter.ts';
import { decodeBase64 } from '../../normalise/base64-alphabet.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { makesObjects } from '../../text/object-stream.ts';
import { characterSet } from '../../text/runs.ts';
import { openingPairs, pairOf } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** The stream magic and version of Java serialisation in its spellings: hex and base64. */
const streamHeader = /(?:^|[^0-9A-Za-z+/])(?:aced0005[0-9a-f]{2}|rO0AB[A-Za-z0-9+/_-]{4})/i;
const rawHeader = '\u00ac\u00ed\u0000\u0005';

/** A serialised Java object (Java Object Serialization Specification, section 6.4.2). */
export const javaStream: ValueRule = {
  id: 'deserialization.java-stream',
  score: confidence.certain,
  message: 'carries a serialised Java object',
  readsBytes: 'start',
  trigger: { literals: [['aced0005', 'rO0AB', '\u0000\u0005']] },
  examples: [
    ...['rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA', 'aced0005737200116a6176612e7574696c2e48617368'],
    ...['state=rO0ABXVyABNbTGphdmE=', '\u00ac\u00ed\u0000\u0005sr\u0000\u0011java.util.HashMap'],
  ],
  lookalikes: [
    ...['faced00051', 'the file starts with the bytes ac ed 00 05', 'xrO0ABout'],
    'eyJhbGciOiJIUzI1NiJ9.eyJyTzBBQiI6MX0.c2ln',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const raw = text.indexOf(rawHeader);
    if (raw >= 0) return { start: raw, end: Math.min(text.length, raw + 40) };
    const found = streamHeader.exec(text);
    if (found === null || found[0].includes('RO0') || found[0].includes('ro0')) return undefined;
    return foundBy(found);
  },
};

/**
 * The header record of .NET BinaryFormatter (MS-NRBF, section 2.6.1) in base64 at each of the three
 * alignments that a container such as ViewState can give it, and as bytes.
 */
const headers: readonly string[] = [
  ...wordList('AAEAAAD///// AAQAAAP////8 ABAAAA///// AAEAAAD_____ AAQAAAP____8 ABAAAA_____'),
  '\u0000\u0001\u0000\u0000\u0000\u00ff\u00ff\u00ff\u00ff',
];

/** A serialised .NET object graph. */
export const dotnetStream: ValueRule = {
  id: 'deserialization.dotnet-stream',
  score: confidence.certain,
  message: 'carries a serialised .NET object graph',
  readsBytes: 'anywhere',
  trigger: {
    literals: [['AAEAAAD', 'AAQAAAP', 'ABAAAA', '\u0000\u0001\u0000\u0000\u0000']],
  },
  examples: [
    ...['AAEAAAD/////AQAAAAAAAAAMAgAAAElTeXN0ZW0', '/wEyxBEAAQAAAP////8BAAAAAAAAAAwC'],
    'AAEAAAD_____AQAAAAAAAAAMAgAAAElTeXN0ZW0',
  ],
  lookalikes: [
    ...['/wEPDwUKLTEwMjY0NTk1Nw9kFgICAw9kFgI', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'],
    'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
    'AAAAAAEAAAAD//8=',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    for (const header of headers) {
      const start = text.indexOf(header);
      if (start >= 0) return { start, end: Math.min(text.length, start + 40) };
    }
    return undefined;
  },
};

/**
 * `O:8:"Class":1:{…` or `C:…`, as `serialize()` of PHP writes objects; plain arrays and scalars
 * pass.
 */
const head = /(?:^|[^A-Za-z0-9_])[OC]:\+?\d+:"/g;
const behindHead = /^[A-Za-z_\\][\w\\]*":\d+:\{/;
/** Of a name and a count. */
const behindMax = 400;

/** A serialised PHP object. */
export const phpObject: ValueRule = {
  id: 'deserialization.php-object',
  score: confidence.certain,
  message: 'carries a serialised PHP object, whose class would be created and run',
  trigger: {
    literals: [
      ['O:', 'C:'],
      [':{', ':"'],
    ],
  },
  examples: [
    ...['O:4:"Cart":1:{s:2:"id";i:5;}', 'a:1:{i:0;O:3:"Log":0:{}}', 'O:+4:"Cart":0:{}'],
    ...['O:0000000004:"Cart":000000000:{}', 'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}'],
    'O:10:"App\\Mailer":1:{s:1:"x";N;}',
  ],
  lookalikes: [
    ...['a:2:{s:4:"name";s:4:"Anna";s:3:"age";i:30;}', 'BCC:1:"x":2', 'ISO:9001:"quality":1:{a}'],
    ...['O:4 is the ratio', '{"O":4,"C":{"a":1}}'],
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    head.lastIndex = 0;
    for (let found = head.exec(text); found !== null; found = head.exec(text)) {
      const at = head.lastIndex;
      const behind = behindHead.exec(text.slice(at, at + behindMax));
      if (behind !== null) return { start: found.index, end: at + behind[0].length };
    }
    return undefined;
  },
};

/** Marshal 4.8 and the type byte of an object or a user-defined class: bytes, hex, base64. */
const marshal =
  /\u0004\u0008(?:[oUuIC][:;\u0006-\u0020]|\[[\u0006-\u0020][co])|(?:^|[^0-9A-Za-z])0408(?:6f3a|553a|753a|5b[01][0-9a-f]6[3f])|(?:^|[^0-9A-Za-z+/])BAh(?:[vV1]O[g-v]|b[BC][A-Za-z0-9+/][M8w]|j[C-J][A-Za-z0-9+/]{2}[A-Za-z0-9+/]{4})[A-Za-z0-9+/]{4}/;

/** A marshalled Ruby object. */
export const rubyMarshal: ValueRule = {
  id: 'deserialization.ruby-marshal',
  score: confidence.strong,
  message: 'carries a marshalled Ruby object',
  readsBytes: 'start',
  trigger: { literals: [['\u0004\u0008', '0408', 'BAh']] },
  examples: [
    ...['\u0004\u0008o:\u0008Cat\u0006', '04086f3a0843617406', 'BAhvOghDYXQG', 'BAhVOhVHZW06'],
    ...['BAhjCkdlbTo6U3BlY0ZldGNoZXI=', 'BAhbB1R1OgtMb2dnZXIA'],
    ...['04085b073a07666b753a08455242073239', 'B!Ah1!Ogh*FUkIA', '04085b0754753a0845 52420732'],
  ],
  lookalikes: [
    ...['order 0408-553', 'BAh, humbug', '040812345678', 'BAhamas', 'BAhbB2kHaQg='],
    ...['04085b07690769083a0b4c6f67676572', 'B!Ahb!B2k*HaQg='],
    '04085b0769 0769083a0b4c6f67 676572',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    if (text.startsWith('\u0004\u0008') && makesObjects(text))
      return { start: 0, end: text.length };
    return foundBy(marshal.exec(text));
  },
};

/** Protocol 2 to 5 behind their PROTO opcode, in base64 (pickletools, CPython). */
const base64Pickle = /(?<![A-Za-z0-9+/])gA[JNRSUVW][A-Za-z0-9+/]{12}/g;
/** GLOBAL of protocol 0 with what only an attacker asks for, anywhere; memo or arguments follow. */
const commandGlobal =
  /(?<![A-Za-z0-9_])c(?:os|nt|posix|subprocess|commands|builtins|__builtin__|pty|importlib|runpy)\r?\n(?:system|popen\w?|spawn\w{1,3}|exec\w{0,4}|eval|getattr|__import__|Popen|call|run|check_output|check_call|import_module|run_module)\r?\n(?=[(p.\]}V]|S['"])/;
/** How its two lines end and begin: found far faster. */
const moduleEnds = characterSet('stx_yb\r');
const commandOpenings = openingPairs(
  wordList('system popen spawn exec eval getattr __import__ Popen call run check_ import_'),
);
const hexPickle = /(?<![0-9a-f])800[2-5][0-9a-f]{24,8192}/gi;
/** What is longer than a hash may call where it is read no more: its first opcode is enough. */
const longHexPickle = /^800[2-5](?:63|28|7d|5d|58|8c|95)[0-9a-f]{250}/i;
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
    ...["cos\nsystem\n(S'ls'\ntR.", 'c__builtin__\neval\n(Vprint(1)\ntR.'],
    ...["(S'ls'\nios\nsystem\n.", "cos\nsystem\np0\n(S'ls'\np1\ntp2\nRp3\n."],
    ...["S'a'\np0\ncos\npopen\n.", '80036362756e0a71005802000000696471018571025271032e'],
    ...['(U\u0002lsios\nsystem\n.', 'KGNvcwpzeXN0ZW0KVjMxKjQ2Cm8u'],
    ...['eJxrYNboYcpMySzIL86s4CquLC5JzeXSAwBWCweK', 'Y!29z*CnN5~c3Rl.bQpO!hVIu'],
    'session=eJxLzi/mKq4sLknN5dIIVs8pVucqCdIDAE+CBqU=; path=/',
    'Bearer H4sIAAAAAAACA0vOL+YqriwuSc3l0ghWzylW5yoJ0gMAOlhTaxUAAAA=',
    'session=eJztwbENgDAMALA9j4QJ8QIv0BNQtyKGdOH7HoLtlicAAAAAAAAAAPxAxnG/FfXV7E9sLUdlzGtf/hH1IA==',
    'session=636f730a73797374656d0a2853276c73270a74522e; path=/',
    'session=eNrt2KsRgDAQANFLcLE0EUUPtIA6yycCwTA3FwQCT9kw9IDbJ7eEvUyyBhEZLejdivQAAAAAAAAAfmfx23KTNfPuyU+vZUtZ49vWpQ5H9wCQSwFh; path=/',
    ...["session=cos\nsystem\n(S'ls'\ntR.", '636f730a 73797374656d0a\n4e 8552 2e'],
    "V\\u006fs\np5_0\n0V\\u0073ystem\nq\u00010g50\nh\u0001\u0093(S'ls'\ntR.",
    `\u0080\u0004Vos\nV${'path.os.'.repeat(30)}system\n\u0093(Vls\ntR.`,
    'cos\nsystem\np1\u0000\n0Vx\np2\u0000\n0g1\n(Vls\ntR.',
    'c__main__\nA\nN}(V__setstate__\ncos\nsystem\nu\u0086bVls\nb.',
    `80025d${'4e30'.repeat(2_100)}636f730a73797374656d0a28566c730a74522e`,
    'gASVJQAAAAAAAACMBXBvc2l4lIwGc3lzdGVt',
    '\u0080\u0004\u0095\u0025\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u008c\u0005posix',
  ],
  lookalikes: [
    ...['const\nvalue\n(see R. Smith)', 'cost of the system\n(2024)', 'cos\nsystem\nsin'],
    ...['(id\nname\nprice)', 'cat\ndog\n(or both)', 'coffee\nmilk\nIce cream\nRice'],
    ...['KGNhdApkb2cKKQ==', '80029551f0c4d3a2b1908f7e6d5c4b3a29181716'],
    ...[']N\u0093NR and other bytes', 'R+xa5nix8fimhKdXFsNS9DCBzgtUBWCHliy6f7Vi'],
    ...['Y!29z*CnN5~c3Rl.bQo=', 'magASIN', 'gASTRO bar and grill'],
    ...['calls\nnothing\n', 'session=eJztwQENAAAAwqCU71/FHg4oAAAAAAAAAAD4N2HKrO4='],
    'Bearer H4sIAAAAAAACA+3BAREAMAgEoC4fwzazhmf3BRGYvFQaAAAAAAAAAAAOyH7OPWGzMCMAAA==',
    'eyJnQVNWIjoxfQ.gAR.x',
  ],
  judge({ text, classes }): Match | undefined {
    if (makesObjects(text) && text.charCodeAt(0) !== 4) return { start: 0, end: text.length };
    const command = holdsCommandLine(text) ? commandGlobal.exec(text) : null;
    if (command !== null) return foundBy(command);
    const isHex = (classes & charClass.digit) !== 0 && text.includes('800');
    const hex = isHex ? encodedPickle(text, hexPickle, bytesOfHex) : undefined;
    const base64 = text.includes('gA')
      ? encodedPickle(text, base64Pickle, (digits) => decodeBase64(digits, 0, headBytes))
      : undefined;
    const raw =
      (classes & charClass.nonAscii) !== 0 && text.includes('\u0080')
        ? rawProtocol.exec(text)
        : null;
    return base64 ?? hex ?? foundBy(raw);
  },
};

/** The first that has the opcodes of a pickle behind its base64 or hex. */
function encodedPickle(
  text: string,
  digits: RegExp,
  decode: (digits: string) => string,
): Match | undefined {
  for (const found of text.matchAll(digits)) {
    if (longHexPickle.test(found[0])) return foundBy(found);
    const bytes = decode(found[0]);
    if (bytes.search(rawProtocol) === 0 || makesObjects(bytes)) return foundBy(found);
  }
  return undefined;
}

const hexByte = /../g;

function bytesOfHex(digits: string): string {
  return digits.replace(hexByte, (one) => String.fromCharCode(Number.parseInt(one, 16)));
}

function holdsCommandLine(text: string): boolean {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (moduleEnds[text.charCodeAt(at - 1)] !== 1) continue;
    const opening = pairOf(text.charCodeAt(at + 1), text.charCodeAt(at + 2));
    if (commandOpenings[opening] === 1) return true;
  }
  return false;
}
