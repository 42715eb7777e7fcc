import { randomUUID } from 'node:crypto';
import type { Omission } from '../client-request/member-writer.ts';
import { type Refusal, refusalOf } from '../client-request/refusal.ts';
import type { RefusalStatus } from '../client-request/refusal-page.ts';
import {
  type ClientRequest,
  membersOf,
  type RequestBody,
} from '../client-request/request-members.ts';
import { connectClient } from './client.ts';
import {
  type Choice,
  checkGuardOptions,
  type GuardOptions,
  type GuardRequest,
  type GuardSettings,
  type Outage,
  type Refused,
  type Verdict,
} from './guard-options.ts';
import { sharedInlineScreener } from './inline-screener.ts';
import type { Answer, Failure } from './outcome.ts';
import { isPlainTarget, pathOf } from './request-path.ts';
import { screenAll } from './screen-all.ts';
import { type Client, isClient } from './service-status.ts';
import { printState, ServiceWatch } from './service-watch.ts';
import { warnNowAndThen } from './warn-now-and-then.ts';

export type { ClientRequest } from '../client-request/request-members.ts';
export type {
  Block,
  Choice,
  GuardOptions,
  GuardRequest,
  GuardSettings,
  Outage,
  Refused,
  Responding,
  Verdict,
} from './guard-options.ts';
export type { Answer, Failure, FailureCode, Screener } from './outcome.ts';
export type { ServiceState } from './service-watch.ts';

/** What all middleware does; only how it meets the framework differs. */
export interface Guard {
  readonly bodyBytesMax: number;
  skips(request: ClientRequest): boolean;
  /**
   * The answer to a request that must not go on; undefined for one that may. Never rejects. What was
   * found becomes a property of `seen`.
   */
  judge(request: ClientRequest, body: RequestBody, seen: Seen): Promise<GuardRefusal | undefined>;
}

/** What carries the verdict to the application, such as the request. */
export interface Seen {
  sallyport?: Verdict | undefined;
}

/** The usual answer, and what it is about. */
export interface GuardRefusal extends Refusal {
  readonly refused: Refused;
}

/** Throws for options that would not do what was meant; `ofFramework` names those of others. */
export function createGuard(given: GuardOptions, ofFramework: readonly string[] = []): Guard {
  checkGuardOptions(given, ofFramework);
  const screener = 'screener' in given ? given.screener : connectClient(given);
  const headers = (given.headers ?? []).map((name) => name.toLowerCase());
  const isInline = given.inlineOnOutage !== false && screener.hasOwnCore !== true;
  const watch = isClient(screener) ? watchOf(screener, given, { headers, isInline }) : undefined;
  const settings = { ...given, onError: given.onError ?? warnNowAndThen(), watch };
  let isEnforcing = true;

  async function judge(client: ClientRequest, body: RequestBody, seen: Seen) {
    const startedAt = performance.now();
    const report = new Report(settings, client, seen);
    try {
      const { texts, omission } = await membersOf(client, body, headers);
      const { outcome, left } = await screenAll(screener, texts, startedAt);
      if (outcome.kind === 'blocked') return report.block(outcome.answer, true);
      // What was left out is not made good by what the rest turns out to be.
      if (omission !== undefined && report.chooses(settings.onIncomplete ?? 'block') === 'block') {
        return report.incomplete(omission, 'block');
      }
      if (outcome.kind === 'failed') return await onFailure(report, outcome.failure, left);
      isEnforcing = isEnforcedBy(outcome.answer);
      if (outcome.answer.would === 'block') report.block(outcome.answer, false);
      else report.note(outcome.answer);
      return omission === undefined ? undefined : report.incomplete(omission, 'allow');
    } catch (error) {
      const message = `A defect of the middleware: ${String(error)}`;
      return report.outage({ code: 'defect', message }, report.chooses(settings.onOutage));
    }
  }

  async function onFailure(report: Report, failure: Failure, left: readonly string[]) {
    if (failure.code === 'not-acceptable') {
      return report.outage(failure, report.chooses(settings.onIncomplete ?? 'block'), 'unreadable');
    }
    const choice = report.chooses(settings.onOutage);
    const seen =
      isInline && choice === 'allow' ? await sharedInlineScreener().screen(left) : undefined;
    if (seen === undefined) return report.outage(failure, choice);
    report.outage({ ...failure, inline: true }, 'allow');
    const answer = { ...seen.answer, inline: true } as const;
    if (seen.decision === 'block') return report.block(answer, isEnforcing);
    report.note(answer);
    return undefined;
  }

  const skips = (client: ClientRequest) => {
    const { skip } = settings;
    if (skip === undefined || !isPlainTarget(client.url)) return false;
    return quietly(() => skip(guardRequestOf(client))) === true;
  };
  return { bodyBytesMax: given.bodyBytesMax ?? 1_048_576, judge, skips };
}

/** A request as harmless as can be: it opens connections and compiles what requests run through. */
const sampleRequest: ClientRequest = {
  method: 'GET',
  url: '/?q=sallyport-warm-up',
  headers: { accept: '*/*', 'user-agent': 'sallyport' },
  address: '',
};

function watchOf(
  client: Client,
  { onOutage = 'allow', onStatus = printState, monitor = false }: GuardSettings,
  { headers, isInline }: { readonly headers: readonly string[]; readonly isInline: boolean },
): ServiceWatch {
  const allowed = isInline
    ? 'requests are screened in this process, with the default policy.'
    : 'requests pass unscreened.';
  const chosen = onOutage === 'block' ? 'requests are refused.' : allowed;
  const meanwhile = typeof onOutage === 'function' ? 'onOutage decides about requests.' : chosen;
  return new ServiceWatch(client, {
    meanwhile: `Meanwhile, ${monitor ? allowed : meanwhile}`,
    monitor,
    onStatus: (state) => quietly(() => onStatus(state)),
    sample: async () =>
      (await membersOf(sampleRequest, { kind: 'none' }, headers)).texts[0] ?? '{}',
  });
}

/**
 * Whether the key blocks: the package itself must not do so for one in monitor mode or off. An
 * answer for the latter says that nothing was looked at, and names no reason.
 */
function isEnforcedBy({ would, coverage }: Answer): boolean {
  return would === undefined && (coverage?.complete !== false || coverage.reasons.length > 0);
}

interface ReportSettings extends GuardSettings {
  readonly watch: ServiceWatch | undefined;
}

/** Tells the application about one request, and makes the answer of what was decided. */
class Report {
  readonly #settings: ReportSettings;
  readonly #request: ClientRequest;
  readonly #seen: Seen;

  constructor(settings: ReportSettings, request: ClientRequest, seen: Seen) {
    this.#settings = settings;
    this.#request = request;
    this.#seen = seen;
  }

  /** What was found stays, whatever is found later in an upload. */
  note(verdict: Verdict): void {
    if (this.#seen.sallyport?.decision !== 'block') this.#seen.sallyport = verdict;
  }

  chooses(choice: Choice = 'allow'): 'allow' | 'block' {
    if (typeof choice !== 'function') return choice;
    const chosen = quietly(() => choice(guardRequestOf(this.#request)));
    return chosen === 'allow' ? 'allow' : 'block';
  }

  block(
    answer: Answer & { readonly inline?: true },
    mayEnforce: boolean,
  ): GuardRefusal | undefined {
    this.note(answer);
    const { onBlock, monitor } = this.#settings;
    const enforced = mayEnforce && monitor !== true;
    const block = { ...answer, enforced };
    quietly(() => onBlock?.(block, guardRequestOf(this.#request)));
    if (!enforced) return undefined;
    const isPartial = answer.findings.length === 0 && answer.coverage?.complete === false;
    const why = isPartial ? 'partial' : 'harmful';
    return this.#refuse({ status: 403, why, id: answer.id, block });
  }

  #refuse(refused: Refused): GuardRefusal {
    const { status, why, id } = refused;
    const { blockPage } = this.#settings;
    return { ...refusalOf(this.#request, { why, status }, id, blockPage), refused };
  }

  incomplete(omission: Omission, choice: 'allow' | 'block'): GuardRefusal | undefined {
    const message = `Not the whole request was screened: ${adviceOn[omission]}`;
    return this.outage({ code: 'incomplete', message, omission }, choice, reasonFor[omission]);
  }

  outage(
    cause: Omit<Outage, 'id'>,
    choice: 'allow' | 'block',
    why: keyof typeof statuses = 'unchecked',
  ): GuardRefusal | undefined {
    const outage = { id: randomUUID(), ...cause };
    const { onError, monitor, watch } = this.#settings;
    this.note({ decision: 'unscreened', ...outage });
    quietly(() => onError?.(outage, guardRequestOf(this.#request)));
    if (monitor !== true && choice === 'block') {
      return this.#refuse({ status: statuses[why], why, id: outage.id, outage });
    }
    watch?.count(cause.inline === true ? 'inline' : 'passed', cause.code);
    return undefined;
  }
}

const statuses = {
  unchecked: 503,
  large: 413,
  coded: 415,
  unreadable: 400,
} as const satisfies Record<string, RefusalStatus>;

const reasonFor: Readonly<Record<Omission, keyof typeof statuses>> = {
  'too-large': 'large',
  'too-many': 'unreadable',
  'too-deep': 'unreadable',
  coding: 'coded',
  // A mistake in the set-up of the application, not of the client.
  gone: 'unchecked',
  unreadable: 'unreadable',
};

const adviceOn: Readonly<Record<Omission, string>> = {
  'too-large': 'it is longer than is inspected; see bodyBytesMax.',
  'too-many': 'it has more fields than are inspected; see onIncomplete.',
  'too-deep': 'it is nested deeper than is inspected; see onIncomplete.',
  coding: 'its charset or content encoding is unknown, or wrong; see onIncomplete.',
  gone: 'something has read the body and left nothing; put the middleware before or behind it.',
  unreadable: 'a part of it is not of a known kind; see onIncomplete.',
};

function guardRequestOf(request: ClientRequest): GuardRequest {
  return { ...request, path: pathOf(request.url) };
}

/** A hook of the application must not decide about its requests by a fault of its own. */
function quietly<T>(call: () => T): T | undefined {
  try {
    const result = call();
    // An asynchronous hook that rejects would otherwise end the process.
    if (result instanceof Promise) result.catch(() => undefined);
    return result;
  } catch {
    return undefined;
  }
}
