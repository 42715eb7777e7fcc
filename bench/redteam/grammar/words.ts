import type { Random } from '../../lib/random.ts';

/** A way to write something: grammars are made of these. */
export type Maker = (random: Random) => string;

/** A name of 1 to 8 letters. */
export const aName: Maker = (random) => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return random.times(1 + random.below(8), () => random.pick([...letters])).join('');
};

/** A whole number of up to 4 digits. */
export const aNumber: Maker = (random) => String(random.below(10 ** (1 + random.below(4))));

/** A short text that a benign visitor might give. */
export const aText: Maker = (random) =>
  random.pick([aName, aNumber, () => '', (r: Random) => `${aName(r)} ${aName(r)}`])(random);

/** One of several ways. */
export function oneOf(...makers: readonly Maker[]): Maker {
  return (random) => random.pick(makers)(random);
}
