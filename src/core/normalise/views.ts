import type { Category } from '../../contract/category.ts';
import { type CoverageReason, limits } from '../../contract/limits.ts';
import { type Decoder, type Emit, type Marks, stepLabel } from './decoder.ts';
import type { Nature } from './nature.ts';

/** A text that the receiver of a value may see: the raw one, or one behind a chain of decodings. */
export interface View {
  readonly text: string;
  readonly where: 'value' | 'name';
  /** Decodings from the raw text to this one, first applied first. */
  readonly decoded: readonly string[];
  /** The category whose rules alone judge it; undefined for all. */
  readonly readBy?: Category | undefined;
  /** Categories whose rules do not judge it. */
  readonly notReadBy?: readonly Category[] | undefined;
}

/** Whether the rules of a category judge a view. */
export function isReadBy({ readBy, notReadBy }: View, category: Category): boolean {
  if (readBy !== undefined) return readBy === category;
  return notReadBy === undefined || !notReadBy.includes(category);
}

/** A view whose decoders have not all been tried. */
interface Branch {
  readonly view: View;
  readonly marks: Marks;
  readonly decoders: DecoderTable;
  /** Number of the decoder to try next. */
  next: number;
  /** True once an additive decoder gave a view that holds what the others would add. */
  isChained: boolean;
}

/** Decoders, and the classes that each waits for in a row: most are passed over by these alone. */
interface DecoderTable {
  readonly list: readonly Decoder[];
  readonly classes: Int32Array;
}

/**
 * The views of one value: all chains of decoders, each text once, within the bounds of `limits`.
 *
 * Depth first: the fully decoded text comes before the many that are decoded in part, so that it is
 * reached even where the bounds are too tight for all of them.
 */
export class ViewQueue {
  private readonly decoders: DecoderTable;
  private readonly dataDecoders: DecoderTable;
  /** What is still to be done, the last first. */
  private readonly stack: (View | Branch)[] = [];
  private seen: Set<string> = new Set();
  /** The raw text, which counts as seen once something was decoded: to hash a text takes time. */
  private raw: View | undefined;
  /** What the decoder that is at work gave. */
  private readonly results: View[] = [];
  private followed: View | undefined;
  private decoder: Decoder | undefined;
  /** Made once: most decoders that are asked have nothing to give. */
  private readonly take: Emit = (text, argument, where) => {
    const { followed, decoder } = this;
    if (followed === undefined || decoder === undefined) return;
    const decoded = [...followed.decoded, stepLabel(decoder, argument)];
    const { readBy, notReadBy } = decoder;
    const result = { text, where: where ?? followed.where, decoded, readBy, notReadBy };
    if (this.admit(result)) this.results.push(result);
  };
  private views = 0;
  /** Effort left for this value, and for all values of the request beyond their own. */
  private ownLeft = 0;
  private poolLeft = 0;
  /** Characters that decoders have read: the measure of work. */
  steps = 0;
  readonly reasons: Set<CoverageReason> = new Set();

  /** `dataDecoders` are those for a text that is encoded as a whole. */
  constructor(decoders: readonly Decoder[], dataDecoders: readonly Decoder[]) {
    this.decoders = tableOf(decoders);
    this.dataDecoders = tableOf(dataDecoders);
  }

  /** Starts over with a request. */
  startRequest(): void {
    this.poolLeft = limits.expansionPoolChars;
    this.steps = 0;
    if (this.reasons.size > 0) this.reasons.clear();
  }

  /** Starts over with the raw text of a value of the request. */
  start(text: string, slack: number = limits.expansionSlackChars): void {
    if (this.stack.length > 0) this.stack.length = 0;
    // A cleared set would keep the views of all values alive: see `placement/subject.ts`.
    if (this.seen.size > 0) this.seen = new Set();
    this.raw = undefined;
    this.views = 1;
    this.ownLeft = limits.expansionFactorMax * text.length + slack;
  }

  /** Says that a view was scanned, and that the chains that go on from it are to be followed. */
  expand(view: View, marks: Marks, nature: Nature = 'text'): void {
    const { classes, wide, longestRun } = marks;
    const branch: Branch = {
      view,
      marks: { classes, wide, longestRun },
      decoders: nature === 'data' ? this.dataDecoders : this.decoders,
      next: -1,
      isChained: false,
    };
    branch.next = nextDecoder(branch, 0);
    if (branch.next < 0) return;
    if (this.views === 1) this.raw = view;
    this.stack.push(branch);
  }

  /** The next view, undefined when there are no more. */
  next(): View | undefined {
    for (let top = this.stack.pop(); top !== undefined; top = this.stack.pop()) {
      if (!('marks' in top)) return top;
      this.follow(top);
    }
    return undefined;
  }

  /** Leaves out what is still to be done; false when that is nothing. */
  leaveRest(): boolean {
    if (this.stack.length === 0) return false;
    this.stack.length = 0;
    return true;
  }

  /**
   * Takes decoders of a branch until one gives something, and puts the rest of the branch below
   * what it gave.
   */
  private follow(branch: Branch): void {
    const { view } = branch;
    const { results } = this;
    while (branch.next >= 0) {
      const decoder = branch.decoders.list[branch.next] as Decoder;
      if (!this.spend(passCostOf(decoder, view.text))) {
        this.reasons.add('expansion');
        this.stack.length = 0;
        return;
      }
      this.steps += view.text.length;
      this.followed = view;
      this.decoder = decoder;
      const isDone = decoder.decode(view.text, this.take);
      if (decoder.isAdditive && results.length > 0 && view.text.length >= longTextMin) {
        branch.isChained = true;
      }
      branch.next = isDone === true ? -1 : nextDecoder(branch, branch.next + 1);
      if (results.length > 0) break;
    }
    this.followed = undefined;
    if (branch.next >= 0) this.stack.push(branch);
    for (let view = results.pop(); view !== undefined; view = results.pop()) this.stack.push(view);
  }

  /** True when a view is new and within the bounds. */
  private admit(view: View): boolean {
    if (view.text === '') return false;
    if (this.raw !== undefined && view.readBy === undefined) {
      this.seen.add(keyOf(this.raw));
      this.raw = undefined;
    }
    const key = keyOf(view);
    if (this.seen.has(key) || this.isSeenByMore(view)) return false;
    const reason = this.reasonAgainst(view);
    if (reason !== undefined) {
      this.reasons.add(reason);
      return false;
    }
    this.views++;
    this.seen.add(key);
    return true;
  }

  /** Whether the same text is a view that the rules of this one judge, and others as well. */
  private isSeenByMore(view: View): boolean {
    const { text, readBy, notReadBy } = view;
    if (readBy === undefined) return notReadBy !== undefined && this.seen.has(plainKeyOf(view));
    return this.seen.has(text) || this.seen.has(partKeyOf(text));
  }

  /**
   * Takes effort from the value's own share, or else from the request's; false when neither has it.
   */
  private spend(effort: number): boolean {
    const fromPool = Math.max(0, effort - this.ownLeft);
    if (fromPool > this.poolLeft) return false;
    this.ownLeft -= effort - fromPool;
    this.poolLeft -= fromPool;
    return true;
  }

  private reasonAgainst(view: View): CoverageReason | undefined {
    if (view.decoded.length > limits.decodeDepthMax) return 'decode-depth';
    if (this.views >= limits.viewsMax) return 'views';
    return this.spend(view.text.length + viewCostChars) ? undefined : 'expansion';
  }
}

function tableOf(list: readonly Decoder[]): DecoderTable {
  return { list, classes: Int32Array.from(list, (decoder) => decoder.classes ?? 0) };
}

/** Number of the next decoder that applies, -1 when there is none. */
function nextDecoder({ view, marks, decoders, isChained }: Branch, from: number): number {
  const { list, classes } = decoders;
  for (let next = from; next < list.length; next++) {
    const wanted = classes[next] as number;
    if ((marks.classes & wanted) !== wanted) continue;
    const decoder = list[next] as Decoder;
    if (isChained && decoder.isAdditive) continue;
    if (decoder.applies(view.text, marks)) return next;
  }
  return -1;
}

/** What reads a text for one language reads its beginning. */
function passCostOf({ readBy }: Decoder, text: string): number {
  return readBy === undefined ? text.length >>> passCostShift : 0;
}

/** A view costs its length and this much; a decoder's pass over a text a part of its length. */
const viewCostChars = 64;
const passCostShift = 4;

/** From this length on, views of the same text decoded in part are not worth their cost. */
const longTextMin = 1_024;

/** The same text as a name and as a value is inspected twice, and so is one that fewer rules read. */
function keyOf(view: View): string {
  const { text, readBy, notReadBy } = view;
  if (readBy !== undefined) return `\u0001${text}`;
  return notReadBy === undefined ? plainKeyOf(view) : partKeyOf(plainKeyOf(view));
}

/** Of a text that the rules of some categories do not judge; those of `readBy` always do. */
function partKeyOf(key: string): string {
  return `\u0002${key}`;
}

function plainKeyOf({ where, text }: View): string {
  return where === 'name' ? `\u0000${text}` : text;
}
