import type { Random } from '../lib/random.ts';

const words = `we need three more of these before friday please the parcel came late and one cup was
broken could you call me back about the invoice thanks for your help our new office is on the second
floor next to the lift Anna said it's fine (see the photo) 2 for 5 is a good price, isn't it`.split(
  /\s+/,
);

/** A few words as people type them. */
export function prose(random: Random): string {
  return random.times(2 + random.below(12), () => random.pick(words)).join(' ');
}
