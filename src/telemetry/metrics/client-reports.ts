import {
  type ClientReport,
  type ClientReports,
  type ReasonCounts,
  type UnscreenedByKey,
  type UnscreenedReason,
  unscreenedReasons,
} from '../../contract/client-report.ts';
import { Tally } from './tally.ts';

const stepMs = 600_000;
/** The last hour: the step that is open, and those before it. */
const stepsKept = 6;

type Kind = keyof Required<ClientReport>;
const kinds: readonly Kind[] = ['passed', 'inline'];

interface Step {
  readonly number: number;
  readonly counts: Readonly<Record<Kind, Partial<Record<UnscreenedReason, number>>>>;
}

interface KeyReports {
  steps: Step[];
  lastAt: number;
}

/** Adds up what clients report: since the start for the metrics, the last hour for each key. */
export class ClientReportCounts implements ClientReports {
  readonly passed = new Tally<UnscreenedReason>(unscreenedReasons);
  readonly inline = new Tally<UnscreenedReason>(unscreenedReasons);
  readonly #clock: () => number;
  readonly #keys = new Map<string, KeyReports>();

  /** `clock` gives milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  reported(keyId: string, report: ClientReport): void {
    const now = this.#clock();
    const number = Math.floor(now / stepMs);
    const key = this.#keys.get(keyId) ?? { steps: [], lastAt: now };
    key.steps = key.steps.filter((step) => step.number > number - stepsKept);
    key.lastAt = now;
    let step = key.steps.find((one) => one.number === number);
    if (step === undefined) {
      step = { number, counts: { passed: {}, inline: {} } };
      key.steps.push(step);
    }
    for (const kind of kinds) {
      for (const [reason, count] of entriesOf(report[kind] ?? {})) {
        this[kind].add(reason, count);
        step.counts[kind][reason] = (step.counts[kind][reason] ?? 0) + count;
      }
    }
    this.#keys.set(keyId, key);
  }

  /** By key, the latest report first. Keys that reported nothing within the hour are forgotten. */
  lastHour(): readonly UnscreenedByKey[] {
    const first = Math.floor(this.#clock() / stepMs) - stepsKept + 1;
    const found: UnscreenedByKey[] = [];
    for (const [keyId, { steps, lastAt }] of this.#keys) {
      const recent = steps.filter(({ number }) => number >= first);
      if (recent.length === 0) {
        this.#keys.delete(keyId);
        continue;
      }
      const sum = (kind: Kind) => sumOf(recent.map(({ counts }) => counts[kind]));
      found.push({ keyId, passed: sum('passed'), inline: sum('inline'), lastAt });
    }
    return found.sort((a, b) => b.lastAt - a.lastAt);
  }
}

function sumOf(all: readonly ReasonCounts[]): ReasonCounts {
  const sums: Partial<Record<UnscreenedReason, number>> = {};
  for (const counts of all) {
    for (const [reason, count] of entriesOf(counts)) sums[reason] = (sums[reason] ?? 0) + count;
  }
  return sums;
}

function entriesOf(counts: ReasonCounts): readonly (readonly [UnscreenedReason, number])[] {
  return unscreenedReasons.flatMap((reason) => {
    const count = counts[reason] ?? 0;
    return count > 0 ? [[reason, count] as const] : [];
  });
}
