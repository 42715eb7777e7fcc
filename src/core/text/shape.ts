/** A pattern, and literals of which each text that it matches holds at least one. */
export interface Shape {
  readonly pattern: RegExp;
  readonly needs: readonly string[];
}

/**
 * The first match of the first shape that has one. A literal is found many times faster than a
 * pattern, and hardly any text holds it.
 */
export function firstMatch(text: string, shapes: readonly Shape[]): RegExpExecArray | null {
  for (const { pattern, needs } of shapes) {
    if (!needs.some((literal) => text.includes(literal))) continue;
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}
