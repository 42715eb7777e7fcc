import type { CpuTime } from '../lib/process-usage.ts';
import { type LoadAnswer, type LoadPlan, type Measured, rateOf, runLoad } from './load.ts';

/** One server under one load. */
export interface Cell {
  /** `sallyport login`, and such. */
  readonly name: string;
  readonly server: Measured;
  readonly plan: LoadPlan;
}

/** What the rounds gave for one cell, a sample for each round. */
export interface CellResult {
  readonly answers: readonly LoadAnswer[];
  /** Requests a second. */
  readonly rates: readonly number[];
}

/**
 * Runs cells in rounds. Every other round goes backwards: a machine that grows slower or faster in
 * the course of a round then favours none of them.
 */
export async function runRounds(
  cells: readonly Cell[],
  rounds: number,
): Promise<ReadonlyMap<string, CellResult>> {
  const answers = new Map<string, LoadAnswer[]>(cells.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, server, plan } of round % 2 === 0 ? cells : cells.toReversed()) {
      answers.get(name)?.push(await runLoad(server, plan));
    }
  }
  return new Map(
    [...answers].map(([name, list]) => [name, { answers: list, rates: list.map(rateOf) }]),
  );
}

/** The result of a cell by its name. */
export function resultOf(results: ReadonlyMap<string, CellResult>, name: string): CellResult {
  const result = results.get(name);
  if (result === undefined) throw new RangeError(`No cell is named ${name}.`);
  return result;
}

/** Quotients of the samples of two cells, round by round. */
export function ratiosOf(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}

/** Microseconds of processor time for one request, by who used it; undefined without `/proc`. */
export function cpuPerRequest(
  answers: readonly LoadAnswer[],
): (CpuTime & { readonly generatorMs: number }) | undefined {
  let mainMs = 0;
  let otherMs = 0;
  let generatorMs = 0;
  let requests = 0;
  for (const answer of answers) {
    if (answer.serverCpu === undefined) return undefined;
    mainMs += answer.serverCpu.mainMs;
    otherMs += answer.serverCpu.otherMs;
    generatorMs += answer.generatorCpuMs;
    requests += answer.answers;
  }
  const share = 1_000 / requests;
  return { mainMs: mainMs * share, otherMs: otherMs * share, generatorMs: generatorMs * share };
}
