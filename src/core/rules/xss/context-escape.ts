import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isAlnum } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Elements that hold text only, so that an attack has to close them first. */
const rawText = ['title', 'style', 'script', 'textarea', 'noscript', 'noembed', 'noframes', 'xmp'];

/** One of these is in every such text. */
const closers = ['-->', '--!>', '*/', ']]>', '%>', ...rawText.map((name) => `</${name}`)];

/** `'"`-->]]></title>`: whatever place the value lands in, it gets out of it. */
export const contextEscape: ValueRule = {
  id: 'xss.context-escape',
  score: confidence.likely,
  message: 'closes strings, comments and elements of several kinds one after the other',
  trigger: { literals: [closers] },
  judge: judgeEscape,
  examples: [
    '\'"`--></x',
    'a"\'--></style></title>b',
    '</style/</title/</textarea/</script/--!>',
    '*/--></title></style></textarea>',
    '</noscript></script></title>x',
  ],
  lookalikes: [
    '</div></body></html>',
    '<style>a{}</style></head><title>x</title>',
    '<textarea>a</textarea></td></tr></table>',
    '\'a\' => "b", `c` --> d',
    '<!-- a --><p title="x">b</p>',
    '<style>a{b:"x"}</style><noscript>none</noscript>',
  ],
};

/** Kinds of closers, as bits; the raw text elements follow. */
const kind = { single: 1, double: 2, tick: 4, comment: 8, cdata: 16, block: 32, page: 64 } as const;
const firstElement = 7;

function judgeEscape(subject: Subject): Match | undefined {
  const { text } = subject;
  let opened: number | undefined;
  const isEnough = (kinds: number): boolean => {
    if (bitCount(kinds) < 3) return false;
    opened ??= openedBy(text);
    return isCertain(kinds, opened);
  };
  let start = -1;
  let seen = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isAlnum(code) || code >= 128 || code === 10) {
      if (seen !== 0 && isEnough(seen)) return { start, end: at };
      seen = 0;
      start = -1;
      at++;
      continue;
    }
    const { bit, length } = mayClose[code] === 1 ? closerAt(text, at, code) : other;
    if (bit !== 0) {
      if (start < 0) start = at;
      seen |= bit;
    }
    at += length;
  }
  return isEnough(seen) ? { start, end: text.length } : undefined;
}

/** Kind of the closer at an offset, 0 for none, and how many characters to go on. */
function closerAt(text: string, at: number, code: number): Closer {
  switch (code) {
    case 39:
      return single;
    case 34:
      return double;
    case 96:
      return tick;
    case 45:
      return text.startsWith('-->', at) || text.startsWith('--!>', at) ? comment : other;
    case 93:
      return text.startsWith(']]>', at) ? cdata : other;
    case 42:
      return text.charCodeAt(at + 1) === 47 ? block : other;
    case 37:
      return text.charCodeAt(at + 1) === 62 ? page : other;
    case 60:
      return text.charCodeAt(at + 1) === 47 ? endTagAt(text, at) : other;
    default:
      return other;
  }
}

interface Closer {
  readonly bit: number;
  readonly length: number;
}

const mayClose: Uint8Array = characterSet('\'"`-]*%<');
const other: Closer = { bit: 0, length: 1 };
const single: Closer = { bit: kind.single, length: 1 };
const double: Closer = { bit: kind.double, length: 1 };
const tick: Closer = { bit: kind.tick, length: 1 };
const comment: Closer = { bit: kind.comment, length: 3 };
const cdata: Closer = { bit: kind.cdata, length: 3 };
const block: Closer = { bit: kind.block, length: 2 };
const page: Closer = { bit: kind.page, length: 2 };

function endTagAt(text: string, at: number): Closer {
  const name = text.slice(at + 2, at + 10).toLowerCase();
  for (let i = 0; i < rawText.length; i++) {
    const element = rawText[i] as string;
    if (!name.startsWith(element)) continue;
    return { bit: 1 << (firstElement + i), length: 2 + element.length };
  }
  return other;
}

/**
 * Four kinds, one of them no quotation mark; or three, when two are elements that hold text and
 * that the value has not opened.
 */
function isCertain(seen: number, opened: number): boolean {
  const kinds = bitCount(seen);
  const elements = bitCount(seen >>> firstElement);
  if (kinds < 3 || kinds === bitCount(seen & 7)) return false;
  if (elements >= 2) return (seen & opened) === 0;
  return kinds >= 4;
}

/** Bits of the raw text elements that the text itself opens. */
function openedBy(text: string): number {
  const lower = text.toLowerCase();
  let bits = 0;
  rawText.forEach((name, i) => {
    if (lower.includes(`<${name}`)) bits |= 1 << (firstElement + i);
  });
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
