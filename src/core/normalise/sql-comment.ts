import { CharBuffer } from '../text/char-buffer.ts';
import { charClass, isDigit } from '../text/char-class.ts';
import type { Decoder, Marks } from './decoder.ts';

/** A text without these holds no block comment. */
export const commentClasses = charClass.slash | charClass.star;

/**
 * Takes the block comments of SQL out, each for one space, as a server does before it reads a
 * statement. Servers do not agree on them, so that each reading is a view: a comment ends with the
 * first end mark (SQL-92, MySQL, SQLite), comments nest (`nested`: SQL:2003, PostgreSQL, SQL
 * Server), and what begins with `/*!` or `/*M!` is code for MySQL and MariaDB unless it asks for a
 * version to come (`executable`, `mariadb`).
 */
export const sqlComment: Decoder = {
  name: 'sql-comment',
  // `ls/**/*.js` is one word of a shell, and the name of a file.
  notReadBy: ['cmdi'],
  classes: commentClasses,
  applies: mayHoldBlock,
  decode: (text, emit) => {
    const flat = withoutComments(text, reading.flat);
    if (flat === undefined) return;
    emit(flat.text);
    if (flat.mayNest) {
      const nested = withoutComments(text, reading.nested);
      if (nested !== undefined) emit(nested.text, 'nested');
    }
    if (flat.isExecutable) {
      const code = withoutComments(text, reading.executable);
      if (code !== undefined) emit(code.text, 'executable');
      // MariaDB takes no versions of MySQL that it does not know (5.7 to 9.9).
      const own = skippedByMaria.test(text) ? withoutComments(text, reading.mariadb) : undefined;
      if (own !== undefined) emit(own.text, 'mariadb');
    }
  },
};

export function mayHoldBlock(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  return (classes & commentClasses) === commentClasses && text.includes('/*');
}

const reading = { flat: 0, nested: 1, executable: 2, mariadb: 3 } as const;
const skippedByMaria = /\/\*!0?(?:50[7-9]|5[1-9]\d|[6-9]\d\d)\d\d(?!\d)/;
const versionMax = 10;

interface Without {
  readonly text: string;
  /** Another comment begins in one. */
  readonly mayNest: boolean;
  readonly isExecutable: boolean;
}

/** The text without its comments; undefined when it has none that ends. */
function withoutComments(text: string, how: number): Without | undefined {
  const out = new CharBuffer(text.length);
  let copied = 0;
  let mayNest = false;
  let isExecutable = false;
  /** Comments whose text is code. */
  let open = 0;
  for (let at = text.indexOf('/'); at >= 0 && at < text.length; ) {
    const isBegin = text.charCodeAt(at + 1) === 42;
    if (!isBegin) {
      const isEnd = open > 0 && text.charCodeAt(at - 1) === 42 && at > copied;
      if (isEnd) {
        out.pushSlice(text, copied, at - 1);
        out.push(space);
        copied = at + 1;
        open--;
      }
      at = text.indexOf('/', at + 1);
      continue;
    }
    const code = isSkipped(text, at, how) ? -1 : codeStart(text, at);
    isExecutable ||= code > 0;
    const isOwn = how >= reading.executable;
    const isCode = isOwn && code > 0;
    const end = isCode
      ? code
      : endOfBlock(text, at, levelsOf(isOwn ? code : 0, how === reading.nested));
    if (end < 0) break;
    mayNest ||= !isCode && text.lastIndexOf('/*', end - 3) > at;
    out.pushSlice(text, copied, at);
    out.push(space);
    copied = end;
    if (isCode) open++;
    at = text.indexOf('/', end);
  }
  if (copied === 0) return undefined;
  out.pushSlice(text, copied, text.length);
  return { text: out.finish(), mayNest, isExecutable };
}

function isSkipped(text: string, at: number, how: number): boolean {
  return how === reading.mariadb && skippedByMaria.test(text.slice(at, at + versionMax));
}

/**
 * How many comments are in one another at most. One with a version to come holds others, and these
 * none (`consume_comment` of MySQL and MariaDB).
 */
export function levelsOf(code: number, isNested: boolean): number {
  if (isNested) return Number.POSITIVE_INFINITY;
  return code < 0 ? 2 : 1;
}

/** Offset behind the block comment that begins at `at`; -1 when it does not end. */
export function endOfBlock(text: string, at: number, levels: number): number {
  if (levels === 1) {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? -1 : end + 2;
  }
  let depth = 1;
  for (let i = at + 2; i + 1 < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code === 47 && next === 42 && depth < levels) depth++;
    else if (code === 42 && next === 47) depth--;
    else continue;
    if (depth === 0) return i + 2;
    i++;
  }
  return -1;
}

/**
 * Where the code of an executable comment begins, behind its version; 0 for a plain comment, -1 for
 * one whose version is 9.9 or, in six digits, 90 and more: no server has that yet, so that all skip it.
 */
export function codeStart(text: string, at: number): number {
  const mark = (text.charCodeAt(at + 2) | 32) === 109 ? at + 3 : at + 2;
  if (text.charCodeAt(mark) !== 33) return 0;
  let end = mark + 1;
  while (end < mark + 7 && isDigit(text.charCodeAt(end))) end++;
  const isVersion = end - mark > 5;
  if (isVersion && text.startsWith(end - mark > 6 ? '9' : '99', mark + 1)) return -1;
  return isVersion ? end : mark + 1;
}

const space = 32;
