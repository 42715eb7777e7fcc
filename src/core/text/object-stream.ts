import { inflated } from './inflate.ts';

/** Characters of a stream that are read: what it calls stands near its beginning. */
export const streamCharsMax = 4_096;

/**
 * True for bytes, each a character, that make objects when they are read from the first on: a pickle
 * of Python, also compressed by zlib, or Marshal of Ruby.
 */
export function makesObjects(bytes: string): boolean {
  const first = bytes.charCodeAt(0);
  if (first === 4) return marshalsObject(bytes);
  // A mark, `(`, is as likely as the head of zlib.
  return (
    readPickle((isZlib(bytes) ? inflated(bytes, streamCharsMax) : undefined) ?? bytes) === true
  );
}

/** False where no stream that makes objects begins with these bytes: most texts end here. */
export function mayMakeObjects(head: string): boolean {
  if (head.charCodeAt(0) === 4) return head.length < 2 || head.charCodeAt(1) === 8;
  return isZlib(head) || readPickle(head) !== false;
}

/** CMF and FLG of RFC 1950: deflate, with a window of up to 32 kB. */
function isZlib(head: string): boolean {
  return isZlibHead(head.charCodeAt(0), head.length < 2 ? -1 : head.charCodeAt(1));
}

function isZlibHead(first: number, second: number): boolean {
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
  readonly imports: boolean;
  readonly calls: boolean;
}

const operations: (Operation | undefined)[] = [];

function define(codes: string, operation: Partial<Operation>): void {
  const plain = { lines: 0, bytes: 0, sizeBytes: 0, takes: 0, takesMark: false, gives: 0 };
  for (const code of codes) {
    const full = { ...plain, imports: false, calls: false, ...operation };
    operations[code.charCodeAt(0)] = full;
  }
}

define('FILVSPg', { lines: 1, gives: 1 });
define('p', { lines: 1, takes: 1, gives: 1 });
define('N])}\u0088\u0089\u008f\u0097', { gives: 1 });
// Extensions (`\u0082` to `\u0084`) name what the application itself has registered.
define('Kh\u0082', { bytes: 1, gives: 1 });
define('M\u0083', { bytes: 2, gives: 1 });
define('Jj\u0084', { bytes: 4, gives: 1 });
define('G', { bytes: 8, gives: 1 });
define('U\u008cC\u008a', { sizeBytes: 1, gives: 1 });
define('TXB\u008b', { sizeBytes: 4, gives: 1 });
define('\u008d\u008e\u0096', { sizeBytes: 8, gives: 1 });
define('q', { bytes: 1, takes: 1, gives: 1 });
define('r', { bytes: 4, takes: 1, gives: 1 });
define('\u0094\u0098\u0085Q', { takes: 1, gives: 1 });
define('2', { takes: 1, gives: 2 });
define('0', { takes: 1 });
define('a\u0086b', { takes: 2, gives: 1 });
define('s\u0087', { takes: 3, gives: 1 });
define('tld\u0091', { takesMark: true, gives: 1 });
define('1', { takesMark: true });
define('eu\u0090', { takesMark: true, takes: 1, gives: 1 });
define('\u0080', { bytes: 1 });
define('\u0095', { bytes: 8 });
define('c', { lines: 2, gives: 1, imports: true });
define('\u0093', { takes: 2, gives: 1, imports: true });
define('R\u0081', { takes: 2, gives: 1, calls: true });
define('\u0092', { takes: 3, gives: 1, calls: true });
define('o', { takesMark: true, gives: 1, calls: true });
define('i', { lines: 2, takesMark: true, gives: 1, imports: true, calls: true });

const marksMax = 64;
const importedName = /^[\w.]{1,200}\r?$/;

/** The reading of a pickle up to its first call: where it stands, and how much is on its stack. */
class PickleReader {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private hasImport = false;
  private readonly marks: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** True when the stream calls what it imported; undefined when it ends before it is broken. */
  calls(): boolean | undefined {
    for (;;) {
      if (this.at >= this.text.length) return undefined;
      const code = this.text.charCodeAt(this.at++);
      if (code === 40 && this.marks.length < marksMax) {
        this.marks.push(this.depth);
        this.depth = 0;
        continue;
      }
      const operation = operations[code];
      if (operation === undefined) return false;
      const isWhole = this.passArguments(operation);
      if (isWhole !== true) return isWhole;
      const given = this.depth;
      if (!this.move(operation, code)) return false;
      // A call without arguments looks like a list of columns: `(id`, `name`.
      if (operation.calls && this.hasImport && given > 0) return true;
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
    let size = bytes;
    for (let i = 0; i < sizeBytes; i++) size += this.text.charCodeAt(this.at + i) * 256 ** i;
    if (size > streamCharsMax) return false;
    this.at += size + sizeBytes;
    return this.at <= this.text.length || undefined;
  }

  private move({ takes, takesMark, gives, imports }: Operation, code: number): boolean {
    // POP of nothing takes the mark below.
    if (takesMark || (code === 48 && this.depth === 0)) {
      const below = this.marks.pop();
      if (below === undefined) return false;
      this.depth = below;
      if (code === 48) return true;
    }
    if (this.depth < takes) return false;
    this.depth += gives - takes;
    this.hasImport ||= imports;
    return true;
  }
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

  makesObject(): boolean {
    while (this.pending > 0 && this.at < this.text.length) {
      this.pending--;
      const type = this.text.charAt(this.at++);
      if (objectTypes.includes(type)) return this.readsName(type);
      if (!this.pass(type)) return false;
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

function marshalsObject(bytes: string): boolean {
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
  if (isZlibHead(first, length < 2 ? -1 : (head[1] as number))) return true;
  const operation = operations[first];
  if (operation !== undefined && operation.lines + operation.sizeBytes > 0) return true;
  const next = 1 + (operation?.bytes ?? 0);
  return next >= length || head[next] === 40 || operations[head[next] as number] !== undefined;
}
