import type { Ended } from './traffic.ts';
import { type Outcome, outcomes } from './verdicts.ts';

/** The time of a fault, until the service had time to recover from it. */
export interface Window {
  readonly name: string;
  readonly allows: readonly Outcome[];
  readonly from: number;
  readonly to: number;
}

/** Requests of a fault, or of the time without one. */
export interface Counts {
  readonly name: string;
  readonly times: number;
  readonly requests: number;
  readonly by: Readonly<Record<Outcome, number>>;
}

/** What the requests of a run say. */
export interface Tally {
  /** Requests of the quiet time first, then of each fault. */
  readonly counts: readonly Counts[];
  /** What may not be: wrong answers anywhere, losses where no fault allows them. */
  readonly failures: readonly string[];
}

const quiet = 'no fault';

/** Counts the requests of a run by the fault of their time, and finds what no fault allows. */
export function tally(ended: readonly Ended[], windows: readonly Window[]): Tally {
  const failures: string[] = [];
  const rows = new Map<string, Ended[]>();
  for (const one of ended) {
    const around = windows.filter(({ from, to }) => from <= one.endedAt && one.sentAt <= to);
    const allowing = around.find(({ allows }) => allows.includes(one.outcome));
    const name = (allowing ?? around[0])?.name ?? quiet;
    const row = rows.get(name) ?? [];
    row.push(one);
    rows.set(name, row);
    const isAllowed =
      one.outcome === 'good' ||
      // Without a fault a refusal costs goodput, which has a separate bound.
      (one.outcome === 'refused' && around.length === 0) ||
      allowing !== undefined;
    if (!isAllowed) failures.push(`${name}: ${one.outcome} after ${msOf(one)} ms: ${one.detail}`);
  }
  const names = [quiet, ...new Set(windows.map((window) => window.name))];
  const counts = names.map((name) => countsOf(name, rows.get(name) ?? [], windows));
  return { counts, failures };
}

function msOf({ sentAt, endedAt }: Ended): number {
  return Math.round(endedAt - sentAt);
}

function countsOf(name: string, ended: readonly Ended[], windows: readonly Window[]): Counts {
  const times = windows.filter((window) => window.name === name).length;
  const by = Object.fromEntries(
    outcomes.map((outcome) => [outcome, ended.filter((one) => one.outcome === outcome).length]),
  ) as Record<Outcome, number>;
  return { name, times, requests: ended.length, by };
}
