import type { Random } from '../../lib/random.ts';
import type { Attack } from '../contract.ts';

/**
 * One-point crossing: one value becomes its own head and the tail of the other attack's value, both
 * cut between words. Undefined where the attacks have not as many values, or nothing changed. The
 * oracle says whether the child works.
 */
export function cross(attack: Attack, other: Attack, random: Random): Attack | undefined {
  const index = random.below(attack.values.length);
  const [head, tail] = [attack.values[index], other.values[index]];
  if (head === undefined || tail === undefined) return undefined;
  if (attack.values.length !== other.values.length) return undefined;
  const child = head.slice(0, cutIn(head, random)) + tail.slice(cutIn(tail, random));
  if (child === head || child === tail) return undefined;
  return { ...attack, values: attack.values.with(index, child) };
}

/** A place where a word begins or ends, or an end of the text. */
function cutIn(text: string, random: Random): number {
  const cuts = [...text.matchAll(/\b/g)].map((one) => one.index);
  return cuts.length === 0 ? text.length : random.pick(cuts);
}
