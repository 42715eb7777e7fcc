import { categories } from '../contract/category.ts';
import type { ExplainInput } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import type { DescribeInput, ScanInput } from '../contract/ports.ts';
import { contextParts, noContext, type RequestContext } from '../contract/request.ts';
import type { Coverage, Finding, Verdict } from '../contract/verdict.ts';
import { blockTexts, type WrittenBlock } from '../contract/written-block.ts';
import {
  type BatchMessage,
  type BatchReply,
  type DescribeMessage,
  type ExplainMessage,
  layout,
  malformed,
  type PolicyNews,
  type Screened,
} from './codec.ts';

const { batchWords, itemWords, contextWords, answeredMark, timeUnitsPerMs } = layout;
const { answerPlainAllow, answerWritten, threadWord, atWorkWord } = layout;

const noFindings: readonly Finding[] = Object.freeze([]);
const noReasons: Coverage['reasons'] = Object.freeze([]);

const noNews: PolicyNews = Object.freeze({ from: 0, added: Object.freeze([]) });

/** Enough for a full batch of small requests; a larger batch gets a larger desk, which stays. */
const deskBytesMin = 65_536;

/**
 * The pool's side of a thread's desk (`codec.ts`). It knows what its thread has seen, so that a new
 * thread needs a new one; so does one that lost a batch, because it may still be reading.
 */
export class BatchDesk {
  #desk = new SharedArrayBuffer(deskBytesMin);
  #bytes = new Uint8Array(this.#desk);
  #words = new Uint32Array(this.#desk);
  #isDeskNew = true;
  #count = 0;
  #allowedMs = Number.POSITIVE_INFINITY;
  #thread = 0;
  readonly #policies = new PolicyTable();

  /** Lays a batch on the desk. Bodies are copied, so that it can be laid on another one later. */
  pack(inputs: readonly ScanInput[]): BatchMessage {
    const contexts: RequestContext[] = [];
    let bodyBytes = 0;
    for (const { body, context } of inputs) {
      bodyBytes += body.length;
      if (context !== noContext) contexts.push(context);
    }
    const headLength = batchWords + inputs.length * itemWords + contexts.length * contextWords;
    this.#makeRoom(headLength * 4 + bodyBytes);
    this.#policies.begin();
    const words = this.#words;
    words[0] = inputs.length;
    words[1] = contexts.length;
    let word = batchWords;
    let end = headLength * 4;
    let contextsSeen = 0;
    for (const { body, context, policy } of inputs) {
      this.#bytes.set(body, end);
      end += body.length;
      words[word] = end;
      words[word + 1] = context === noContext ? 0 : ++contextsSeen;
      words[word + 2] = this.#policies.numberOf(policy);
      word += itemWords;
    }
    this.#count = inputs.length;
    words[atWorkWord] = inputs.length;
    const news = this.#policies.takeNews();
    this.#allowedMs = allowedMs(inputs, bodyBytes, news);
    const desk = this.#isDeskNew ? this.#desk : undefined;
    this.#isDeskNew = false;
    const contextText = packContexts(contexts, words, word);
    return { desk, contextText, policies: news };
  }

  /** The answers to the batch on the desk, in its order. Throws when they are not there. */
  unpack(reply: BatchReply): Screened[] {
    const words = this.#words;
    if (words[0] !== (answeredMark | this.#count) >>> 0) throw new Error(malformed('reply'));
    const outcomes: Screened[] = new Array(this.#count);
    let textsRead = 0;
    for (let index = 0; index < this.#count; index++) {
      const at = batchWords + index * itemWords;
      const word = words[at] ?? 0;
      const kind = word & 0xff;
      if (kind === answerPlainAllow) {
        outcomes[index] = plainAllow(word, words[at + 1] ?? 0);
        continue;
      }
      const outcomeAt = textsRead + (kind === answerWritten ? blockTexts.length : 0);
      const text = reply[outcomeAt];
      if (text === undefined) throw new Error(malformed('reply'));
      outcomes[index] =
        kind === answerWritten
          ? new BlockOutcome(text, writtenBlock(word, reply, textsRead))
          : JSON.parse(text);
      textsRead = outcomeAt + 1;
    }
    return outcomes;
  }

  /** Processor time that the batch on the desk can need at most. */
  get allowedMs(): number {
    return this.#allowedMs;
  }

  /** The number that the system has for the thread; 0 where it is not known. */
  get thread(): number {
    if (this.#thread === 0) this.#thread = this.#words[threadWord] ?? 0;
    return this.#thread;
  }

  /** A lost batch, with the request last that the thread was at work on: it may hang again. */
  worstLast<T>(batch: readonly T[]): readonly T[] {
    const index = this.#words[atWorkWord] ?? 0;
    return index < batch.length
      ? [...batch.toSpliced(index, 1), ...batch.slice(index, index + 1)]
      : batch;
  }

  /** How long the thread worked on a request of the batch, until the next batch is packed. */
  engineMs(index: number): number {
    return (this.#words[batchWords + index * itemWords + 2] ?? 0) / timeUnitsPerMs;
  }

  /** Packs a request for an explanation. It does not lie on the desk: few are asked for. */
  packExplain(input: ExplainInput): ExplainMessage {
    const { context, depth } = input;
    // A view of a larger block would take the whole block with it.
    const body = new Uint8Array(input.body);
    this.#policies.begin();
    const policy = this.#policies.numberOf(input.policy);
    return { body, context, depth, policy, policies: this.#policies.takeNews() };
  }

  /** Packs blocks that are to be described. */
  packDescribe({ blocks: known, depth }: DescribeInput): DescribeMessage {
    this.#policies.begin();
    const blocks = known.map(
      ({ record: { body, context, policy, written: _, ...record }, facts }) => ({
        body: new Uint8Array(body),
        context,
        policy: this.#policies.numberOf(policy),
        record,
        facts,
      }),
    );
    return { blocks, depth, policies: this.#policies.takeNews() };
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#desk.byteLength) return;
    this.#desk = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(bytes)));
    this.#bytes = new Uint8Array(this.#desk);
    this.#words = new Uint32Array(this.#desk);
    this.#isDeskNew = true;
  }
}

/**
 * The slowest texts known take 3 to 8 ms a KiB of processor time on a slow machine, and 25 where
 * their code is not compiled yet, which a thread that was ended for it would begin anew with.
 */
function allowedMs(inputs: readonly ScanInput[], bytes: number, news: PolicyNews): number {
  // To compile a policy takes its time, once.
  if (news.added.length > 0) return Number.POSITIVE_INFINITY;
  let patterned = 0;
  for (const { policy } of inputs) if (policy.customRules.length > 0) patterned += 1;
  const { batchMsBase, batchMsPerKib, batchMsPerPatterned } = limits;
  return batchMsBase + (bytes / 1_024) * batchMsPerKib + patterned * batchMsPerPatterned;
}

/** Policies that a thread holds at most; beyond, it drops all and loads those that it needs. */
const policiesHeldMax = 1_000;

/**
 * The policies that one thread holds, by number. A policy travels once; the thread compiles what it
 * holds once, and a request costs a number.
 */
class PolicyTable {
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

  /** What the next message must tell the thread about policies. */
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

function packContexts(
  contexts: readonly RequestContext[],
  head: Uint32Array,
  from: number,
): string {
  let text = '';
  let word = from;
  for (const context of contexts) {
    for (const { part } of contextParts) {
      text += context[part];
      head[word++] = context[part].length;
    }
    const { client = '' } = context;
    text += client;
    head[word++] = client.length;
  }
  return text;
}

/** A block that is written down: its verdict is parsed for those who ask for it. */
class BlockOutcome {
  readonly kind = 'verdict';
  readonly written: WrittenBlock;
  readonly #text: string;
  #verdict: Verdict | undefined;

  constructor(text: string, written: WrittenBlock) {
    this.#text = text;
    this.written = written;
  }

  get verdict(): Verdict {
    this.#verdict ??= JSON.parse(this.#text).verdict as Verdict;
    return this.#verdict;
  }
}

/** The block whose texts begin at a place of the reply. */
function writtenBlock(word: number, reply: BatchReply, from: number): WrittenBlock {
  const block: Record<string, unknown> = {
    category: categories[word >>> 16],
    isComplete: ((word >>> 8) & 0xff) === 1,
  };
  for (let index = 0; index < blockTexts.length; index++) {
    block[blockTexts[index] ?? ''] = reply[from + index];
  }
  return block as unknown as WrittenBlock;
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
