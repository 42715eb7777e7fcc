import { isOddName } from './form-pairs.ts';
import type { MemberWriter, Scalar } from './member-writer.ts';

/** A longer name is given once; what stands below it has its beginning and its end. */
const prefixCharsMax = 200;
const beginChars = 40;
const endChars = 150;
/** Benign data is never nested as deep. */
export const treeDepthMax = 10_000;

interface Level {
  readonly name: string;
  readonly prefix: string;
  readonly isList: boolean;
  /** Names the place that comes next: a key, or the index of an item. */
  key: string;
  index: number;
  isWritten: boolean;
  /** The items of a list as a framework would join them. */
  readonly items: string[];
  hasText: boolean;
}

/**
 * Writes what stands in a tree of objects and lists, in the order of the document: names such
 * as `body.a.b` and `body.list[0]`. A list is also written as JavaScript joins it to a text, with
 * commas: a query that is built from `${list}` sees just that.
 */
export class TreeMembers {
  readonly #writer: MemberWriter;
  readonly #root: string;
  readonly #levels: Level[] = [];

  constructor(writer: MemberWriter, root: string) {
    this.#writer = writer;
    this.#root = root;
  }

  get depth(): number {
    return this.#levels.length;
  }

  /** True when the innermost open level is a list. */
  get isInList(): boolean {
    return this.#levels.at(-1)?.isList === true;
  }

  /** What comes next in an object has this name. */
  key(name: string): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    level.key = name;
    if (this.#levels.length > 1) this.#addByItself(name);
  }

  /** Behind others, or with others behind it, a name is judged as a part of a text. */
  #addByItself(name: string): void {
    if (isOddName(name)) this.#writer.add(`${this.#root}.${name}`, null);
  }

  scalar(value: Scalar): void {
    const level = this.#levels.at(-1);
    const name = this.#name(level);
    if (level === undefined || !level.isList) {
      this.#writer.add(name, value);
      if (level !== undefined) level.isWritten = true;
      return;
    }
    this.#join(level, value === null ? '' : String(value), typeof value === 'string');
    level.index += 1;
    // Numbers in a list say nothing, and long lists are lists of numbers.
    if (typeof value !== 'string' || value === '') return;
    this.#writer.add(name, value);
    level.isWritten = true;
  }

  open(isList: boolean): void {
    const name = this.#name(this.#levels.at(-1));
    const isLong = name.length > prefixCharsMax;
    if (isLong) this.#writer.add(name, null);
    const prefix = isLong ? `${name.slice(0, beginChars)}…${name.slice(-endChars)}` : name;
    const state = { key: '', index: 0, isWritten: isLong, items: [], hasText: false };
    this.#levels.push({ name, prefix, isList, ...state });
  }

  close(): void {
    const level = this.#levels.pop();
    if (level === undefined) return;
    const { name, items, isList, hasText } = level;
    const parent = this.#levels.at(-1);
    const isJoined = isList && hasText && items.length > 1;
    if (isJoined) this.#writer.add(`${name}[]`, items.join(','));
    else if (!level.isWritten && parent !== undefined) this.#writer.add(name, null);
    const isTop = this.#levels.length === 1 && parent?.isList === false;
    if (isTop && level.isWritten) this.#addByItself(parent.key);
    if (parent === undefined) return;
    parent.isWritten = true;
    if (!parent.isList) return;
    this.#join(parent, isList ? items.join(',') : '[object Object]', hasText);
    parent.index += 1;
  }

  #join(level: Level, text: string, isText: boolean): void {
    level.items.push(text);
    level.hasText ||= isText && text !== '';
  }

  #name(level: Level | undefined): string {
    if (level === undefined) return this.#root;
    return level.isList ? `${level.prefix}[${level.index}]` : `${level.prefix}.${level.key}`;
  }
}
