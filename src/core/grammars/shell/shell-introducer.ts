import { isAlnum } from '../../text/char-class.ts';
import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import { indexWithin, shellChar } from './shell-character.ts';

/** What opens the place of a command. */
export const introducer = {
  /** Start of the text. */
  start: 0,
  semicolon: 1,
  pipe: 2,
  ampersand: 3,
  /** `&&` */
  and: 4,
  /** `||` */
  or: 5,
  lineBreak: 6,
  /** `$(` */
  substitution: 7,
  backtick: 8,
  /** `<(` and `>(` */
  process: 9,
} as const;

export type Introducer = (typeof introducer)[keyof typeof introducer];

/** Length of the introducer at `at`, 0 when there is none. */
export function introducerLength(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case 10:
      return 1;
    case shellChar.semicolon:
      return endsEntity(text, at) ? 0 : 1;
    case shellChar.pipe:
      return next === shellChar.pipe || next === shellChar.ampersand ? 2 : 1;
    case shellChar.ampersand: {
      const before = text.charCodeAt(at - 1);
      if (before === shellChar.greater || before === shellChar.less || next === shellChar.greater)
        return 0;
      if (next === shellChar.ampersand) return 2;
      return startsEntity(text, at) ? 0 : 1;
    }
    case shellChar.backtick:
      return isFence(text, at) ? 0 : 1;
    default:
      return next === shellChar.openParen ? 2 : 0;
  }
}

/** The one at `at`. */
export function introducerAt(text: string, at: number): Introducer {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case 10:
      return introducer.lineBreak;
    case shellChar.semicolon:
      return introducer.semicolon;
    case shellChar.pipe:
      return next === shellChar.pipe ? introducer.or : introducer.pipe;
    case shellChar.ampersand:
      return next === shellChar.ampersand ? introducer.and : introducer.ampersand;
    case shellChar.backtick:
      return introducer.backtick;
    case shellChar.dollar:
      return introducer.substitution;
    default:
      return introducer.process;
  }
}

/** Backticks in a row are Markdown, not a shell. */
function isFence(text: string, at: number): boolean {
  const { backtick } = shellChar;
  return text.charCodeAt(at + 1) === backtick || text.charCodeAt(at - 1) === backtick;
}

const entityNames: WordTable = createWordTable(
  wordList(
    'amp lt gt quot apos nbsp copy reg euro pound hellip mdash ndash laquo raquo ldquo rdquo',
    'lsquo rsquo bull middot times trade',
  ),
);

/** True when the ampersand at `at` starts an HTML character reference. */
function startsEntity(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  const isNumeric = next === 35;
  if (!isAlnum(isNumeric ? text.charCodeAt(at + 2) : next)) return false;
  const end = indexWithin(text, ';', at + 1, 9);
  if (end < 0 || isNumeric) return end >= 0;
  return entityNames.wordBetween(text, at + 1, end) !== '';
}

/** True when the semicolon at `at` ends an HTML character reference. */
function endsEntity(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i <= 9; i--) {
    const code = text.charCodeAt(i);
    if (code === shellChar.ampersand) return startsEntity(text, i);
    if (!isAlnum(code) && code !== 35) return false;
  }
  return false;
}
