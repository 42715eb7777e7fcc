import type { ClientReport, UnscreenedReason } from '../contract/client-report.ts';
import type { FailureCode } from './outcome.ts';
import type { Client, ServiceStatus, StatusOutcome } from './service-status.ts';

/** What a middleware says of its Sallyport: at the start, when it is lost, when it is back. */
export type ServiceState =
  | ({ readonly kind: 'connected'; readonly message: string } & ServiceStatus)
  | { readonly kind: 'not-connected'; readonly code: FailureCode; readonly message: string };

export interface WatchSettings {
  /** What becomes of requests without Sallyport, as a sentence. */
  readonly meanwhile: string;
  /** True where the middleware itself refuses nothing. */
  readonly monitor: boolean;
  readonly onStatus: (state: ServiceState) => void;
  /** A harmless request, as the middleware sends them. */
  readonly sample: () => Promise<string>;
}

/** From the first request without a verdict to the report of it and of those that follow. */
const reportMs = 5_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** As the service takes them; the rest goes with the next report. */
const countMax = 1_000_000;

type Kind = keyof Required<ClientReport>;

/**
 * Knows whether the Sallyport of a middleware can be asked, says so, and reports what it gave no
 * verdict on. It asks at the start, and again after requests without a verdict until it has told of
 * them; otherwise it is idle. It never throws and keeps no process alive.
 */
export class ServiceWatch {
  readonly #client: Client;
  readonly #settings: WatchSettings;
  readonly #counts: Record<Kind, Map<UnscreenedReason, number>> = {
    passed: new Map(),
    inline: new Map(),
  };
  /** What was said last. */
  #said: 'connected' | FailureCode | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;

  constructor(client: Client, settings: WatchSettings) {
    this.#client = client;
    this.#settings = settings;
    void this.#start();
  }

  /** Counts a request without a verdict of the service. */
  count(kind: Kind, reason: UnscreenedReason): void {
    const counts = this.#counts[kind];
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    // Before the first answer to it, the question of the start is under way.
    if (this.#said !== undefined) this.#askIn(reportMs);
  }

  async #start(): Promise<void> {
    const sample = this.#settings.sample().catch(() => '{}');
    await this.#take(await this.#client.warmUp(sample));
  }

  #askIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      void this.#client.status().then((outcome) => this.#take(outcome));
    }, ms).unref();
  }

  async #take(outcome: StatusOutcome): Promise<void> {
    this.#timer = undefined;
    if (outcome.kind === 'failed') {
      this.#sayLost(outcome.failure);
    } else {
      this.#sayConnected(outcome.status);
      if (await this.#report()) {
        this.#pauseMs = firstPauseMs;
        return;
      }
    }
    this.#askIn(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #sayLost({ code, message }: { readonly code: FailureCode; readonly message: string }): void {
    if (this.#said === code) return;
    this.#said = code;
    const { target } = this.#client;
    const text = `Sallyport: ${lostText(code, target)} ${message} ${this.#settings.meanwhile}`;
    this.#settings.onStatus({ kind: 'not-connected', code, message: text });
  }

  #sayConnected(status: ServiceStatus): void {
    if (this.#said === 'connected') return;
    const again = this.#said === undefined ? '' : ' again';
    this.#said = 'connected';
    const { monitor } = this.#settings;
    const doing = monitor && status.mode === 'block' ? doingText.monitor : doingText[status.mode];
    const message = `Sallyport: connected${again}, policy ${status.policy}, ${doing}${this.#missed()}`;
    this.#settings.onStatus({ kind: 'connected', message, ...status });
  }

  #missed(): string {
    const sum = (kind: Kind) => [...this.#counts[kind].values()].reduce((a, b) => a + b, 0);
    const [passed, inline] = [sum('passed'), sum('inline')];
    if (passed + inline === 0) return '';
    return `. Meanwhile ${passed} requests passed unscreened and ${inline} were screened in this process.`;
  }

  /** False when there was something to report and it did not arrive. */
  async #report(): Promise<boolean> {
    const { passed, inline } = this.#counts;
    if (passed.size + inline.size === 0) return true;
    const counts = { passed: boundedOf(passed), inline: boundedOf(inline) };
    if (!(await this.#client.report(counts))) return false;
    subtract(passed, counts.passed);
    subtract(inline, counts.inline);
    // What came meanwhile.
    if (passed.size + inline.size > 0) this.#askIn(reportMs);
    return true;
  }
}

const doingText: Readonly<Record<ServiceStatus['mode'], string>> = {
  block: 'blocking',
  monitor: 'monitoring: attacks are reported, not blocked',
  off: 'off: nothing is screened',
};

function lostText(code: FailureCode, target: string): string {
  switch (code) {
    case 'unreachable':
      return `not reachable at ${target}.`;
    case 'key-refused':
      return `the API key is refused at ${target}: it is unknown, expired or revoked.`;
    case 'not-understood':
      return `no Sallyport answers at ${target}.`;
    default:
      return `${target} cannot screen at present.`;
  }
}

type Counts = Partial<Record<UnscreenedReason, number>>;

function boundedOf(counts: ReadonlyMap<UnscreenedReason, number>): Counts {
  return Object.fromEntries([...counts].map(([reason, n]) => [reason, Math.min(n, countMax)]));
}

function subtract(counts: Map<UnscreenedReason, number>, reported: Counts): void {
  for (const [reason, count] of counts) {
    const left = count - (reported[reason] ?? 0);
    if (left > 0) counts.set(reason, left);
    else counts.delete(reason);
  }
}

/** The same line again so soon is that of another middleware of the same application. */
const sameLineMs = 10_000;
let lastLine = { text: '', at: Number.NEGATIVE_INFINITY };

/** What stands in the place of `onStatus`: a line on standard error, or a warning. */
export function printState({ kind, message }: ServiceState): void {
  const now = performance.now();
  const isRepeated = message === lastLine.text && now - lastLine.at < sameLineMs;
  lastLine = { text: message, at: now };
  if (isRepeated) return;
  if (kind === 'connected') process.stderr.write(`${message}\n`);
  else process.emitWarning(message, 'SallyportWarning');
}
