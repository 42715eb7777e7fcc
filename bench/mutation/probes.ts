import { posix } from 'node:path';
import type { Mutation } from './mutations.ts';

// Which tests can notice a mutation at all: those that come to its place. The sources are given a
// call at each place, which writes its number to a file, whatever thread or process it runs in.

/** The file that probed sources import, in the root of their tree. */
export const probeFile = 'mutation-probe.mjs';

/** The environment variable that names the file for the numbers. */
export const reachedVariable = 'MUTATION_REACHED_FILE';

/** The text of `probeFile`. */
export const probeText = `import { appendFileSync } from 'node:fs';
const seen = new Set();
const file = process.env.${reachedVariable};
export function probe(number) {
  if (file === undefined || seen.has(number)) return;
  seen.add(number);
  appendFileSync(file, number + '\\n');
}
`;

/** A source text with a probe at each mutation; `numberOf` gives their numbers. */
export function probed(
  path: string,
  text: string,
  mutations: readonly Mutation[],
  numberOf: (mutation: Mutation) => number,
): string {
  const edges = mutations.flatMap((mutation) => {
    const { from, to } = mutation.reached;
    return [
      { at: from, other: to, isStart: true, text: `(__probe(${numberOf(mutation)}), ` },
      { at: to, other: from, isStart: false, text: ')' },
    ];
  });
  // Ends before starts at one place; the outer of two expressions starts first and ends last.
  edges.sort((a, b) => a.at - b.at || Number(a.isStart) - Number(b.isStart) || b.other - a.other);
  let [out, done] = ['', 0];
  for (const edge of edges) {
    out += text.slice(done, edge.at) + edge.text;
    done = edge.at;
  }
  const from = posix.relative(posix.dirname(path), probeFile);
  return `import { probe as __probe } from '${from}'; ${out}${text.slice(done)}`;
}
