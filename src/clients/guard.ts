import { randomUUID } from 'node:crypto';
import { type Refusal, refusalOf } from '../members/refusal.ts';
import { type ClientRequest, membersOf, type RequestBody } from '../members/request-members.ts';
import { type ClientOptions, createClient } from './client.ts';
import type { Answer, Failure, Outcome, Screener } from './outcome.ts';
import { warnNowAndThen } from './warn-now-and-then.ts';

export type { ClientRequest } from '../members/request-members.ts';
export type { Answer, Failure, FailureCode, Screener } from './outcome.ts';

/** One for all requests, or a choice for each. */
export type Choice = 'allow' | 'block' | ((request: ClientRequest) => 'allow' | 'block');

/** A threat was found. */
export interface Block extends Answer {
  /** False in monitor mode: the request went on to the application. */
  readonly enforced: boolean;
}

/** Why a request was not screened, or not to its end. */
export interface Outage {
  /** Stands on the page where the request was refused. */
  readonly id: string;
  readonly code: Failure['code'] | 'incomplete' | 'defect';
  readonly message: string;
}

export interface GuardSettings {
  /** What becomes of a request that Sallyport does not answer for. Default `allow`. */
  readonly onOutage?: Choice;
  /**
   * What becomes of a request that could not be looked at whole: a body beyond `bodyBytesMax` or
   * the limits of the key, in an unknown coding, or consumed by something else. Default `allow`.
   */
  readonly onIncomplete?: Choice;
  /** True: nothing is ever refused, but `onBlock` and `onError` are told. */
  readonly monitor?: boolean;
  /** True for requests that need no screening, such as those for static files. */
  readonly skip?: (request: ClientRequest) => boolean;
  /** Names of headers that are screened beside those that are always. */
  readonly headers?: readonly string[];
  /** How much of a body is read ahead where nothing has parsed it. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** Told of each block. Must not wait; what it throws is dropped. */
  readonly onBlock?: (block: Block, request: ClientRequest) => void;
  /**
   * Told of each request that was not screened. Must not wait; what it throws is dropped. Without
   * it, a warning of the process tells of one a minute.
   */
  readonly onError?: (outage: Outage, request: ClientRequest) => void;
}

/** Settings of a middleware: a Sallyport to ask, or a screener that is there already. */
export type GuardOptions = GuardSettings & (ClientOptions | { readonly screener: Screener });

/** What all middleware does; only how it meets the framework differs. */
export interface Guard {
  readonly bodyBytesMax: number;
  skips(request: ClientRequest): boolean;
  /** The answer to a request that must not go on; undefined for one that may. Never rejects. */
  judge(request: ClientRequest, body: RequestBody): Promise<Refusal | undefined>;
}

export function createGuard(given: GuardOptions): Guard {
  checkChoice('onOutage', given.onOutage);
  checkChoice('onIncomplete', given.onIncomplete);
  const options = { ...given, onError: given.onError ?? warnNowAndThen() };
  const screener = 'screener' in options ? options.screener : createClient(options);
  const headers = (options.headers ?? []).map((name) => name.toLowerCase());
  const bodyBytesMax = options.bodyBytesMax ?? 1_048_576;
  if (!(bodyBytesMax >= 0)) throw new RangeError('bodyBytesMax must be a number from 0.');

  async function judge(request: ClientRequest, body: RequestBody): Promise<Refusal | undefined> {
    try {
      const { texts, isComplete } = await membersOf(request, body, headers);
      const outcome = joined(await Promise.all(texts.map((text) => screener.screen(text))));
      if (outcome.kind === 'blocked') return onBlocked(options, request, outcome.answer);
      if (outcome.kind === 'failed') {
        const { failure } = outcome;
        const choice = failure.code === 'not-acceptable' ? 'onIncomplete' : 'onOutage';
        return onNotScreened(options, request, failure, options[choice]);
      }
      if (outcome.answer.would === 'block') tellBlock(options, request, outcome.answer, false);
      if (isComplete) return undefined;
      return onNotScreened(options, request, incomplete, options.onIncomplete);
    } catch (error) {
      const message = `A defect of the middleware: ${String(error)}`;
      return onNotScreened(options, request, { code: 'defect', message }, options.onOutage);
    }
  }

  const skips = (request: ClientRequest) => quietly(() => options.skip?.(request)) === true;
  return { bodyBytesMax, judge, skips };
}

/** A misspelt choice must not let pass what was meant to be refused. */
function checkChoice(name: string, choice: unknown): void {
  if (choice === undefined || typeof choice === 'function') return;
  if (choice === 'allow' || choice === 'block') return;
  throw new TypeError(`${name} must be 'allow', 'block', or a function that returns one of them.`);
}

const incomplete = {
  code: 'incomplete',
  message: 'Only a part of the request could be looked at: see bodyBytesMax and onIncomplete.',
} as const;

/** One outcome for a request that was screened in several parts. */
function joined(outcomes: readonly Outcome[]): Outcome {
  const [first] = outcomes;
  if (first === undefined) throw new RangeError('A request has at least one part.');
  return (
    outcomes.find(({ kind }) => kind === 'blocked') ??
    outcomes.find(({ kind }) => kind === 'failed') ??
    outcomes.find((one) => one.kind === 'allowed' && one.answer.would === 'block') ??
    first
  );
}

function onBlocked(
  settings: GuardSettings,
  request: ClientRequest,
  answer: Answer,
): Refusal | undefined {
  const enforced = settings.monitor !== true;
  tellBlock(settings, request, answer, enforced);
  return enforced ? refusalOf(request, { why: 'harmful', status: 403 }, answer.id) : undefined;
}

function onNotScreened(
  settings: GuardSettings,
  request: ClientRequest,
  cause: Omit<Outage, 'id'>,
  choice: Choice = 'allow',
): Refusal | undefined {
  const id = randomUUID();
  quietly(() => settings.onError?.({ id, ...cause }, request));
  if (settings.monitor === true) return undefined;
  const chosen =
    typeof choice === 'function' ? (quietly(() => choice(request)) ?? 'block') : choice;
  return chosen === 'allow' ? undefined : refusalOf(request, { why: 'unchecked', status: 503 }, id);
}

function tellBlock(
  settings: GuardSettings,
  request: ClientRequest,
  answer: Answer,
  enforced: boolean,
): void {
  quietly(() => settings.onBlock?.({ ...answer, enforced }, request));
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
