import { usesOf } from '../../knowledge/commands.ts';

/**
 * True when a word and a separator with a blank behind it stand before an offset, `Help; regedit`,
 * or a path and a separator, `C:\a;C:\b`. None behind a host, `localhost & `, `example.com & `.
 */
export function isListedWord(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - beforeCharsMax), at);
  return word.test(before) || path.test(before) || isCell(text, at);
}

const beforeCharsMax = 40;
const word = /(?:^|[^\w.])(?!localhost\b)[a-z\u00c0-\u1fff]{2,24}\s{0,2}[;&|]{1,2}\s{1,4}$/i;
const path = /\\[\w.-]{1,30}\s?[;|]\s?$/;

/** In the row of a table: the line above has as many separators, without a blank beside any. */
function isCell(text: string, at: number): boolean {
  const separator = text.charAt(at - 1);
  const start = text.lastIndexOf('\n', at) + 1;
  if (start === 0 || (separator !== ';' && separator !== '|')) return false;
  const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1).trimEnd();
  const end = text.indexOf('\n', at);
  const row = text.slice(start, end < 0 ? text.length : end).trimEnd();
  if (above.length + row.length > rowsCharsMax || !cells.test(above) || !cells.test(row))
    return false;
  return above.split(separator).length === row.split(separator).length;
}

const rowsCharsMax = 600;
const cells = /^[\w.:\\ -]{1,80}(?:[;|][\w.:\\ -]{0,80}){1,20}$/;

/** Words in front of an offset none of which is a command: a shell that is given them runs nothing. */
export function isTitle(text: string, at: number): boolean {
  const before = text.slice(0, Math.min(at, titleCharsMax + 1)).trim();
  return title.test(before) && before.split(' ').every((one) => usesOf(one.toLowerCase()) === 0);
}

const titleCharsMax = 40;
const title = /^\p{L}{2}[\p{L}\d ]{0,38}$/u;
