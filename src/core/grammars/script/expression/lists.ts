import { lexeme } from './lexer.ts';
import { level } from './operators.ts';
import { error, type Reader } from './reader.ts';
import type { Value } from './value.ts';

/** Values up to a closing bracket, and behind it. */
export function readList(reader: Reader, closer: string): Value[] {
  const { cursor } = reader;
  const items: Value[] = [];
  for (;;) {
    cursor.read(true);
    if (cursor.kind === lexeme.end) return items;
    if (cursor.is(closer)) {
      cursor.take();
      return items;
    }
    if (cursor.is('}') || cursor.is(')') || cursor.is(']')) return items;
    if (cursor.is(',') || cursor.is(';')) {
      cursor.take();
      continue;
    }
    const before = cursor.at;
    items.push(reader.grammar.expression(reader, level.assignment));
    cursor.read(false);
    if (cursor.is(':')) cursor.take();
    else if (cursor.is('=>')) cursor.take();
    else if (cursor.at === before) {
      error(reader);
      cursor.take();
    } else if (!isNext(reader, closer)) error(reader);
  }
}

/** The next value follows, or the bracket that ends the list; Ruby has statements in brackets. */
function isNext({ cursor }: Reader, closer: string): boolean {
  return cursor.is(',') || cursor.is(';') || cursor.is(closer) || cursor.kind === lexeme.end;
}
