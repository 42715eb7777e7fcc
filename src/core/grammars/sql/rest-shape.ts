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
