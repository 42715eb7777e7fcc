import { isUtf8 } from 'node:buffer';
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
  readonly policies: readonly Policy[];
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

const batchWords = 2;
const itemWords = 3;
const partCount = contextParts.length;

const replyWords = 2;
const replyInJson = 0;
const replyPlainAllow = 1;

const noFindings: readonly Finding[] = Object.freeze([]);
const noReasons: Coverage['reasons'] = Object.freeze([]);

/** Packs a batch. Bodies are copied, so that the batch can be packed again when its worker dies. */
export function packBatch(inputs: readonly ScanInput[]): BatchMessage {
  const contexts: RequestContext[] = [];
  const policies: Policy[] = [];
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
    head[word + 2] = indexOfPolicy(policies, input.policy);
    word += itemWords;
  }
  return { packed, contextText: packContexts(contexts, head, word), policies };
}

/** The requests of a batch, in its order. */
export function unpackBatch(message: BatchMessage): BatchItem[] {
  const { packed, policies } = message;
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
    const policy = policies[head[word + 2] ?? 0];
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
export function screenBatchWith(screen: Screen, message: BatchMessage): BatchReply {
  return packReply(
    unpackBatch(message).map(({ request, policy }) => screenSafely(screen, request, policy)),
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

// The table is short, mostly of one entry: a linear search beats a Map.
function indexOfPolicy(policies: Policy[], policy: Policy): number {
  const index = policies.indexOf(policy);
  return index === -1 ? policies.push(policy) - 1 : index;
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
