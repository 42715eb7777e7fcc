import { secretMembers } from '../../knowledge/template-objects.ts';
import type { Expressions } from './expressions.ts';
import { templateToken } from './template.ts';

/**
 * Built-ins of FreeMarker that no template of a user has: `"…"?new()`, `"…"?eval`, `?interpret`, and
 * `6?lower_abc`, which spells a word out of numbers (FreeMarker Manual, "Built-in Reference").
 */
export function callsBuiltIn(expressions: Expressions, index: number, name: string): boolean {
  if (!expressions.isMark(index - 1, '?')) return false;
  if (name === 'new') return expressions.isMark(index + 1, '(');
  if (name === 'interpret' || name === 'api') return true;
  const operand = expressions.kind(index - 2);
  if (operand === templateToken.string || expressions.isMark(index - 2, ')')) return true;
  if (isSliceEnd(expressions, index - 2)) return true;
  return name !== 'eval' && operand === templateToken.number;
}

/** `'zzconfig'[2..]`, at its last bracket. */
function isSliceEnd(expressions: Expressions, end: number): boolean {
  if (!expressions.isMark(end, ']')) return false;
  let at = end - 1;
  while (at > end - sliceTokensMax && !expressions.isMark(at, '[')) at--;
  return expressions.kind(at - 1) === templateToken.string;
}

const sliceTokensMax = 8;

/** All settings at once: `config?values?join(',')`, `config?keys[0]`; not `config ? keys : values`. */
export function listsMembers(expressions: Expressions, index: number): boolean {
  const list = expressions.content(index + 2);
  if (!expressions.isMark(index + 1, '?') || (list !== 'values' && list !== 'keys')) return false;
  const isEnd = expressions.kind(index + 3) === templateToken.close;
  const isLoop = expressions.content(index + 3) === 'as';
  return isEnd || isLoop || ['?', '[', ')'].some((mark) => expressions.isMark(index + 3, mark));
}

/** Behind `config`: the name of a secret as a member, or in a key that is put together of strings. */
export function holdsSecret(expressions: Expressions, behind: number): boolean {
  let key = '';
  for (let i = behind + 1; i < behind + keyTokensMax; i++) {
    const kind = expressions.kind(i);
    if (kind === templateToken.string) key += expressions.content(i).toLowerCase();
    else if (kind === templateToken.name && expressions.content(i) !== 'r') {
      if (secretMembers.has(expressions.content(i).toLowerCase())) return true;
      break;
    } else if (kind !== templateToken.name && !keyMarks.some((mark) => expressions.isMark(i, mark)))
      break;
  }
  for (const secret of secretMembers) if (key.includes(secret)) return true;
  return false;
}

/** The strings of a key in brackets as one text, and the index behind it; `[("cla"+"ss")?trim]`. */
export function keyAt(expressions: Expressions, bracket: number): { text: string; end: number } {
  let text = '';
  let depth = 0;
  for (let i = bracket; i < bracket + keyTokensMax; i++) {
    if (expressions.kind(i) === templateToken.string) text += expressions.content(i);
    else if (expressions.isMark(i, '[')) depth++;
    else if (expressions.isMark(i, ']') && --depth === 0) return { text, end: i + 1 };
  }
  return { text: '', end: -1 };
}

/** A key that calls, filters or slices make of constants: `['yek'.reverse]`, `["yek"[::-1]]`. */
export function computesKey(expressions: Expressions, bracket: number): boolean {
  let depth = 0;
  let hasText = false;
  let isComputed = false;
  for (let i = bracket; i < bracket + computedTokensMax; i++) {
    const kind = expressions.kind(i);
    if (expressions.isMark(i, '[')) depth++;
    else if (expressions.isMark(i, ']')) depth--;
    if (depth === 0) return hasText && isComputed;
    const isSlice = expressions.isMark(i, '[') && expressions.kind(i - 1) === templateToken.string;
    const isName = kind === templateToken.name;
    // Any other name is a variable: `config['nav_' + page]`.
    if (isName && !['.', '|'].some((mark) => expressions.isMark(i - 1, mark))) return false;
    hasText ||= kind === templateToken.string;
    isComputed ||= isName || isSlice;
  }
  return false;
}

const keyTokensMax = 16;
const computedTokensMax = 32;
const keyMarks: readonly string[] = ['(', ')', '+', '.', '[', ']', '`'];
