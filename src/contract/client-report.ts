/** Why a client had no verdict of the service for a request: the codes of its `onError`. */
export const unscreenedReasons = [
  'unreachable',
  'timeout',
  'circuit-open',
  'key-refused',
  'rate-limited',
  'unavailable',
  'not-acceptable',
  'not-understood',
  'incomplete',
  'defect',
] as const;

export type UnscreenedReason = (typeof unscreenedReasons)[number];

/** Requests by the reason that they have no verdict of the service for. */
export type ReasonCounts = Readonly<Partial<Record<UnscreenedReason, number>>>;

/** What a client says of requests that the service gave no verdict on, since its last report. */
export interface ClientReport {
  /** Went on to the application unscreened. */
  readonly passed?: ReasonCounts;
  /** Were screened by the client itself, with the default policy instead of the key's. */
  readonly inline?: ReasonCounts;
}

/** The largest count of one reason in one report; a client sends the rest with its next one. */
export const reportedCountMax = 1_000_000;

/** Told of reports. Must not throw and must not wait. */
export interface ClientReports {
  reported(keyId: string, report: ClientReport): void;
}

/** What the clients of one key reported within the last hour. */
export interface UnscreenedByKey {
  readonly keyId: string;
  readonly passed: ReasonCounts;
  readonly inline: ReasonCounts;
  /** Of the latest report: milliseconds since 1970. */
  readonly lastAt: number;
}
