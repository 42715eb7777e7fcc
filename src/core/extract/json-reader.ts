import type { BodyFault } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { MemberValue } from '../../contract/shape.ts';
import { isDigit } from '../text/char-class.ts';
import { isEscaped } from '../text/closing-quote.ts';
import type { Field, PathNode } from './field.ts';

/** How much of a document is read. */
export interface JsonBounds {
  readonly depthMax: number;
  readonly membersMax: number;
}

const serviceBounds: JsonBounds = {
  depthMax: limits.jsonDepthMax,
  membersMax: limits.jsonMembersMax,
};

/**
 * Reads JSON text (RFC 8259) into its strings. Unlike `JSON.parse` it keeps every occurrence of a
 * duplicated member name, and where each string stands. It accepts exactly what `JSON.parse`
 * accepts. Returns the fault instead of throwing. `values` gets one for each member of the document
 * itself: a text, a number, a boolean, null, or undefined for an object or a list.
 */
export function readJson(
  text: string,
  fields: Field[],
  bounds: JsonBounds = serviceBounds,
  values?: MemberValue[],
): BodyFault | undefined {
  const reader = new JsonReader(text, fields, bounds, values);
  return reader.readDocument();
}

const quote = 34;
const backslash = 92;
/** So many characters are read here before the native parser is called, which takes its time. */
const nearChars = 64;

class JsonReader {
  private readonly text: string;
  private readonly fields: Field[];
  private readonly bounds: JsonBounds;
  private at = 0;
  private members = 0;
  private fault: BodyFault | undefined;
  private readonly values: MemberValue[] | undefined;

  constructor(
    text: string,
    fields: Field[],
    bounds: JsonBounds,
    values: MemberValue[] | undefined,
  ) {
    this.text = text;
    this.fields = fields;
    this.bounds = bounds;
    this.values = values;
  }

  readDocument(): BodyFault | undefined {
    this.skipSpace();
    const isObject = this.text.charCodeAt(this.at) === 123;
    this.readValue(undefined, 0);
    if (this.fault !== undefined) return this.fault;
    this.skipSpace();
    if (this.at !== this.text.length) return 'body-not-json';
    return isObject ? undefined : 'body-not-object';
  }

  /** Reads one value; `node` is the place that it stands at, undefined for the document. */
  private readValue(node: PathNode | undefined, depth: number): void {
    const code = this.text.charCodeAt(this.at);
    if (code === quote) {
      const value = this.readString();
      if (value !== undefined && node !== undefined) {
        this.fields.push({ where: 'value', text: value, node });
      }
    } else if (code === 123) this.readObject(node, depth + 1);
    else if (code === 91) this.readArray(node, depth + 1);
    else if (code === 45 || isDigit(code)) this.readNumber();
    else this.readWord();
  }

  private readObject(parent: PathNode | undefined, depth: number): void {
    if (depth > this.bounds.depthMax) return this.fail('body-too-deep');
    this.at++;
    this.skipSpace();
    if (this.take(125)) return;
    while (this.fault === undefined) {
      if (this.text.charCodeAt(this.at) !== quote) return this.fail('body-not-json');
      const name = this.readString();
      if (name === undefined) return;
      const node: PathNode = { parent, key: name };
      this.countMember();
      this.fields.push({ where: 'name', text: name, node });
      this.skipSpace();
      if (!this.take(58)) return this.fail('body-not-json');
      this.skipSpace();
      const start = this.at;
      this.readValue(node, depth);
      if (parent === undefined && this.values !== undefined) this.keepValue(start, this.values);
      this.skipSpace();
      if (this.take(125)) return;
      if (!this.take(44)) return this.fail('body-not-json');
      this.skipSpace();
    }
  }

  private readArray(parent: PathNode | undefined, depth: number): void {
    if (depth > this.bounds.depthMax) return this.fail('body-too-deep');
    this.at++;
    this.skipSpace();
    if (this.take(93)) return;
    for (let index = 0; this.fault === undefined; index++) {
      this.countMember();
      this.readValue({ parent, key: index }, depth);
      this.skipSpace();
      if (this.take(93)) return;
      if (!this.take(44)) return this.fail('body-not-json');
      this.skipSpace();
    }
  }

  private readString(): string | undefined {
    const { text } = this;
    const start = this.at + 1;
    const near = Math.min(text.length, start + nearChars);
    for (let at = start; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (code === backslash || code < 32) break;
    }
    return this.readLongString();
  }

  /** A string with escapes, or a long one: found by its end. */
  private readLongString(): string | undefined {
    const { text } = this;
    let end = text.indexOf('"', this.at + 1);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    const value = end < 0 ? undefined : valueBetween(text, this.at + 1, end);
    if (value === undefined) this.fail('body-not-json');
    else this.at = end + 1;
    return value;
  }

  private readNumber(): void {
    number.lastIndex = this.at;
    if (!number.test(this.text)) return this.fail('body-not-json');
    this.at = number.lastIndex;
  }

  private readWord(): void {
    for (const word of ['true', 'false', 'null']) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return;
      }
    }
    this.fail('body-not-json');
  }

  /** The value between a place and this one, without reading it again where it is a text. */
  private keepValue(start: number, values: MemberValue[]): void {
    const code = this.text.charCodeAt(start);
    if (code === quote) values.push(this.fields.at(-1)?.text);
    else if (code === 45 || isDigit(code)) values.push(Number(this.text.slice(start, this.at)));
    else if (code === 123 || code === 91) values.push(undefined);
    else values.push(code === 110 ? null : code === 116);
  }

  private countMember(): void {
    this.members++;
    if (this.members > this.bounds.membersMax) this.fail('body-too-many-members');
  }

  private fail(fault: BodyFault): void {
    this.fault ??= fault;
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    // A look behind the end would make V8 compile the looks of all others as calls.
    while (this.at < this.text.length && isSpace(this.text.charCodeAt(this.at))) this.at++;
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Control characters and the backslash. */
const special = /[^ -[\]-\uffff]/;

/**
 * The value of the string between two quotes, undefined when it is none. One without escapes is a
 * slice: V8 gives a copy of more than 128 KiB pages of its own, which a longer text would pay for
 * and a shorter one not.
 */
function valueBetween(text: string, start: number, end: number): string | undefined {
  const plain = text.slice(start, end);
  if (!special.test(plain)) return plain;
  try {
    return JSON.parse(text.slice(start - 1, end + 1)) as string;
  } catch {
    return undefined;
  }
}
