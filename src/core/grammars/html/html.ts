import { limits } from '../../../contract/limits.ts';
import { isLetter, isSpace } from '../../text/char-class.ts';
import type { Grammar } from '../grammar.ts';
import { type HtmlTagRead, HtmlTags } from './html-tags.ts';

interface HtmlTokens {
  readonly tags: HtmlTags;
  /** False when the text has more tokens than the limit. */
  readonly isComplete: boolean;
}

/**
 * Tags after the tokenisation states of the WHATWG HTML standard (section 13.2.5), read as every
 * browser of the last decades might: a value will be put into a place that we do not know, so text
 * in comments, raw text elements and quoted attribute values is read for tags as well, a tag that
 * the text leaves open counts, and any control character separates attributes.
 */
export const html: Grammar<HtmlTokens> = {
  name: 'html',
  read: (text) => new HtmlReader(text).read(),
};

const quotation = 34;
const apostrophe = 39;
const plus = 43;
const slash = 47;
const less = 60;
const equals = 61;
const greater = 62;
const backtick = 96;

/** Longest name that anything is known about. */
const nameCharsMax = 40;

interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * After so many tags, those without a value are left out, unless what is in them is read by
 * itself.
 */
const plainTagsMax = 8_192;
const structural: ReadonlySet<string> = new Set(['style', 'form', 'math', 'plaintext']);

/** Names of the elements whose content is in another grammar. */
const foreignContent: ReadonlySet<string> = new Set(['script', 'style']);

class HtmlReader {
  private readonly text: string;
  private readonly tags: HtmlTags = new HtmlTags();
  private readonly regions: Region[] = [];
  private at = 0;
  private end = 0;
  private tokensLeft: number = limits.tokensMax;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Reads region by region: the text, then the quoted values that hold a `<`. A value cannot hold
   * its own quotation mark, so a region lies in at most three others and the work stays linear.
   */
  read(): HtmlTokens {
    this.regions.push({ start: 0, end: this.text.length });
    for (const region of this.regions) {
      this.readRegion(region);
      if (this.tokensLeft <= 0) break;
    }
    return { tags: this.tags, isComplete: this.tokensLeft > 0 };
  }

  private readRegion(region: Region): void {
    const { tags } = this;
    let open = -1;
    let openName = '';
    this.at = region.start;
    this.end = region.end;
    while (this.tokensLeft > 0) {
      const start = this.findTag();
      if (start < 0) break;
      const tag = this.readTag(start);
      if (open >= 0 && openName === tag.name) {
        tags.endContent(open, start);
        open = -1;
      }
      if (tags.length >= plainTagsMax && !this.isTelling(tag.name)) {
        tags.dropTag();
        continue;
      }
      this.tokensLeft -= 1 + tags.attributesRead;
      const number = tags.addTag(tag);
      if (!tag.isEndTag && open < 0 && foreignContent.has(tag.name)) {
        tags.endContent(number, region.end);
        open = number;
        openName = tag.name;
      }
    }
  }

  /** False for a tag that only says where some element begins or ends. */
  private isTelling(name: string): boolean {
    return name.startsWith('script') || structural.has(name) || this.tags.hasValue;
  }

  /** Moves to the name of the next tag; returns where its `<` is, -1 when there is none. */
  private findTag(): number {
    const { text, end } = this;
    for (let i = text.indexOf('<', this.at); i >= 0 && i < end; i = text.indexOf('<', i + 1)) {
      const next = text.charCodeAt(i + 1);
      let name = i + 1;
      if (next === slash || next === 33 || next === 63) name = i + 2;
      else if (isSpace(next)) name = this.spacedScript(i + 1);
      if (name < 0 || name >= end) continue;
      // `</ x="…">` and `</ script>` are comments to a browser, and tags to many a filter's
      // author.
      if (name === i + 2 && next === slash) name = this.skipSeparators(name, 4);
      if (!isLetter(text.charCodeAt(name))) continue;
      this.at = name;
      return i;
    }
    return -1;
  }

  /**
   * `< script` and `< / script` are no tags, but are written by those who think that they are.
   */
  private spacedScript(from: number): number {
    let at = this.skipSeparators(from, 4);
    if (this.text.charCodeAt(at) === slash) at = this.skipSeparators(at + 1, 4);
    return this.text.slice(at, at + 6).toLowerCase() === 'script' ? at : -1;
  }

  private skipSeparators(from: number, max = this.end): number {
    let at = from;
    while (at < from + max && at < this.end && isSpace(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** Reads the tag that starts at `start`; `at` stands on its name. */
  private readTag(start: number): HtmlTagRead {
    const nameStart = this.at;
    const mark = this.text.charCodeAt(start + 1);
    let isEndTag = false;
    for (let i = start + 1; i < nameStart; i++) {
      if (this.text.charCodeAt(i) === slash) isEndTag = true;
    }
    const name = this.readTagName();
    this.readAttributes();
    const isClosed = this.at < this.end && this.text.charCodeAt(this.at) === greater;
    if (isClosed) this.at++;
    return {
      name: mark === 33 || mark === 63 ? `${String.fromCharCode(mark)}${name}` : name,
      start,
      end: this.at,
      isEndTag,
      isClosed,
    };
  }

  private readTagName(): string {
    const { text, end } = this;
    const start = this.at;
    let at = start;
    let local = start;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isSpace(code) || code === slash || code === greater || code === less) break;
      // A form's space.
      if (code === plus) break;
      if (code === 58 && at - start < nameCharsMax) local = at + 1;
    }
    this.at = at;
    return text.slice(local, Math.min(at, local + nameCharsMax)).toLowerCase();
  }

  /** Stops at `>`, at a `<` that may start a tag, and at the end of the region. */
  private readAttributes(): void {
    const { text, end } = this;
    let left = this.tokensLeft;
    while (this.at < end && left-- > 0) {
      const code = text.charCodeAt(this.at);
      if (code === greater || (code === less && this.mayStartTag(this.at))) break;
      if (isBetweenAttributes(code)) this.at++;
      else this.readAttribute();
    }
  }

  private readAttribute(): void {
    const { text, end } = this;
    const start = this.at;
    const nameEnd = this.attributeNameEnd(start);
    const name = text.slice(start, Math.min(nameEnd, start + nameCharsMax)).toLowerCase();
    let at = this.skipSeparators(nameEnd);
    if (text.charCodeAt(at) !== equals || at >= end) {
      this.at = nameEnd;
      this.tags.addAttribute({ name, start, valueStart: nameEnd, valueEnd: nameEnd, quote: 0 });
      return;
    }
    at = this.skipSeparators(at + 1);
    const mark = at < end ? text.charCodeAt(at) : 0;
    const isQuoted = mark === quotation || mark === apostrophe;
    const valueStart = isQuoted ? at + (this.isDoubled(at, mark) ? 2 : 1) : at;
    const valueEnd = isQuoted ? this.readQuoted(valueStart, mark) : this.readBare(at);
    this.tags.addAttribute({ name, start, valueStart, valueEnd, quote: isQuoted ? mark : 0 });
  }

  /** Whatever stands first is part of the name. */
  private attributeNameEnd(start: number): number {
    const { text, end } = this;
    let at = start + 1;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isSpace(code) || code === slash || code === equals || code === greater) break;
      if (code === less && this.mayStartTag(at)) break;
    }
    return at;
  }

  /** `a=""b""`, as quotation marks are written inside of a quoted CSV field. */
  private isDoubled(at: number, quote: number): boolean {
    const { text, end } = this;
    if (at + 2 >= end || text.charCodeAt(at + 1) !== quote) return false;
    const next = text.charCodeAt(at + 2);
    return !isBetweenAttributes(next) && next !== greater && next !== less;
  }

  private readQuoted(start: number, quote: number): number {
    const { text, end } = this;
    let holdsTag = false;
    let at = start;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === less) holdsTag = true;
    }
    if (holdsTag) this.regions.push({ start, end: at });
    this.at = Math.min(at + 1, end);
    return at;
  }

  private readBare(start: number): number {
    const { text, end } = this;
    let at = start;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isSpace(code) || code === greater) break;
      if (code === less && this.mayStartTag(at)) break;
    }
    this.at = at;
    return at;
  }

  private mayStartTag(at: number): boolean {
    if (at + 1 >= this.end) return false;
    const code = this.text.charCodeAt(at + 1);
    return isLetter(code) || code === slash || code === 33 || code === 63;
  }
}

/** Besides white space: the slash, a form's `+`, and quotation marks that belong to no value. */
function isBetweenAttributes(code: number): boolean {
  return (
    code === slash ||
    code === plus ||
    code === quotation ||
    code === apostrophe ||
    code === backtick ||
    isSpace(code)
  );
}
