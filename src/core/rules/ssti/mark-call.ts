import { shellCommand } from '../../grammars/script/expression/capabilities.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordSet } from '../../text/words.ts';
import type { Expressions } from './expression.ts';

/** Ruby's `%x(…)` and backticks, Smarty's and Twig's `|system`. */
export function markScore(expressions: Expressions, index: number): number {
  const mark = expressions.text.charAt(expressions.start(index));
  if (mark === '%' && expressions.content(index + 1) === 'x') {
    const isFirst = expressions.isFirst(index);
    const next = expressions.content(index + 2);
    return isFirst && ['(', '|', '[', '{', '!', '/', '<', '||'].includes(next)
      ? confidence.certain
      : 0;
  }
  if (mark === '|' && expressions.kind(index + 1) === templateToken.name) {
    const name = expressions.content(index + 1).toLowerCase();
    const isPlain = expressions.family(index) !== family.single;
    return shellFilters.has(name) && (isPlain || isModifier(expressions, index))
      ? confidence.strong
      : 0;
  }
  const one = expressions.family(index);
  if (mark === '`' && (one === family.angle || one === family.hash)) {
    const isFirst = one === family.angle && expressions.isFirst(index);
    return isFirst || isCommand(expressions, index) ? confidence.strong : 0;
  }
  return 0;
}

/** Smarty's `{'id'|system}`, `{$x|exec}`; in single braces code stands as well. */
function isModifier(expressions: Expressions, index: number): boolean {
  const isValue =
    expressions.kind(index - 1) === templateToken.string ||
    expressions.content(index - 1).startsWith('$');
  const isEnd = expressions.kind(index + 2) === templateToken.close;
  return isValue && (isEnd || expressions.isMark(index + 2, '|'));
}

/** `<%=[0,`id`][1]%>`: what stands up to the next backtick is a command. */
function isCommand(expressions: Expressions, index: number): boolean {
  const start = expressions.end(index);
  const text = expressions.text.slice(start, start + commandCharsMax);
  const end = text.indexOf('`');
  return end > 0 && shellCommand.test(text.slice(0, end));
}

const commandCharsMax = 200;

const shellFilters: ReadonlySet<string> = wordSet(
  'system passthru shell_exec exec popen file_excerpt file_get_contents readfile phpinfo',
  'assert',
);
