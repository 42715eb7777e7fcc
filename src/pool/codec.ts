import { isUtf8 } from 'node:buffer';
import { readlinkSync } from 'node:fs';
import { categories } from '../contract/category.ts';
import type { BodyFault } from '../contract/errors.ts';
import type { ExplainInput, ExplainOutcome } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import type { BlockFacts, BlockRecord, DescribeInput, ScanOutcome } from '../contract/ports.ts';
import {
  type ContextPart,
  contextParts,
  noContext,
  type RequestContext,
  type ScreeningRequest,
} from '../contract/request.ts';
import type { Verdict } from '../contract/verdict.ts';
import { blockTexts, type WrittenBlock } from '../contract/written-block.ts';

/**
 * A batch on its way to a worker thread. The bodies and the answers lie on the thread's desk,
 * memory that both sides see: nothing is allocated, cloned or collected but this message.
 *
 * The desk = a head of 32-bit words, then the bodies end to end. The head is `[count, contexts,
 * number of the thread, index of the request at work]`, the last two from the thread, per request
 * `[end of its body, context, policy]`, per context the length of each of its parts and its client. Context 0 is
 * `noContext`; context n is the n-th that was sent. The answer to a request takes the place of its
 * words: a plain allow is complete in them, the rest stands in the reply. The last of them becomes
 * the time that it took, in units of 10 ns.
 */
export interface BatchMessage {
  /** The desk, where the thread does not have it yet. */
  readonly desk: SharedArrayBuffer | undefined;
  /** All context parts, end to end. */
  readonly contextText: string;
  readonly policies: PolicyNews;
}

/**
 * The answers that did not fit their words, in the order of the batch: a written block as its texts
 * and its verdict, any other as one text, all in JSON but the texts.
 */
export type BatchReply = readonly string[];

/** Policies that a thread does not hold yet, from this number on; all that it held are numbered. */
export interface PolicyNews {
  readonly from: number;
  readonly added: readonly Policy[];
}

interface PackedRequest {
  readonly body: Uint8Array;
  readonly context: RequestContext;
  /** Number of the policy. */
  readonly policy: number;
}

/** A request for an explanation on its way to a worker thread. */
export interface ExplainMessage extends PackedRequest {
  readonly policies: PolicyNews;
  readonly depth: ExplainInput['depth'];
}

/** A block on its way to a worker thread. */
export interface PackedBlock extends PackedRequest {
  readonly record: Omit<BlockRecord, 'body' | 'context' | 'policy'>;
  readonly facts: BlockFacts;
}

/** Blocks on their way to a worker thread, to come back as events. */
export interface DescribeMessage {
  readonly blocks: readonly PackedBlock[];
  readonly depth: DescribeInput['depth'];
  readonly policies: PolicyNews;
}

/** What a worker can say of one request. */
export type Screened = Extract<ScanOutcome, { kind: 'verdict' | 'rejected' | 'failed' }>;

/** The one call into the core: `Engine.screen`, or a stand-in for it in a test. */
export type Screen = (request: ScreeningRequest, policy: Policy) => Screened;

/** Writes a block down for its answer and its log line. */
export type WriteBlock = (
  request: ScreeningRequest,
  policy: Policy,
  verdict: Verdict,
) => WrittenBlock;

/** Says what is wrong with a body that the front end has not parsed, `shapeFault` or a stand-in. */
export type CheckShape = (text: string) => BodyFault | undefined;

/** What a worker can say of one request for an explanation. */
export type Explained = Extract<ExplainOutcome, { kind: 'explained' | 'rejected' | 'failed' }>;

/** The other call into the core: `Engine.explain`. */
export type Explain = (
  request: ScreeningRequest,
  policy: Policy,
  depth: ExplainInput['depth'],
) => Explained;

/** Where what stands on a desk. */
export const layout = {
  batchWords: 4,
  threadWord: 2,
  atWorkWord: 3,
  itemWords: 3,
  /** The client comes last. */
  contextWords: contextParts.length + 1,
  /** Stands in the place of the count once a batch is answered: no batch is that large. */
  answeredMark: 0x8000_0000,
  answerInReply: 0,
  answerPlainAllow: 1,
  /** Beside it, in bytes: whether the coverage is complete, and the number of the category. */
  answerWritten: 2,
  timeUnitsPerMs: 100_000,
} as const;

const { batchWords, itemWords, contextWords, answeredMark, timeUnitsPerMs } = layout;
const { answerInReply, answerPlainAllow, answerWritten, threadWord, atWorkWord } = layout;

/** The number that the system has for the thread that asks; 0 where it does not say. */
export function ownThreadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/** A worker thread's side of its desk, and the policies that it holds. */
export class ThreadDesk {
  readonly #policies: Policy[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #words: Uint32Array = new Uint32Array(0);
  readonly #thread = ownThreadNumber();
  readonly #checkShape: CheckShape | undefined;
  readonly #writeBlock: WriteBlock | undefined;

  /**
   * Without `checkShape` all bodies count as checked by the front end, whatever their length;
   * without `writeBlock` the front end writes blocks.
   */
  constructor(checkShape?: CheckShape, writeBlock?: WriteBlock) {
    this.#checkShape = checkShape;
    this.#writeBlock = writeBlock;
  }

  /** Screens a batch, each request on its own: an exception fails only the one that caused it. */
  screen(screen: Screen, { desk, contextText, policies }: BatchMessage): BatchReply {
    this.#learn(policies);
    if (desk !== undefined) {
      this.#bytes = Buffer.from(desk);
      this.#words = new Uint32Array(desk);
      this.#words[threadWord] = this.#thread;
    }
    const words = this.#words;
    const [count = 0, contextCount = 0] = words;
    const contextsFrom = batchWords + count * itemWords;
    const bodiesFrom = contextsFrom + contextCount * contextWords;
    const contexts = unpackContexts(words.subarray(contextsFrom, bodiesFrom), contextText);
    const others: string[] = [];
    let start = bodiesFrom * 4;
    let startedAt = performance.now();
    for (let at = batchWords, index = 0; at < contextsFrom; at += itemWords, index++) {
      words[atWorkWord] = index;
      const end = words[at] ?? start;
      const contextIndex = words[at + 1] ?? 0;
      const context = contextIndex === 0 ? noContext : contexts[contextIndex - 1];
      const policy = this.#policies[words[at + 2] ?? 0];
      if (context === undefined || policy === undefined) throw new Error(malformed('batch'));
      const body = textOf(this.#bytes, start, end);
      const request = body === undefined ? undefined : { body, context };
      const isLarge = end - start > limits.bodyInlineBytesMax;
      const checkShape = isLarge ? this.#checkShape : undefined;
      const outcome = screenSafely(screen, request, policy, checkShape);
      if (!answerInWords(words, at, outcome)) {
        const written = request && this.#written(request, policy, outcome);
        if (written === undefined) others.push(JSON.stringify(outcome));
        else words[at] = pushWritten(others, written, outcome);
      }
      const endedAt = performance.now();
      words[at + 2] = (endedAt - startedAt) * timeUnitsPerMs;
      startedAt = endedAt;
      start = end;
    }
    words[0] = (answeredMark | count) >>> 0;
    return others;
  }

  #written(request: ScreeningRequest, policy: Policy, outcome: Screened): WrittenBlock | undefined {
    if (outcome.kind !== 'verdict' || outcome.verdict.decision !== 'block') return undefined;
    try {
      return this.#writeBlock?.(request, policy, outcome.verdict);
    } catch {
      // The front end will try, and its log says what is wrong.
      return undefined;
    }
  }

  /** Explains a request. Never throws. */
  explain(explain: Explain, message: ExplainMessage): Explained {
    this.#learn(message.policies);
    return this.#explain(explain, message, message.depth);
  }

  /** Explains blocks, where that is wanted. Never throws. */
  explainBlocks(
    explain: Explain,
    { blocks, depth, policies }: DescribeMessage,
  ): readonly (Explained | undefined)[] {
    this.#learn(policies);
    return blocks.map((block) =>
      depth === 'bare' ? undefined : this.#explain(explain, block, 'findings'),
    );
  }

  #explain(explain: Explain, packed: PackedRequest, depth: ExplainInput['depth']): Explained {
    const { context } = packed;
    try {
      const policy = this.#policies[packed.policy];
      if (policy === undefined) throw new Error(malformed('request for an explanation'));
      const { buffer, byteOffset, length } = packed.body;
      const body = textOf(Buffer.from(buffer, byteOffset, length), 0, length);
      if (body === undefined) return { kind: 'rejected', fault: 'body-not-utf8' };
      return explain({ body, context }, policy, depth);
    } catch (error) {
      return { kind: 'failed', detail: describeError(error) };
    }
  }

  #learn({ from, added }: PolicyNews): void {
    if (added.length === 0) return;
    this.#policies.length = from;
    this.#policies.push(...added);
  }
}

/**
 * The text of bytes `start` to `end`, undefined when they are not UTF-8. The decoder puts U+FFFD in
 * the place of what is not, so that only a text that holds one is worth a second look.
 */
export function textOf(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** A screen that never throws. `checkShape` has the first word, where it is given. */
export function screenSafely(
  screen: Screen,
  request: ScreeningRequest | undefined,
  policy: Policy,
  checkShape?: CheckShape,
): Screened {
  if (request === undefined) return { kind: 'rejected', fault: 'body-not-utf8' };
  try {
    const fault = checkShape?.(request.body);
    if (fault !== undefined) return { kind: 'rejected', fault };
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

/** Writes a plain allow in the place of its request; false for all that does not fit there. */
function answerInWords(words: Uint32Array, at: number, outcome: Screened): boolean {
  if (outcome.kind !== 'verdict' || !isPlainAllow(outcome.verdict)) {
    words[at] = answerInReply;
    return false;
  }
  const { score, threshold, coverage } = outcome.verdict;
  words[at] = answerPlainAllow | (score << 8) | (threshold << 16);
  words[at + 1] = coverage.bytes;
  return true;
}

/** Adds the texts of a block to a reply; gives the word that goes with them. */
function pushWritten(reply: string[], written: WrittenBlock, outcome: Screened): number {
  for (const name of blockTexts) reply.push(written[name]);
  reply.push(JSON.stringify(outcome));
  // One beyond the last category for none.
  const category = (categories as readonly string[]).indexOf(written.category ?? '');
  const number = category === -1 ? categories.length : category;
  return answerWritten | (Number(written.isComplete) << 8) | (number << 16);
}

function unpackContexts(lengths: Uint32Array, text: string): RequestContext[] {
  const contexts: RequestContext[] = [];
  let start = 0;
  for (let word = 0; word < lengths.length; word += contextWords) {
    const context: Record<ContextPart, string> & { client?: string } = { ...noContext };
    for (let index = 0; index < contextWords; index++) {
      const end = start + (lengths[word + index] ?? 0);
      const part = contextParts[index]?.part ?? 'client';
      if (end > start) context[part] = text.slice(start, end);
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

/** Why a batch or a reply cannot be read. */
export function malformed(what: string): string {
  return `The ${what} is malformed: both threads must run the same build; build and start again.`;
}
