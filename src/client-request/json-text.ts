import type { MemberWriter } from './member-writer.ts';
import { TreeMembers, treeDepthMax } from './tree-members.ts';

/**
 * How far a text is JSON: as the standard has it (RFC 8259), only for parsers that take more
 * (comments, single quotes, bare words such as `NaN`, commas too many,
 * several documents), or not.
 */
export type JsonReading = 'strict' | 'lenient' | 'none';

/** True when a text begins as JSON with anything in it does. */
export function beginsLikeJson(text: string): boolean {
  return jsonStart.test(text.slice(0, startCharsMax));
}

const startCharsMax = 1_024;
const jsonStart = /^[\ufeff\s\0]*(?:\/[/*][\s\S]*)?[{["]/;

/**
 * Adds what stands in a JSON text, every occurrence of a duplicate name included. It reads on where
 * a strict parser gives up and another one may not. Nothing is added twice, and what a text that is
 * no JSON has given so far stays.
 */
export async function addJsonText(
  writer: MemberWriter,
  text: string,
  root = 'body',
): Promise<JsonReading> {
  const reader = new JsonText(writer, text, root);
  while (reader.step()) {
    const wait = writer.pause();
    if (wait !== undefined) await wait;
    if (writer.isFull) break;
  }
  return reader.reading;
}

/** What may come next in the innermost object or list. */
type Expected = 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma' | 'nothing';

class JsonText {
  readonly #writer: MemberWriter;
  readonly #tree: TreeMembers;
  readonly #text: string;
  readonly #root: string;
  #at: number;
  #expected: Expected = 'value';
  #isStrict = true;
  #isBroken = false;

  constructor(writer: MemberWriter, text: string, root: string) {
    this.#writer = writer;
    this.#tree = new TreeMembers(writer, root);
    this.#text = text;
    this.#root = root;
    this.#at = text.startsWith('\ufeff') ? 1 : 0;
  }

  get reading(): JsonReading {
    if (this.#isBroken || this.#expected !== 'nothing') return 'none';
    return this.#isStrict ? 'strict' : 'lenient';
  }

  /** Reads one token; false at the end, or where no parser goes on. */
  step(): boolean {
    this.#skipSpace();
    const sign = this.#text.charAt(this.#at);
    if (sign === '') return false;
    switch (sign) {
      case '{':
      case '[':
        return this.#open(sign === '[');
      case '}':
      case ']':
        return this.#close(sign === ']');
      case ',':
        return this.#comma();
      case ':':
        return this.#colon();
      case '"':
      case "'":
        return this.#string(sign);
      default:
        return this.#other(sign);
    }
  }

  #skipSpace(): void {
    space.lastIndex = this.#at;
    space.test(this.#text);
    if (space.lastIndex === this.#at) return;
    if (oddSpace.test(this.#text.slice(this.#at, space.lastIndex))) this.#isStrict = false;
    this.#at = space.lastIndex;
  }

  #open(isList: boolean): boolean {
    this.#at += 1;
    // A further document, as in a stream of them.
    if (this.#expected === 'nothing') {
      this.#isStrict = false;
      this.#expected = 'value';
    }
    this.#beforeValue();
    if (this.#isBroken) return false;
    if (this.#tree.depth >= treeDepthMax) {
      this.#writer.leaveOut('too-deep');
      return this.#break();
    }
    this.#tree.open(isList);
    this.#expected = isList ? 'value or end' : 'key or end';
    return true;
  }

  #close(isList: boolean): boolean {
    this.#at += 1;
    if (this.#tree.depth === 0 || this.#tree.isInList !== isList) return this.#break();
    if (this.#expected === 'colon') return this.#break();
    if (this.#expected === 'key' || this.#expected === 'value') this.#isStrict = false;
    this.#tree.close();
    this.#afterValue();
    return true;
  }

  #comma(): boolean {
    this.#at += 1;
    if (this.#expected === 'colon') return this.#break();
    if (this.#expected !== 'comma') this.#isStrict = false;
    this.#expected = this.#tree.depth === 0 || this.#tree.isInList ? 'value' : 'key';
    return true;
  }

  #colon(): boolean {
    this.#at += 1;
    if (this.#expected !== 'colon') return this.#break();
    this.#expected = 'value';
    return true;
  }

  #string(quote: string): boolean {
    const start = this.#at + 1;
    const end = closingQuote(this.#text, start, quote);
    const raw = this.#text.slice(start, end < 0 ? this.#text.length : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    const { value, isStrict } = unescaped(raw);
    if (!isStrict || quote === "'") this.#isStrict = false;
    this.#scalar(value);
    // Ruby puts a question mark for half of a pair, and for the character behind it.
    const hasEscapes = value.length < raw.length;
    if (hasEscapes && halfPair.test(value)) {
      this.#writer.add(this.#root, value.replace(halfPairs, '?'));
    }
    return end < 0 ? this.#break() : !this.#isBroken;
  }

  /** A number, a word, or a comment. */
  #other(sign: string): boolean {
    if (sign === '/') {
      this.#isStrict = false;
      comment.lastIndex = this.#at;
      if (!comment.test(this.#text)) return this.#break();
      this.#at = comment.lastIndex;
      return true;
    }
    word.lastIndex = this.#at;
    word.test(this.#text);
    const text = this.#text.slice(this.#at, word.lastIndex);
    this.#at = word.lastIndex;
    const isKey = this.#expected === 'key' || this.#expected === 'key or end';
    if (isKey || !strictWord.test(text)) {
      this.#isStrict = false;
      this.#scalar(text);
    } else if (text === 'null') this.#scalar(null);
    else if (text === 'true' || text === 'false') this.#scalar(text === 'true');
    else this.#scalar(Number.isFinite(Number(text)) ? Number(text) : text);
    return !this.#isBroken;
  }

  /** A value, or the key of one. */
  #scalar(value: string | number | boolean | null): void {
    if (this.#expected === 'key' || this.#expected === 'key or end') {
      this.#tree.key(String(value));
      this.#expected = 'colon';
      return;
    }
    this.#beforeValue();
    if (this.#isBroken) return;
    this.#tree.scalar(value);
    this.#afterValue();
  }

  #beforeValue(): void {
    if (this.#expected !== 'value' && this.#expected !== 'value or end') this.#break();
  }

  #afterValue(): void {
    this.#expected = this.#tree.depth === 0 ? 'nothing' : 'comma';
  }

  #break(): false {
    this.#isBroken = true;
    return false;
  }
}

const space = /[\s\0\ufeff]*/y;
const oddSpace = /[^ \t\r\n]/;
const comment = /\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
const word = /[^\s\0,:{}[\]"'/]*/y;
const strictWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function closingQuote(text: string, from: number, quote: string): number {
  let end = text.indexOf(quote, from);
  while (end >= 0 && isEscaped(text, end, from)) end = text.indexOf(quote, end + 1);
  return end;
}

/** True when an odd number of backslashes stands in front of a quote. */
function isEscaped(text: string, at: number, from: number): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

const backslash = 92;
/** From here on the native parser is worth what its error costs where a string is no JSON. */
const longChars = 1_024;

function unescaped(raw: string): { readonly value: string; readonly isStrict: boolean } {
  if (!special.test(raw)) return { value: raw, isStrict: true };
  if (raw.length > longChars) {
    try {
      return { value: JSON.parse(`"${raw}"`) as string, isStrict: true };
    } catch {
      // Read below, as a lenient parser does.
    }
  }
  return unescapedByHand(raw);
}

function unescapedByHand(raw: string): { readonly value: string; readonly isStrict: boolean } {
  let isStrict = !control.test(raw);
  const pieces: string[] = [];
  let copied = 0;
  for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', copied)) {
    if (at > copied) pieces.push(raw.slice(copied, at));
    const sign = raw.charAt(at + 1);
    const known = escapes.get(sign);
    const digits = sign === 'u' ? 4 : sign === 'x' ? 2 : 0;
    const code = raw.slice(at + 2, at + 2 + digits);
    const isCode = digits > 0 && code.length === digits && hexDigits.test(code);
    if (isCode) pieces.push(String.fromCharCode(Number.parseInt(code, 16)));
    else pieces.push(known ?? lenientEscapes.get(sign) ?? sign);
    isStrict &&= known !== undefined || (isCode && digits === 4);
    copied = at + 2 + (isCode ? digits : 0);
  }
  pieces.push(raw.slice(copied));
  return { value: pieces.join(''), isStrict };
}

const halfPair = /[\ud800-\udbff](?![\udc00-\udfff])[\s\S]/;
const halfPairs = new RegExp(halfPair, 'g');
const hexDigits = /^[0-9a-fA-F]+$/;
const special = /[\\\0-\x1f]/;
const control = /[\0-\x1f]/;

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Those of JavaScript; a line break behind a backslash is none. */
const lenientEscapes: ReadonlyMap<string, string> = new Map([
  ['v', '\v'],
  ['0', '\0'],
  ['\n', ''],
  ['\r', ''],
]);
