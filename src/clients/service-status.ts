import type { ClientReport } from '../contract/client-report.ts';
import type { Data, Failed, Screener } from './outcome.ts';

/** What is in force for a key. */
export interface ServiceStatus {
  /** The name of the policy. */
  readonly policy: string;
  readonly mode: 'block' | 'monitor' | 'off';
  /** Of the service. */
  readonly version: string;
}

export type StatusOutcome = { readonly kind: 'status'; readonly status: ServiceStatus } | Failed;

/** A screener that asks a service. */
export interface Client extends Screener {
  /** Where the service is, without credentials. */
  readonly target: string;
  /** What is in force for the key; it is not counted as a request. */
  status(): Promise<StatusOutcome>;
  /**
   * Asks for the status and screens `sample` beside it, so that connections are open and code is
   * compiled when the first request comes. Until it ends, calls have one second at least.
   */
  warmUp(sample: Promise<Data>): Promise<StatusOutcome>;
  /** Tells the service what it gave no verdict on; false when it could not be told. */
  report(counts: ClientReport): Promise<boolean>;
}

/** Whether a screener asks a service. */
export function isClient(screener: Screener): screener is Client {
  return 'warmUp' in screener && 'report' in screener;
}
