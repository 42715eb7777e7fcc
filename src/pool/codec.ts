import { isUtf8 } from 'node:buffer';
import type { ExplainInput, ExplainOutcome } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import type { ScanInput, ScanOutcome } from '../contract/ports.ts';
import {
  contextParts,
  noContext,
  type RequestContext,
  type ScreeningRequest,
} from '../contract/request.ts';
import type { Coverage, Finding, Verdict } from '../contract/verdict.ts';

/**
 * A batch on its way to a worker thread: one block of bytes that is transferred, one string, and a
 * short table. A structured clone costs by the object, so that the number of objects does not grow
 * with the number of requests.
 *
 * `packed` = a head of 32-bit words, then the bodies end to end. The head is
 * `[count, contexts]`, per request `[end of its body, context, policy]`, per context the length of
 * each of its parts. Context 0 is `noContext`; context n is the n-th that was sent.
 */
export interface BatchMessage {
  readonly packed: Uint8Array<ArrayBuffer>;
  /** All context parts, end to end. */
  readonly contextText: string;
  readonly policies: PolicyNews;
}

/** Policies that a thread does not hold yet, from this number on; all that it held are numbered. */
export interface PolicyNews {
  readonly from: number;
  readonly added: readonly Policy[];
}

/** A request for an explanation on its way to a worker thread. */
export interface ExplainMessage {
  readonly body: Uint8Array;
  readonly context: RequestContext;
  readonly policies: PolicyNews;
  /** Number of the policy. */
  readonly policy: number;
  readonly depth: ExplainInput['depth'];
}

/** One request as the worker sees it; no request where the body is not UTF-8. */
export interface BatchItem {
  readonly request: ScreeningRequest | undefined;
  readonly policy: Policy;
}

/** What a worker can say of one request. */
export type Screened = Extract<ScanOutcome, { kind: 'verdict' | 'rejected' | 'failed' }>;

/** The one call into the core: `Engine.screen`, or a stand-in for it in a test. */
export type Screen = (request: ScreeningRequest, policy: Policy) => Screened;

/**
 * The answers to a batch, two words each, in its order. A plain allow is complete in its words; the
 * rest stands in one JSON array. The bare words are the usual case: everything was allowed.
 */
export type BatchReply = Uint32Array | { readonly words: Uint32Array; readonly json: string };

/** What a worker can say of one request for an explanation. */
export type Explained = Extract<ExplainOutcome, { kind: 'explained' | 'rejected' | 'failed' }>;

/** The other call into the core: `Engine.explain`. */
export type Explain = (
  request: ScreeningRequest,
  policy: Policy,
  depth: ExplainInput['depth'],
) => Explained;

const batchWords = 2;
const itemWords = 3;
const partCount = contextParts.length;

const replyWords = 2;
const replyInJson = 0;
const replyPlainAllow = 1;

const noFindings: readonly Finding[] = Object.freeze([]);
const noReasons: Coverage['reasons'] = Object.freeze([]);

const noNews: PolicyNews = Object.freeze({ from: 0, added: Object.freeze([]) });

/** Policies that a thread holds at most; then it begins anew with those that are asked for. */
const policiesHeldMax = 1_000;

/**
 * The policies that one thread holds, by number. A policy travels once; the thread compiles what it
 * holds once, and a request costs a number.
 */
export class PolicyTable {
  readonly #numbers = new Map<Policy, number>();
  #last: Policy | undefined;
  #lastNumber = 0;
  #from = 0;
  #added: Policy[] = [];

  numberOf(policy: Policy): number {
    if (policy === this.#last) return this.#lastNumber;
    let number = this.#numbers.get(policy);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(policy, number);
      this.#added.push(policy);
    }
    this.#last = policy;
    this.#lastNumber = number;
    return number;
  }

  /** What the thread is to be told with the message that is about to leave. */
  takeNews(): PolicyNews {
    if (this.#added.length === 0) return noNews;
    const news = { from: this.#from, added: this.#added };
    this.#from += this.#added.length;
    this.#added = [];
    return news;
  }

  /** To be called before the first number of a message is asked for. */
  begin(): void {
    if (this.#numbers.size < policiesHeldMax) return;
    this.#numbers.clear();
    this.#last = undefined;
    this.#from = 0;
  }
}

/** The worker's side of the table: takes in the news. */
function learn(held: Policy[], news: PolicyNews): void {
  if (news.added.length === 0) return;
  held.length = news.from;
  held.push(...news.added);
}

/** Packs a batch. Bodies are copied, so that the batch can be packed again when its worker dies. */
export function packBatch(
  inputs: readonly ScanInput[],
  policies: PolicyTable = new PolicyTable(),
): BatchMessage {
  const contexts: RequestContext[] = [];
  policies.begin();
  let bodyBytes = 0;
  for (const input of inputs) {
    bodyBytes += input.body.length;
    if (input.context !== noContext) contexts.push(input.context);
  }
  const headLength = batchWords + inputs.length * itemWords + contexts.length * partCount;
  const packed = new Uint8Array(headLength * 4 + bodyBytes);
  const head = new Uint32Array(packed.buffer, 0, headLength);
  head[0] = inputs.length;
  head[1] = contexts.length;
  let word = batchWords;
  let end = headLength * 4;
  let contextsSeen = 0;
  for (const input of inputs) {
    packed.set(input.body, end);
    end += input.body.length;
    head[word] = end;
    if (input.context !== noContext) head[word + 1] = ++contextsSeen;
    head[word + 2] = policies.numberOf(input.policy);
    word += itemWords;
  }
  const contextText = packContexts(contexts, head, word);
  return { packed, contextText, policies: policies.takeNews() };
}

/** The requests of a batch, in its order. `held` are the policies that the thread holds. */
export function unpackBatch(message: BatchMessage, held: Policy[] = []): BatchItem[] {
  const { packed } = message;
  learn(held, message.policies);
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const counts = new Uint32Array(packed.buffer, packed.byteOffset, batchWords);
  const count = counts[0] ?? 0;
  const headLength = batchWords + count * itemWords + (counts[1] ?? 0) * partCount;
  const head = new Uint32Array(packed.buffer, packed.byteOffset, headLength);
  const contexts = unpackContexts(head, batchWords + count * itemWords, message.contextText);
  const items: BatchItem[] = new Array(count);
  let start = headLength * 4;
  for (let index = 0; index < count; index++) {
    const word = batchWords + index * itemWords;
    const end = head[word] ?? start;
    const contextIndex = head[word + 1] ?? 0;
    const context = contextIndex === 0 ? noContext : contexts[contextIndex - 1];
    const policy = held[head[word + 2] ?? 0];
    if (context === undefined || policy === undefined) throw new Error(malformed('batch'));
    const body = textOf(bytes, start, end);
    items[index] = { request: body === undefined ? undefined : { body, context }, policy };
    start = end;
  }
  return items;
}

/**
 * The text of bytes `start` to `end`, undefined when they are not UTF-8. The decoder puts U+FFFD in
 * the place of what is not, so that only a text that holds one is worth a second look.
 */
export function textOf(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** Screens a batch, each request on its own: an exception fails only the request that caused it. */
export function screenBatchWith(
  screen: Screen,
  message: BatchMessage,
  held: Policy[] = [],
): BatchReply {
  return packReply(
    unpackBatch(message, held).map(({ request, policy }) => screenSafely(screen, request, policy)),
  );
}

/** A screen that never throws. */
export function screenSafely(
  screen: Screen,
  request: ScreeningRequest | undefined,
  policy: Policy,
): Screened {
  if (request === undefined) return { kind: 'rejected', fault: 'body-not-utf8' };
  try {
    const outcome = screen(request, policy);
    // The engine's own extras stay behind: only what the port names goes on.
    return outcome.kind === 'verdict' ? { kind: 'verdict', verdict: outcome.verdict } : outcome;
  } catch (error) {
    return { kind: 'failed', detail: describeError(error) };
  }
}

/** Packs a request for an explanation. */
export function packExplain(input: ExplainInput, policies: PolicyTable): ExplainMessage {
  const { context, depth } = input;
  // A view of a larger block would take the whole block with it.
  const body = new Uint8Array(input.body);
  policies.begin();
  const policy = policies.numberOf(input.policy);
  return { body, context, depth, policy, policies: policies.takeNews() };
}

/** Explains a request. Never throws. */
export function explainWith(explain: Explain, message: ExplainMessage, held: Policy[]): Explained {
  const { context, depth } = message;
  learn(held, message.policies);
  try {
    const policy = held[message.policy];
    if (policy === undefined) throw new Error(malformed('request for an explanation'));
    const { buffer, byteOffset, length } = message.body;
    const body = textOf(Buffer.from(buffer, byteOffset, length), 0, length);
    if (body === undefined) return { kind: 'rejected', fault: 'body-not-utf8' };
    return explain({ body, context }, policy, depth);
  } catch (error) {
    return { kind: 'failed', detail: describeError(error) };
  }
}

/** Text for the log that says what was thrown and where. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Packs the answers to a batch. */
export function packReply(outcomes: readonly Screened[]): BatchReply {
  const words = new Uint32Array(outcomes.length * replyWords);
  const others: Screened[] = [];
  for (let index = 0; index < outcomes.length; index++) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(malformed('list of outcomes'));
    if (outcome.kind === 'verdict' && isPlainAllow(outcome.verdict)) {
      const { score, threshold, coverage } = outcome.verdict;
      words[index * replyWords] = replyPlainAllow | (score << 8) | (threshold << 16);
      words[index * replyWords + 1] = coverage.bytes;
    } else {
      others.push(outcome);
    }
  }
  return others.length === 0 ? words : { words, json: JSON.stringify(others) };
}

/**
 * The answers to a batch of `count` requests, in its order. Throws when the reply is not one to
 * such a batch.
 */
export function unpackReply(reply: BatchReply, count: number): Screened[] {
  const words = reply instanceof Uint32Array ? reply : reply.words;
  if (words.length !== count * replyWords) throw new Error(malformed('reply'));
  const others: Screened[] = reply instanceof Uint32Array ? [] : JSON.parse(reply.json);
  const outcomes: Screened[] = new Array(count);
  let othersSeen = 0;
  for (let index = 0; index < count; index++) {
    const word = words[index * replyWords] ?? 0;
    if ((word & 0xff) === replyInJson) {
      const other = others[othersSeen++];
      if (other === undefined) throw new Error(malformed('reply'));
      outcomes[index] = other;
    } else {
      outcomes[index] = plainAllow(word, words[index * replyWords + 1] ?? 0);
    }
  }
  return outcomes;
}

function packContexts(contexts: readonly RequestContext[], head: Uint32Array, from: number) {
  let text = '';
  let word = from;
  for (const context of contexts) {
    for (const { part } of contextParts) {
      text += context[part];
      head[word++] = context[part].length;
    }
  }
  return text;
}

function unpackContexts(head: Uint32Array, from: number, text: string): RequestContext[] {
  const contexts: RequestContext[] = [];
  let start = 0;
  for (let word = from; word < head.length; word += partCount) {
    const context: Record<keyof RequestContext, string> = { ...noContext };
    for (let index = 0; index < partCount; index++) {
      const end = start + (head[word + index] ?? 0);
      const part = contextParts[index]?.part;
      if (part !== undefined) context[part] = text.slice(start, end);
      start = end;
    }
    contexts.push(context);
  }
  return contexts;
}

function isPlainAllow(verdict: Verdict): boolean {
  const { score, threshold, coverage } = verdict;
  return (
    verdict.decision === 'allow' &&
    verdict.findings.length === 0 &&
    coverage.complete &&
    coverage.reasons.length === 0 &&
    isByte(score) &&
    isByte(threshold) &&
    coverage.bytes <= limits.bodyBytesMax
  );
}

function isByte(value: number): boolean {
  return (value & 0xff) === value;
}

function plainAllow(word: number, bytes: number): Screened {
  return {
    kind: 'verdict',
    verdict: {
      decision: 'allow',
      score: (word >>> 8) & 0xff,
      threshold: (word >>> 16) & 0xff,
      findings: noFindings,
      coverage: { complete: true, bytes, reasons: noReasons },
    },
  };
}

function malformed(what: string): string {
  return `The ${what} is malformed: both threads must run the same build; build and start again.`;
}
