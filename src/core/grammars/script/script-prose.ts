import type { Subject } from '../../placement/subject.ts';
import { expression } from './expression/expression.ts';
import { scriptPieces } from './script-pieces.ts';

/**
 * Whether script in a text stands in prose, where nothing runs it. Most words of an attack can
 * stand beside one another as well, in a comment, a literal, or the literal that it breaks out of:
 * a text that is a program from its begin or from a quote on is no prose.
 */
export function isScriptInProse(subject: Subject): boolean {
  if (!subject.tokens(scriptPieces).isProse) return false;
  const { passages } = subject.tokens(expression);
  return !passages.some(({ errors, isOpen }) => errors === 0 && !isOpen);
}
