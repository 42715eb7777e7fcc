import { Random } from '../lib/random.ts';
import type { Mutation } from './mutations.ts';

/** Draws mutations by a seed: as many from each folder, as far as it has them. */
export function draw(
  all: readonly Mutation[],
  { mutations, seed, folders }: { mutations: number; seed: number; folders: readonly string[] },
): Mutation[] {
  // Each folder by itself, so that a run over some of them draws the same there.
  const piles = folders.map((folder) =>
    new Random(seed).shuffled(all.filter(({ path }) => path.startsWith(`src/${folder}/`))),
  );
  const drawn: Mutation[] = [];
  while (drawn.length < mutations && piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) {
      const next = pile.pop();
      if (next !== undefined && drawn.length < mutations) drawn.push(next);
    }
  }
  return drawn;
}
