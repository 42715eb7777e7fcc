import type { Exit } from './exits.ts';
import { type SqlTokens, sqlToken } from './sql-token.ts';
import { strongCalls } from './statement-parts.ts';
import { type Rest, restPart } from './statement-rest.ts';
import { trait } from './traits.ts';

// What the rest of a statement amounts to, by its parts and what its expressions hold.

/** One more row of an INSERT, which must be closed, or one more column of an UPDATE. */
export function addsValue(parts: number): boolean {
  return has(parts, restPart.row) ? has(parts, restPart.close) : has(parts, restPart.set);
}

/** A clause behind a table with what no sentence has in it: a number, a comparison, a query. */
export function isWrittenClause({ parts, traits }: Rest): boolean {
  if (has(parts, restPart.tail)) return true;
  // `items limit 9 --`, without a table
  const isClause = has(parts, restPart.condition) || has(parts, restPart.from | restPart.other);
  return has(traits, trait.query) || (isClause && hasAny(traits, written));
}

/** Waits, reads or reaches out; no list of columns has a reason to. */
export function isDangerous({ parts, traits }: Rest): boolean {
  if (hasAny(parts, restPart.item | restPart.row)) return hasAny(traits, dangerous);
  // `5, owner=@@version`
  if (has(parts, restPart.set) && hasAny(traits, computed)) return true;
  // `5, item=(SELECT pin FROM staff)`, `staff NATURAL JOIN (SELECT 1 sold)`
  if (!has(traits, trait.query)) return false;
  return has(parts, restPart.set) || (has(parts, restPart.join) && hasAny(traits, written));
}

/** What a query of nothing but words has not. */
export const written = trait.compare | trait.constant | trait.number | trait.text;
const computed = strongCalls | trait.system | trait.case;
const dangerous = trait.query | computed;

/** True when one of the parts is there. */
export function hasAny(parts: number, wanted: number): boolean {
  return (parts & wanted) !== 0;
}

/** True when all of the parts are there. */
export function has(parts: number, wanted: number): boolean {
  return (parts & wanted) === wanted;
}

/** `',note=1;`, `tea',role=id;` */
export function setsClosed(
  { at }: Exit,
  { parts, traits }: Rest,
  { gap, count }: SqlTokens,
): boolean {
  const isState = hasAny(parts, restPart.grant | restPart.state);
  const first = (written & ~trait.compare) | trait.infoCall;
  if (at === 0) return has(parts, restPart.set) && hasAny(traits, first);
  // In one piece, as no sentence has it.
  return isState && !gap.subarray(at + 1, count - 1).includes(1) && hasAny(traits, valued);
}

const valued = trait.number | trait.text | trait.call;

export function isBehindNumber({ kind }: SqlTokens, from: number): boolean {
  let at = from - 1;
  while (kind[at] === sqlToken.semicolon || kind[at] === sqlToken.close) at--;
  return kind[at] === sqlToken.number;
}

/** `5/**\/-- u`: a comment that ends, in front of the one that cuts the rest off. */
export function isCommented({ text, start }: SqlTokens, cut: number): boolean {
  return text.slice(0, start[cut]).includes('*/');
}

/** `',4,1);`: the rest of a row, a column of rights; `')window w as();`. */
export function endsMore(parts: number): boolean {
  const isClosed = has(parts, restPart.close) && hasAny(parts, restPart.item | restPart.tail);
  return has(parts, restPart.grant) || isClosed;
}
