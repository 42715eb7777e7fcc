import { parseArgs } from 'node:util';
import { type PartName, partNames, usualParts } from './measure.ts';
import type { PeerPlace } from './plan.ts';

/** What the command line asks for. */
export interface Options {
  readonly smoke: boolean;
  readonly only: readonly PartName[];
  /** Time of a whole run; a run of some parts takes their share of it. */
  readonly seconds: number;
  /** Length of the chaos run, and the seed of its faults. */
  readonly chaos: { readonly minutes: number; readonly seed: number };
  readonly peers: PeerPlace | undefined;
  /** `A` or `A..B`. */
  readonly compare: string | undefined;
  /** `dist` of another build, in the place of the own one. */
  readonly build: string | undefined;
  /** Where the record goes; the default when undefined. */
  readonly out: string | undefined;
}

/** The time that the measurements were laid out for. */
export const wholeRunSeconds = 300;

export const usage = `usage: npm run bench -- [options]

  --only A,B       only these parts: ${partNames.join(', ')}
                   (without it: ${usualParts.join(', ')})
  --seconds N      time of a whole run (${wholeRunSeconds}); some parts take their share of it
  --minutes N      length of the part chaos, which runs only when it is named (60)
  --seed S         a number: the same seed gives the part chaos the same faults (1)
  --peers          also measure nginx + ModSecurity + Core Rule Set, when installed
  --peers-root D   the folder that their packages were unpacked to (/)
  --crs D          a checkout of the Core Rule Set instead of the packaged one
  --compare A      measure commit A against the files as they are; A..B: commit B against A
  --build D        measure the service of another build, whose dist is D (record in bench/out)
  --smoke          tiny inputs and times: only shows that everything works
  --out D          where the record and the page go (bench/record)
`;

/** Reads the command line; throws with advice. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      smoke: { type: 'boolean', default: false },
      only: { type: 'string', default: usualParts.join(',') },
      seconds: { type: 'string', default: String(wholeRunSeconds) },
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      peers: { type: 'boolean', default: false },
      'peers-root': { type: 'string', default: '/' },
      crs: { type: 'string' },
      compare: { type: 'string' },
      build: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds >= 1)) throw new Error(`--seconds ${values.seconds}: give a number from 1 up.`);
  const chaos = { minutes: Number(values.minutes), seed: Number(values.seed) };
  if (!(chaos.minutes > 0)) throw new Error(`--minutes ${values.minutes}: give a number above 0.`);
  if (!Number.isSafeInteger(chaos.seed)) throw new Error(`--seed ${values.seed}: give a number.`);
  return {
    smoke: values.smoke,
    only: values.only.split(',').map(partNamed),
    seconds,
    chaos,
    peers: values.peers ? { root: values['peers-root'], crs: values.crs } : undefined,
    compare: values.compare,
    build: values.build,
    out: values.out,
  };
}

function partNamed(text: string): PartName {
  const name = partNames.find((part) => part === text.trim());
  if (name === undefined) throw new Error(`--only ${text}: choose from ${partNames.join(', ')}.`);
  return name;
}
