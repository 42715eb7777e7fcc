import type { Omission } from '../client-request/member-writer.ts';
import type { BlockPage } from '../client-request/refusal.ts';
import type { RefusalStatus } from '../client-request/refusal-page.ts';
import type { RefusalReason } from '../client-request/refusal-texts.ts';
import type { ClientRequest } from '../client-request/request-members.ts';
import { type ClientOptions, clientOptionNames } from './client.ts';
import { checkOptionNames } from './option-names.ts';
import type { Answer, Failure, Screener } from './outcome.ts';
import type { ServiceState } from './service-watch.ts';

/** A request as hooks and choices get it. */
export interface GuardRequest extends ClientRequest {
  /**
   * The path of `url` in its normal form, to compare with: `/PAY/`, `http://x/PAY`, `//PAY`,
   * `/x/../PAY` and `/%50AY` are all `/PAY`. Whether case matters is for the router to say.
   */
  readonly path: string;
}

/** One for all requests, or a choice for each. */
export type Choice = 'allow' | 'block' | ((request: GuardRequest) => 'allow' | 'block');

/** A threat was found. */
export interface Block extends Answer {
  /** False in monitor mode: the request went on to the application. */
  readonly enforced: boolean;
  /** True when the package found it by itself, because Sallyport did not answer. */
  readonly inline?: true;
}

/** Why Sallyport did not screen a request, or not to its end. */
export interface Outage {
  /** Stands on the page where the request was refused. */
  readonly id: string;
  readonly code: Failure['code'] | 'incomplete' | 'defect';
  readonly message: string;
  /** True when the package screened the request by itself: it did not pass unseen. */
  readonly inline?: true;
  /** For `incomplete`: why not everything was screened. */
  readonly omission?: Omission;
}

/**
 * What Sallyport says of a request: `req.sallyport` in the application. A threat has the decision
 * `block` also where monitor mode lets it pass.
 */
export type Verdict =
  | (Answer & { readonly inline?: true })
  | ({ readonly decision: 'unscreened' } & Outage);

/** A request that is to be refused. */
export interface Refused {
  readonly status: RefusalStatus;
  readonly why: RefusalReason;
  /** For a user who asks why: the same stands in the log of Sallyport, or in `onError`. */
  readonly id: string;
  /** Where a threat was found. */
  readonly block?: Block;
  /** Where the request was not screened, or not to its end. */
  readonly outage?: Outage;
}

/** What the option `respond` is: it answers in the place of the middleware. */
export interface Responding<Native extends readonly unknown[], Result = unknown> {
  /**
   * Answers a request that is refused. Returns or resolves to false for the usual answer, which is
   * also given when it throws. Not asked for what is found in the midst of an upload.
   */
  respond?(refused: Refused, ...native: Native): Result;
}

/** Options of all middleware, wherever the screening is done. */
export interface GuardSettings {
  /** What becomes of a request that was not screened. Default `allow`. */
  readonly onOutage?: Choice;
  /**
   * Whether the package screens by itself, by the default policy and on a thread of its own, what
   * Sallyport does not answer for and `onOutage` would let pass. Default true.
   */
  readonly inlineOnOutage?: boolean;
  /**
   * What becomes of a request that could not be looked at whole: a body beyond `bodyBytesMax` or
   * the limits of the key, in an unknown coding, or consumed by something else. Default `block`.
   */
  readonly onIncomplete?: Choice;
  /** True: nothing is ever refused, but `onBlock` and `onError` are notified. */
  readonly monitor?: boolean;
  /**
   * True for requests that need no screening, such as those for static files. Not asked where
   * routers may differ about the path: such a request is always screened.
   */
  readonly skip?: (request: GuardRequest) => boolean;
  /** Names of headers with secrets that are screened as well: their tokens are not by default. */
  readonly headers?: readonly string[];
  /**
   * How much of a body is screened where nothing has parsed it; the content of uploaded files does
   * not count. Default 1 MiB.
   */
  readonly bodyBytesMax?: number;
  /** Notified of each block. Must not wait; what it throws is dropped. */
  readonly onBlock?: (block: Block, request: GuardRequest) => void;
  /**
   * Notified of each request that Sallyport did not screen to its end. Must not wait; what it
   * throws is dropped. Without it, a warning of the process reports one a minute.
   */
  readonly onError?: (outage: Outage, request: GuardRequest) => void;
  /**
   * Notified whether Sallyport can be asked: at the start, when that changes, and what is in force.
   * Without it, a line on standard error says so, and a warning of the process what is wrong.
   */
  readonly onStatus?: (state: ServiceState) => void;
  /**
   * HTML for browsers in the place of the usual page: a text in which `{{id}}` stands for the id, or
   * a function. Programs are answered JSON or text as before.
   */
  readonly blockPage?: BlockPage;
}

/** Settings of a middleware: a Sallyport to ask, or a screener that is there already. */
export type GuardOptions = GuardSettings & (ClientOptions | { readonly screener: Screener });

const settingNames: Readonly<Record<keyof GuardSettings, true>> = {
  onOutage: true,
  inlineOnOutage: true,
  onIncomplete: true,
  monitor: true,
  skip: true,
  headers: true,
  bodyBytesMax: true,
  onBlock: true,
  onError: true,
  onStatus: true,
  blockPage: true,
};

/** Throws at the start for what would have no effect, or not the one that was meant. */
export function checkGuardOptions(
  options: GuardOptions,
  ofFramework: readonly string[] = [],
): void {
  const known = [...Object.keys(settingNames), 'respond', 'screener', ...clientOptionNames];
  checkOptionNames('The middleware of Sallyport', options, [...known, ...ofFramework]);
  checkChoice('onOutage', options.onOutage);
  checkChoice('onIncomplete', options.onIncomplete);
  if (!((options.bodyBytesMax ?? 0) >= 0)) {
    throw new RangeError('bodyBytesMax must be a number from 0.');
  }
}

/** A misspelt choice must not let pass what was meant to be refused. */
function checkChoice(name: string, choice: unknown): void {
  if (choice === undefined || typeof choice === 'function') return;
  if (choice === 'allow' || choice === 'block') return;
  throw new TypeError(`${name} must be 'allow', 'block', or a function that returns one of them.`);
}
