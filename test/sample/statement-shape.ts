/**
 * A statement of SQLite with its literals taken out: texts that only differ in the values that
 * they carry have one shape, and a value that became part of the statement changes it.
 */
export function shapeOf(statement: string): string {
  return statement
    .replaceAll(pieces, (piece) => {
      if (piece.startsWith("'")) return "''";
      if (/^-?\d/.test(piece)) return '0';
      return /^\s/.test(piece) ? ' ' : piece.toUpperCase();
    })
    .trim();
}

/** Quoted text, names in quotes, comments, numbers, space, words; all else stands for itself. */
const pieces =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<== )-\d+(?:\.\d*)?|\d+(?:\.\d*)?|\s+|[a-z_]\w*/gi;
