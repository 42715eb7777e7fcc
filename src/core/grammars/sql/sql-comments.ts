import { isCommentMark } from './sql-token.ts';

/** Gives all comments that are open, which are linked through `jump`, the token behind them. */
export function endComments(jump: Int32Array, last: number, target: number): void {
  let at = last;
  while (at >= 0) {
    const before = jump[at] as number;
    jump[at] = target;
    at = before;
  }
}

/** One pass backwards: comments in a row get their common end. */
export function linkComments(kind: Uint8Array, jump: Int32Array, count: number): void {
  for (let at = count - 1; at >= 0; at--) {
    if (!isCommentMark(kind[at] as number)) continue;
    const after = jump[at] as number;
    if (after >= count) jump[at] = -1;
    else if (after >= 0 && isCommentMark(kind[after] as number) && (jump[after] as number) >= 0) {
      jump[at] = jump[after] as number;
    }
  }
}
