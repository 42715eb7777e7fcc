// What it means that a statement sets a column: by its name, and by the value behind the sign.

/** Columns of rights and of sign-in. */
const grantColumn =
  /(?:^|[\W_])(?:is_?)?(?:owner|role|admin|superuser|staff|password|passwd|pwd|permission|privilege|verified|approved)s?(?:_?id|_?hash)?[\s\]"'`]{0,8}$/i;
const stateColumn =
  /(?:price|amount|total|balance|credits?|discount|salary|paid|status|state|active|enabled|disabled|deleted|hidden|banned|locked|confirmed|public|premium|level|e?mail|pin|otp|hash|pass|token|session|role|admin|owner|perms|rights|access|quota|wallet|coins|points|(?:user|account|customer|tenant|group|member|author)_?id|\buid)[\s\]"'`]{0,8}$/i;
/** `currency=EUR`, `size=2`: a word or a number, and the end or the next one. */
const plainValue =
  /^\s{0,8}[=:<>]{1,2}\s{0,8}([\p{L}_][\w-]{0,40}|\d[\d.]{0,20}[a-z%]{0,4})\s{0,8}(?:,|$)/iu;
/** `note=pin`, `note=current_user`: what a server keeps to itself. */
const secretValue = /(?:pass|passwd|password|pwd|pin|secret|token|key|hash|salt|otp|user)$|^0x/i;
const constantValue = /^(?:\d|null$|true$|false$|default$)/i;
/** Of the value no more is looked at. */
export const valueMax = 100;

/**
 * `grant` for a column of rights, `state` for one of money or state, or where the value is no attribute
 * of a number; the value is given with its sign.
 */
export function meaningOfSet(column: string, value: string): 'grant' | 'state' | undefined {
  if (grantColumn.test(column)) return 'grant';
  const plain = plainValue.exec(value)?.[1];
  if (plain === undefined || secretValue.test(plain)) return 'state';
  return stateColumn.test(column) && constantValue.test(plain) ? 'state' : undefined;
}
