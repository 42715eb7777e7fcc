export interface BreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failuresMax: number;
  /** How long an open circuit lets no request pass. */
  readonly pauseMs: number;
}

/**
 * Circuit breaker: while the service does not answer, requests are not held up by asking it.
 *
 *     closed ──failures in a row──► open ──pause over: one probe──► probing
 *        ▲                           ▲                               │ │
 *        └───────────────────────────┼────────────────────success────┘ │
 *                                    └──────────────────────failure────┘
 *
 * Times are in milliseconds of any steady clock.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #state: 'closed' | 'open' | 'probing' = 'closed';
  #openedAt = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): 'closed' | 'open' | 'probing' {
    return this.#state;
  }

  /**
   * Whether a request may ask the service; undefined when not. The result must be passed back
   * with the outcome: a late answer says nothing about the current state.
   */
  admit(now: number): 'request' | 'probe' | undefined {
    if (this.#state === 'closed') return 'request';
    if (this.#state === 'probing' || now - this.#openedAt < this.#options.pauseMs) return undefined;
    this.#state = 'probing';
    return 'probe';
  }

  succeeded(pass: 'request' | 'probe'): void {
    if (pass === 'request' && this.#state !== 'closed') return;
    this.#state = 'closed';
    this.#failures = 0;
  }

  failed(pass: 'request' | 'probe', now: number): void {
    if (pass === 'request' && this.#state !== 'closed') return;
    this.#failures += 1;
    if (pass === 'request' && this.#failures < this.#options.failuresMax) return;
    this.#state = 'open';
    this.#openedAt = now;
  }
}
