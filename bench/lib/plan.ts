import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A built or source tree whose code is measured. */
export interface Target {
  /** The folder that holds `src` and `workers`: the repository, or `dist` in it. */
  readonly root: string;
  /** `.js` of a build, `.ts` of the sources. */
  readonly ending: string;
  /** Flags that Node needs to run it. */
  readonly nodeFlags: readonly string[];
}

/** Where nginx, ModSecurity and the Core Rule Set lie. */
export interface PeerPlace {
  /** `/`, or the folder into which the packages were unpacked. */
  readonly root: string;
  /** A checkout of the Core Rule Set instead of the packaged one. */
  readonly crs: string | undefined;
}

/** How much is to be measured, and of what. */
export interface Plan {
  /** Tiny inputs and times: shows that each benchmark works and that its results are right. */
  readonly smoke: boolean;
  /** Factor on all times; 1 makes a whole run of about five minutes. */
  readonly scale: number;
  /** Length of the chaos run, and the seed of its faults. */
  readonly chaos: { readonly minutes: number; readonly seed: number };
  /** Where the packages of another product are installed, if it is to be measured beside ours. */
  readonly peers: PeerPlace | undefined;
  readonly target: Target;
}

/** The tree that this file belongs to: the build when run from `dist`, else the sources. */
export function ownTarget(): Target {
  return {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    ending: extname(import.meta.url),
    // The test runner's own flags are not for those that a test starts.
    nodeFlags: process.execArgv.filter((flag) => !flag.startsWith('--test')),
  };
}

/** The time for one measurement, milliseconds. */
export function cellMs(plan: Plan, ms: number): number {
  return plan.smoke ? Math.min(ms, smokeMs) : ms * plan.scale;
}

const smokeMs = 40;

/** How often a measurement is repeated. */
export function repeatsOf(plan: Plan, repeats: number): number {
  return plan.smoke ? 1 : repeats;
}
