import { limits } from '../../contract/limits.ts';
import { inflated } from './inflate.ts';

/** Characters of a stream that are decoded first: what it calls mostly stands among them. */
const streamStartChars = 4_096;
/** A compressed one may be small and hold very much. Many small ones cost as much as what they hold. */
function inflatedMax({ length }: string): number {
  return Math.min(streamStartChars + 2 * length, 256 + 8 * length);
}
const lookChars = 32;

/**
 * True for bytes, each a character, that make objects when they are read from the first on: a pickle
 * of Python, also compressed by zlib, or Marshal of Ruby.
 */
export function makesObjects(bytes: string): boolean {
  return readStream(bytes) === true;
}

/** The same for what `decode` gives at most so many bytes of: of all where its start leaves it open. */
export function makesObjectsWhenDecoded(decode: (bytesMax: number) => string): boolean {
  const start = decode(streamStartChars);
  const outcome = readStream(start);
  if (outcome !== undefined || start.length < streamStartChars) return outcome === true;
  return makesObjects(decode(Number.MAX_SAFE_INTEGER));
}

/** Undefined for a stream that ends before it is broken. */
function readStream(bytes: string): boolean | undefined {
  if (bytes.charCodeAt(0) === 4) return marshalsObject(bytes);
  // Most of what is compressed is broken at its start. A mark, `(`, is as likely as the head of zlib.
  if (isCompressed(bytes) && readPickle(inflated(bytes, lookChars) ?? bytes) === false)
    return false;
  const charsMax = inflatedMax(bytes);
  const content = isCompressed(bytes) ? inflated(bytes, charsMax) : undefined;
  const outcome = readPickle(content ?? bytes);
  // Operations of a pickle up to where no more is read: what hides a call is data that shrinks.
  const isLeft = outcome === undefined && content !== undefined && content.length >= charsMax;
  return isLeft && data.test(content) ? true : outcome;
}

/** Its version, or a string or number as no text begins: in quotes, without a blank, behind its size, kept in the memo. */
const data =
  /^(?!([V\u008c])\1{20})[(\]}]{0,4}(?:\u0080[\0-\u0005]|q\0|[dlt]p\d\n|V\w{1,20}\np\d\n|S['"]|V\S{64}|I\d{1,20}\n|[XTB][\s\S]{2}[\0-\u0010]\0|[UC\u008c][\u0080-\u00ff]|[KM][\0-\u0008])/;

/** False where no stream that makes objects begins with these bytes: most texts end here. */
export function mayMakeObjects(head: string): boolean {
  if (head.charCodeAt(0) === 4) return head.length < 2 || head.charCodeAt(1) === 8;
  return isCompressed(head) || readPickle(head) !== false;
}

/** CMF and FLG of RFC 1950: deflate, with a window of up to 32 kB; or the first bytes of gzip. */
export function isCompressed(head: string): boolean {
  return isCompressedHead(head.charCodeAt(0), head.length < 2 ? -1 : head.charCodeAt(1));
}

/**
 * Whether a run of a text that begins with this is read: what is compressed counts where it is most of
 * the text, since many small ones hold very much.
 */
export function countsIn(text: string, run: string, head: string): boolean {
  return 2 * run.length >= text.length || !isCompressed(head);
}

function isCompressedHead(first: number, second: number): boolean {
  if (first === 0x1f) return second < 0 || second === 0x8b;
  if ((first & 15) !== 8 || first >= 128) return false;
  return second < 0 || (first * 256 + second) % 31 === 0;
}

/** What an operation has behind it, and what it does to the stack (CPython, `pickletools.py`). */
interface Operation {
  /** Lines behind it; or bytes; or the size of a length in front of bytes. */
  readonly lines: number;
  readonly bytes: number;
  readonly sizeBytes: number;
  /** Items that it takes, and whether it takes them up to the last mark. */
  readonly takes: number;
  readonly takesMark: boolean;
  readonly gives: number;
  /** What it gives is new, and not the first of what it takes. */
  readonly makes: boolean;
  /** What its argument is to the memo: a place to store the last item at, or to give one from. */
  readonly memo: 'store' | 'load' | undefined;
  readonly imports: boolean;
  /** Where what it calls stands in front of its arguments: items from the top, or the first behind the mark. */
  readonly calls: number;
}

const operations: (Operation | undefined)[] = [];

function define(codes: string, operation: Partial<Operation>): void {
  const plain = { lines: 0, bytes: 0, sizeBytes: 0, takes: 0, takesMark: false, gives: 0 };
  for (const code of codes) {
    const full = {
      ...plain,
      makes: false,
      memo: undefined,
      imports: false,
      calls: 0,
      ...operation,
    };
    operations[code.charCodeAt(0)] = full;
  }
}

define('FILVSP', { lines: 1, gives: 1 });
define('g', { lines: 1, gives: 1, memo: 'load' });
define('p', { lines: 1, takes: 1, gives: 1, memo: 'store' });
define('N])}\u0088\u0089\u008f\u0097', { gives: 1 });
// Extensions (`\u0082` to `\u0084`) name what the application itself has registered.
define('K\u0082', { bytes: 1, gives: 1 });
define('h', { bytes: 1, gives: 1, memo: 'load' });
define('M\u0083', { bytes: 2, gives: 1 });
define('J\u0084', { bytes: 4, gives: 1 });
define('j', { bytes: 4, gives: 1, memo: 'load' });
define('G', { bytes: 8, gives: 1 });
define('U\u008cC\u008a', { sizeBytes: 1, gives: 1 });
define('TXB\u008b', { sizeBytes: 4, gives: 1 });
define('\u008d\u008e\u0096', { sizeBytes: 8, gives: 1 });
define('q', { bytes: 1, takes: 1, gives: 1, memo: 'store' });
define('r', { bytes: 4, takes: 1, gives: 1, memo: 'store' });
define('\u0094', { takes: 1, gives: 1, memo: 'store' });
define('\u0098', { takes: 1, gives: 1 });
define('\u0085Q', { takes: 1, gives: 1, makes: true });
define('2', { takes: 1, gives: 2 });
define('0', { takes: 1 });
define('a', { takes: 2, gives: 1 });
define('\u0086', { takes: 2, gives: 1, makes: true });
// Of what was imported it sets members, or calls `__setstate__`.
define('b', { takes: 2, gives: 1, calls: 2 });
define('s', { takes: 3, gives: 1 });
define('\u0087', { takes: 3, gives: 1, makes: true });
define('tld\u0091', { takesMark: true, gives: 1 });
define('1', { takesMark: true });
define('eu\u0090', { takesMark: true, takes: 1, gives: 1 });
define('\u0080', { bytes: 1 });
define('\u0095', { bytes: 8 });
define('c', { lines: 2, gives: 1, imports: true });
define('\u0093', { takes: 2, gives: 1, imports: true });
define('R\u0081', { takes: 2, gives: 1, calls: 2 });
define('\u0092', { takes: 3, gives: 1, calls: 3 });
define('o', { takesMark: true, gives: 1, calls: Number.POSITIVE_INFINITY });
define('i', { lines: 2, takesMark: true, gives: 1, imports: true });

// Long, too: `os` has a member `path.os.path.os.system`.
const importedName = /^[\w.]{1,4096}\r?$/;
/** The same as a string, which protocol 0 quotes and escapes. */
const quotedName = /^(['"]?)[\w.\\]{1,4096}\1\s{0,4}$/;
/** What an item of the stack is good for: to name what is imported, or to be called. */
const plainItem = 0;
const nameItem = 1;
const importedItem = 2;
/** With it: a line of text, which is no list of arguments, as in a list of what to buy. */
const lineItem = 4;

/** The reading of a pickle up to its first call: where it stands, and what is on its stack. */
class PickleReader {
  private readonly text: string;
  private at = 0;
  private readonly stack: number[] = [];
  /** Where the items behind each mark begin. */
  private readonly marks: number[] = [];
  private readonly memo = new Map<number, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** True when the stream calls what it imported; undefined when it ends before it is broken. */
  calls(): boolean | undefined {
    for (;;) {
      if (this.at >= this.text.length) return undefined;
      const code = this.text.charCodeAt(this.at++);
      if (code === 40) {
        this.marks.push(this.stack.length);
        continue;
      }
      const operation = operations[code];
      if (operation === undefined) return false;
      const start = this.at;
      const isWhole = this.passArguments(operation);
      if (isWhole !== true) return isWhole;
      const own = this.stack.length - (this.marks.at(-1) ?? 0);
      const called = this.stack[this.stack.length - Math.min(operation.calls, own)];
      const top = this.stack.at(-1) ?? plainItem;
      if (!this.move(operation, code, start)) return false;
      // A call without arguments looks like a list of columns: `(id`, `name`.
      if (code === 105 ? own > 0 : called === importedItem && takes(code, top)) return true;
    }
  }

  /** Undefined when the text ends within the arguments. */
  private passArguments({ lines, bytes, sizeBytes, imports }: Operation): boolean | undefined {
    for (let line = 0; line < lines; line++) {
      const end = this.text.indexOf('\n', this.at);
      const isEnded = end >= 0;
      const argument = this.text.slice(this.at, isEnded ? end : this.text.length);
      if (imports && !importedName.test(argument) && (isEnded || argument !== '')) return false;
      if (!isEnded) return undefined;
      this.at = end + 1;
    }
    const size = bytes + this.number(this.at, sizeBytes);
    if (size > limits.bodyBytesMax) return false;
    this.at += size + sizeBytes;
    return this.at <= this.text.length || undefined;
  }

  private number(at: number, bytes: number): number {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += this.text.charCodeAt(at + i) * 256 ** i;
    return value;
  }

  private move(operation: Operation, code: number, start: number): boolean {
    const { takes, takesMark, gives, makes, imports } = operation;
    // POP of nothing takes the mark below.
    if (takesMark || (code === 48 && this.stack.length === (this.marks.at(-1) ?? 0))) {
      const below = this.marks.pop();
      if (below === undefined) return false;
      this.stack.length = below;
      if (code === 48) return true;
    }
    const left = this.stack.length - takes;
    if (left < (this.marks.at(-1) ?? 0)) return false;
    const first = makes ? plainItem : this.stack[left];
    const areNames = this.take(takes);
    // The unpickler refuses what is no name.
    if (imports && !areNames) return false;
    const item = imports ? importedItem : (first ?? this.itemOf(operation, start));
    if (item === undefined) return false;
    for (let i = 0; i < gives; i++) this.stack.push(item);
    if (operation.memo === 'store') this.memo.set(this.place(operation, start), item);
    return true;
  }

  /** Takes items off the stack; true when all are names. */
  private take(count: number): boolean {
    let areNames = true;
    for (let i = 0; i < count; i++) {
      areNames = ((this.stack.pop() ?? plainItem) & ~lineItem) === nameItem && areNames;
    }
    return areNames;
  }

  /** What an operation gives that takes nothing; undefined for a place of the memo that holds nothing. */
  private itemOf(operation: Operation, start: number): number | undefined {
    if (operation.memo === 'load') return this.memo.get(this.place(operation, start));
    const { sizeBytes, lines } = operation;
    if (sizeBytes + lines === 0) return plainItem;
    const data = this.text.slice(start + sizeBytes, lines > 0 ? this.at - 1 : this.at);
    const item = quotedName.test(data) ? nameItem : plainItem;
    return lines > 0 && data.length > 1 ? item | lineItem : item;
  }

  /** The place of the memo that an operation names; the next one without an argument. */
  private place({ lines, bytes }: Operation, start: number): number {
    // CPython reads no further than a zero byte.
    if (lines > 0) return Number.parseInt(this.text.slice(start, this.at).replaceAll('_', ''), 10);
    return bytes > 0 ? this.number(start, bytes) : this.memo.size;
  }
}

/** Whether what stands on top is what a call takes: BUILD a state, `o` its last argument, the others a list. */
function takes(code: number, top: number): boolean {
  if (code === 98) return top === plainItem;
  return code === 111 || (top & lineItem) === 0;
}

/** True when a pickle calls what it imported; undefined when it ends before it is broken. */
function readPickle(bytes: string): boolean | undefined {
  const first = bytes.charCodeAt(0);
  return (first === 40 || isStart(operations[first])) && new PickleReader(bytes).calls();
}

function isStart(operation: Operation | undefined): boolean {
  return operation !== undefined && operation.takes === 0 && !operation.takesMark;
}

const constantName = /^(?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{0,80}$/;
const objectTypes = 'ouUCeSdcmM';

/** Marshal 4.8 (Ruby, `doc/marshal.rdoc`): values stand one after the other, as many as were announced. */
class MarshalReader {
  private readonly text: string;
  private at = 2;
  private pending = 1;

  constructor(text: string) {
    this.text = text;
  }

  /** Undefined when the text ends before all values that were announced. */
  makesObject(): boolean | undefined {
    while (this.pending > 0) {
      if (this.at >= this.text.length) return undefined;
      this.pending--;
      const type = this.text.charAt(this.at++);
      if (objectTypes.includes(type)) return this.readsName(type);
      if (!this.pass(type)) return this.at > this.text.length ? undefined : false;
    }
    return false;
  }

  /** Behind a type that makes an object: the name of its class. */
  private readsName(type: string): boolean {
    if (!'cmM'.includes(type) && this.text.charAt(this.at++) !== ':') return false;
    const size = this.number();
    return constantName.test(this.text.slice(this.at, this.at + size));
  }

  private pass(type: string): boolean {
    switch (type) {
      case '0':
      case 'T':
      case 'F':
        return true;
      case 'i':
      case ';':
      case '@':
        return this.number() >= 0 || type === 'i';
      case ':':
      case '"':
      case 'f':
        return this.passBytes(this.number());
      case '/':
        return this.passBytes(this.number() + 1);
      case 'l':
        this.at++;
        return this.passBytes(2 * this.number());
      case '[':
        return this.announce(this.number());
      case '{':
        return this.announce(2 * this.number());
      case '}':
        return this.announce(2 * this.number() + 1);
      case 'I':
        return this.passWithVariables();
      default:
        return false;
    }
  }

  /** A string with its encoding behind it, or an object. */
  private passWithVariables(): boolean {
    const type = this.text.charAt(this.at);
    if (objectTypes.includes(type)) return this.announce(1);
    this.at++;
    return '":/'.includes(type) && this.pass(type) && this.announce(2 * this.number());
  }

  private announce(count: number): boolean {
    this.pending += count;
    return count >= 0;
  }

  private passBytes(count: number): boolean {
    this.at += count;
    return count >= 0 && this.at <= this.text.length;
  }

  private number(): number {
    const first = this.text.charCodeAt(this.at++);
    if (first === 0) return 0;
    if (first > 4) return first < 128 ? first - 5 : first < 252 ? first - 251 : -1;
    let value = 0;
    for (let i = 0; i < first; i++) value += this.text.charCodeAt(this.at++) * 256 ** i;
    return value;
  }
}

function marshalsObject(bytes: string): boolean | undefined {
  return bytes.charCodeAt(1) === 8 && new MarshalReader(bytes).makesObject();
}

const firstBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(mayMakeObjects(String.fromCharCode(byte))),
);

/** The same by the first byte alone, without a text for it: asked of nearly each value. */
export function mayBeginObjects(byte: number): boolean {
  return firstBytes[byte] === 1;
}

/**
 * The same by the first bytes, of which there are `length`, for those that begin a pickle or zlib:
 * by its first two operations.
 */
export function mayGoOn(head: Readonly<Uint8Array>, length: number): boolean {
  const first = head[0] as number;
  if (isCompressedHead(first, length < 2 ? -1 : (head[1] as number))) return true;
  const operation = operations[first];
  if (operation !== undefined && operation.lines + operation.sizeBytes > 0) return true;
  const next = 1 + (operation?.bytes ?? 0);
  return next >= length || head[next] === 40 || operations[head[next] as number] !== undefined;
}
