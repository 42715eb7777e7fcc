import { lexeme } from './lexer.ts';
import { level } from './operators.ts';
import { error, type Reader } from './reader.ts';
import { unknown, type Value, word } from './value.ts';

const spreadMax = 64;

/** Values up to a closing bracket, and behind it. */
export function readList(reader: Reader, closer: string): Value[] {
  const { cursor } = reader;
  const items: Value[] = [];
  // `[,a]`: an item may be left out of a list, and counts.
  let isDue = closer === ']';
  for (;;) {
    cursor.read(true);
    if (cursor.kind === lexeme.end) return items;
    if (cursor.is(closer)) {
      cursor.take();
      return items;
    }
    if (cursor.is('}') || cursor.is(')') || cursor.is(']')) return items;
    if (cursor.is(',') || cursor.is(';')) {
      if (isDue) items.push(word('undefined'));
      isDue = closer === ']';
      cursor.take();
      continue;
    }
    isDue = false;
    const before = cursor.at;
    const isSpread = cursor.is('...');
    const item = reader.grammar.expression(reader, level.assignment);
    items.push(...(isSpread ? spread(item, closer) : [item]));
    cursor.read(false);
    if (cursor.is(':')) {
      if (closer === ')' && isAddress(reader)) error(reader);
      cursor.take();
    } else if (cursor.is('=>')) cursor.take();
    else if (cursor.at === before) {
      error(reader);
      cursor.take();
    } else if (!isNext(reader, closer)) error(reader);
  }
}

/** `[a](https://a.test/b)`: a link of Markdown. To Ruby `f(https://x)` is an argument of that name. */
function isAddress({ cursor }: Reader): boolean {
  const { text, start, end } = cursor;
  return text.startsWith('//', end) && web.test(text.slice(Math.max(0, start - 8), start));
}

const web = /[^[]\]\(https?$/;

/** `f(...['a', b])`; of brackets the list itself is spread, and a name may be the rest of the parameters. */
function spread(item: Value, closer: string): readonly Value[] {
  if (item.kind === 'list' && closer === ')') return item.items.slice(0, spreadMax);
  return [item.kind === 'reference' ? { ...item, isRest: true } : item];
}

/** The next value follows, or the bracket that ends the list; Ruby has statements in brackets. */
function isNext({ cursor }: Reader, closer: string): boolean {
  return cursor.is(',') || cursor.is(';') || cursor.is(closer) || cursor.kind === lexeme.end;
}

/** A text with so many is no program, such as a list of links, whose `://` hides each bracket that closes. */
const errorsMax = 8;

/**
 * Passes over what is nested too deeply, up to where an item of a list ends. Of what is no program the
 * rest is read by itself.
 */
export function skipItem(reader: Reader): Value {
  const { cursor, scene, place, errors, lines } = reader;
  error(reader);
  if (place === undefined && errors > lines + errorsMax && cursor.cut()) return unknown;
  scene.isComplete = false;
  do {
    cursor.read(true);
    cursor.take();
  } while (!isItemEnd(reader));
  return unknown;
}

function isItemEnd({ cursor }: Reader): boolean {
  cursor.read(true);
  if (cursor.kind !== lexeme.punctuation) return cursor.kind === lexeme.end;
  return itemEnds.has(cursor.word);
}

const itemEnds: ReadonlySet<string> = new Set([',', ';', ')', ']', '}']);
