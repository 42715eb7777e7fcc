import { enlarge } from '../../text/bytes.ts';

/**
 * The tags of a text as lists of numbers. A hostile text has a hundred thousand of them: as objects
 * they all live at once, and the collector copies them again and again. A rule gets handles, which
 * are made when they are asked for and gone soon after.
 */
export class HtmlTags implements Iterable<HtmlTag> {
  readonly names: string[] = [];
  readonly attributeNames: string[] = [];
  /** Of each tag `tagWidth` numbers, of each attribute `attributeWidth`. */
  numbers: Int32Array = spareTags;
  attributeNumbers: Int32Array = spareAttributes;
  /** Of the tag that is being read: how many attributes it has, and whether one has a value. */
  attributesRead = 0;
  hasValue = false;
  private attributesKept = 0;

  get length(): number {
    return this.names.length;
  }

  /** The tag of this number, in the order of reading. */
  at(index: number): HtmlTag | undefined {
    return index >= 0 && index < this.length ? new HtmlTag(this, index) : undefined;
  }

  /** The first that passes a test. */
  find(test: (tag: HtmlTag) => boolean): HtmlTag | undefined {
    for (const tag of this) if (test(tag)) return tag;
    return undefined;
  }

  [Symbol.iterator](): Iterator<HtmlTag> {
    return new Walk(0, this.length, (index) => new HtmlTag(this, index));
  }

  /** Adds an attribute to the tag that is being read. */
  addAttribute({ name, start, valueStart, valueEnd, quote }: HtmlAttributeRead): void {
    const index = this.attributesKept + this.attributesRead++;
    const at = index * attributeWidth;
    if (at >= this.attributeNumbers.length) {
      const { attributeNumbers: from } = this;
      spareAttributes = enlarge(from, new Int32Array(2 * from.length));
      this.attributeNumbers = spareAttributes;
    }
    this.attributeNames[index] = name;
    this.attributeNumbers[at] = start;
    this.attributeNumbers[at + 1] = valueStart;
    this.attributeNumbers[at + 2] = valueEnd;
    this.attributeNumbers[at + 3] = quote;
    if (valueEnd > valueStart) this.hasValue = true;
  }

  /** Adds the tag that was read, with its attributes; returns its number. */
  addTag({ name, start, end, isEndTag, isClosed }: HtmlTagRead): number {
    const index = this.names.push(name) - 1;
    const at = index * tagWidth;
    if (at >= this.numbers.length) {
      spareTags = enlarge(this.numbers, new Int32Array(2 * this.numbers.length));
      this.numbers = spareTags;
    }
    this.attributesKept += this.attributesRead;
    this.dropTag();
    this.numbers[at] = start;
    this.numbers[at + 1] = end;
    this.numbers[at + 2] = end;
    this.numbers[at + 3] = (isEndTag ? endTagMark : 0) | (isClosed ? closedMark : 0);
    this.numbers[at + 4] = this.attributesKept;
    return index;
  }

  /** Forgets the attributes of the tag that was read. */
  dropTag(): void {
    this.attributesRead = 0;
    this.hasValue = false;
  }

  /** Says where the content of a tag ends. */
  endContent(index: number, end: number): void {
    this.numbers[index * tagWidth + 2] = end;
  }
}

/** What a reader says of an attribute. */
type HtmlAttributeRead = Pick<
  HtmlAttribute,
  'name' | 'start' | 'valueStart' | 'valueEnd' | 'quote'
>;

/** What a reader says of a tag whose attributes it has added. */
export type HtmlTagRead = Pick<HtmlTag, 'name' | 'start' | 'end' | 'isEndTag' | 'isClosed'>;

/** Start, end, end of the content, marks, number behind the last attribute. */
const tagWidth = 5;
/** Start, start and end of the value, quotation mark. */
const attributeWidth = 4;

const endTagMark = 1;
const closedMark = 2;

/** Reused, as to make them takes longer than to read: a reading holds until the next is made. */
let spareTags: Int32Array = new Int32Array(tagWidth * 64);
let spareAttributes: Int32Array = new Int32Array(attributeWidth * 64);

/** One of the tags or attributes, by its number. */
class Entry {
  protected readonly tags: HtmlTags;
  protected readonly index: number;

  constructor(tags: HtmlTags, index: number) {
    this.tags = tags;
    this.index = index;
  }
}

/** A start tag, end tag, processing instruction (`?xml`) or declaration (`!doctype`). */
export class HtmlTag extends Entry {
  /** Lower case, without a namespace prefix: `script` for `<svg:SCRIPT>`. */
  get name(): string {
    return this.tags.names[this.index] as string;
  }

  get start(): number {
    return this.tags.numbers[this.index * tagWidth] as number;
  }

  get end(): number {
    return this.tags.numbers[this.index * tagWidth + 1] as number;
  }

  /**
   * End of what the element holds, for elements that hold text in another grammar (script, style):
   * the next tag of the same name, or the end of the region. For others the end of the tag.
   */
  get contentEnd(): number {
    return this.tags.numbers[this.index * tagWidth + 2] as number;
  }

  get isEndTag(): boolean {
    return ((this.tags.numbers[this.index * tagWidth + 3] as number) & endTagMark) !== 0;
  }

  /** False when the text, or the attribute value around the tag, ends before the `>`. */
  get isClosed(): boolean {
    return ((this.tags.numbers[this.index * tagWidth + 3] as number) & closedMark) !== 0;
  }

  get attributes(): HtmlAttributes {
    const { tags, index } = this;
    const from = index === 0 ? 0 : (tags.numbers[index * tagWidth - 1] as number);
    return new HtmlAttributes(tags, from, tags.numbers[index * tagWidth + 4] as number);
  }
}

/** The attributes of a tag, in the order of the text. */
class HtmlAttributes implements Iterable<HtmlAttribute> {
  private readonly tags: HtmlTags;
  private readonly from: number;
  private readonly to: number;

  constructor(tags: HtmlTags, from: number, to: number) {
    this.tags = tags;
    this.from = from;
    this.to = to;
  }

  get length(): number {
    return this.to - this.from;
  }

  /** The last one. */
  get last(): HtmlAttribute | undefined {
    return this.length === 0 ? undefined : new HtmlAttribute(this.tags, this.to - 1);
  }

  /** The first that has this name and a value. */
  find(name: string): HtmlAttribute | undefined {
    const { tags, to } = this;
    for (let index = this.from; index < to; index++) {
      if (tags.attributeNames[index] !== name) continue;
      const found = new HtmlAttribute(tags, index);
      if (found.valueEnd > found.valueStart) return found;
    }
    return undefined;
  }

  /** Whether one of them passes a test. */
  some(test: (attribute: HtmlAttribute) => boolean): boolean {
    for (const attribute of this) if (test(attribute)) return true;
    return false;
  }

  [Symbol.iterator](): Iterator<HtmlAttribute> {
    return new Walk(this.from, this.to, (index) => new HtmlAttribute(this.tags, index));
  }
}

/** `name`, `name=value`, `name="value"` inside a tag. Offsets count in the text. */
export class HtmlAttribute extends Entry {
  /** Lower case. */
  get name(): string {
    return this.tags.attributeNames[this.index] as string;
  }

  get start(): number {
    return this.tags.attributeNumbers[this.index * attributeWidth] as number;
  }

  /** Equal to `valueEnd` when there is no value. */
  get valueStart(): number {
    return this.tags.attributeNumbers[this.index * attributeWidth + 1] as number;
  }

  get valueEnd(): number {
    return this.tags.attributeNumbers[this.index * attributeWidth + 2] as number;
  }

  /** Character code of the quotation mark, 0 for a bare value. */
  get quote(): number {
    return this.tags.attributeNumbers[this.index * attributeWidth + 3] as number;
  }
}

/** What stands at each place of a range, one after the other. */
class Walk<Item> implements Iterator<Item> {
  private index: number;
  private readonly to: number;
  private readonly at: (index: number) => Item;

  constructor(from: number, to: number, at: (index: number) => Item) {
    this.index = from;
    this.to = to;
    this.at = at;
  }

  next(): IteratorResult<Item> {
    const index = this.index++;
    if (index >= this.to) return { done: true, value: undefined };
    return { done: false, value: this.at(index) };
  }
}
