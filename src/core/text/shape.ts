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
  for (const shape of shapes) {
    const found = matchOf(text, shape);
    if (found !== null) return found;
  }
  return null;
}

/** The first match of one. */
export function matchOf(text: string, { pattern, needs }: Shape): RegExpExecArray | null {
  return needs.some((literal) => text.includes(literal)) ? pattern.exec(text) : null;
}
