import type { Found } from './fuzz.ts';
import type { Options } from './options.ts';
import type { JobResult } from './run-jobs.ts';

interface Cluster {
  count: number;
  readonly readers: string[];
  shortest: Found;
}

/** The disagreements of all readers by their class, the most frequent first. */
export function pageOf(
  results: readonly JobResult[],
  options: Pick<Options, 'requests' | 'seed'>,
): string {
  const clusters = new Map<string, Cluster>();
  for (const { reader, report } of results) {
    for (const found of report.found) {
      const known = clusters.get(found.class);
      if (known === undefined) {
        clusters.set(found.class, { count: found.count, readers: [reader], shortest: found });
        continue;
      }
      known.count += found.count;
      known.readers.push(reader);
      if (found.request.length < known.shortest.request.length) known.shortest = found;
    }
  }
  if (clusters.size === 0) return 'no disagreement';
  const sorted = [...clusters].sort(([, one], [, other]) => other.count - one.count);
  const written = sorted.map(([name, cluster]) => clusterText(name, cluster));
  return [...written, rerun(sorted, options)].join('\n');
}

function clusterText(name: string, { count, readers, shortest }: Cluster): string {
  return [
    `\n${count} times: ${name}`,
    `  readers  ${readers.join(', ')}`,
    `  request  ${shortest.request}`,
    `  seen     ${JSON.stringify(shortest.text)}`,
  ].join('\n');
}

function rerun(
  clusters: readonly (readonly [name: string, cluster: Cluster])[],
  options: Pick<Options, 'requests' | 'seed'>,
): string {
  const reader = clusters[0]?.[1].readers[0] ?? '';
  const run = `npm run bench:differential -- --reader ${reader}`;
  return [
    `\n${clusters.length} classes of disagreements. Again:`,
    `  ${run} --seed ${options.seed} --requests ${options.requests}`,
    `  ${run} --request 'the bytes behind "request"'`,
  ].join('\n');
}
