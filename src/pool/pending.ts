import type { ScanInput, ScanOutcome } from '../contract/ports.ts';
import type { BatchKind } from './fair-queue.ts';

/** A request that waits for its answer. */
export interface Pending {
  readonly input: ScanInput;
  readonly resolve: (outcome: ScanOutcome) => void;
  readonly owner: string;
  readonly bytes: number;
  readonly estimateMs: number;
  readonly since: number;
  kind: BatchKind;
  /** Its batch has failed once; the next failure is its own. */
  isSuspect: boolean;
  isAnswered: boolean;
}

/** What becomes of a request whose time is up. */
export const expired: ScanOutcome = Object.freeze({
  kind: 'refused',
  reason: 'deadline-too-short',
});

/** Whether its time is up. */
export function isExpired({ input }: Pending, now: number): boolean {
  return input.deadline <= now;
}

/** Whether its time is up, or its caller has gone. */
export function isInVain(pending: Pending, now: number): boolean {
  return isExpired(pending, now) || pending.input.caller?.phase === 'over';
}
