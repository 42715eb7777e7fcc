import { isFileHead } from './multipart-head.ts';

const crlf = Buffer.from('\r\n');
const blankLine = '\r\n\r\n';
/** What a piece costs in memory beside its bytes. */
const pieceBytes = 128;
/** A longer head is kept with all that follows: no benign client writes one. */
const headBytesMax = 4_096;

/**
 * Reads multipart/form-data (RFC 7578) piece by piece and keeps all but the content of files:
 * heads, fields, and what stands between parts. What it keeps is a shorter body of the same syntax.
 *
 * Doubt keeps. The boundary ends the content of a file wherever it stands, and a part is a file
 * only where every parser would take it for one. It holds a head and a boundary at most beside what
 * it keeps, and reads each byte a bounded number of times.
 */
export class MultipartSieve {
  readonly #mark: Buffer;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** How much of what was kept has been taken. */
  #taken = 0;
  #state: 'text' | 'head' | 'file' = 'text';
  /** Whether the part whose head is read may be a file. */
  #mayBeFile = false;
  /** What came last and is not decided yet. */
  #rest = Buffer.alloc(0);
  #isStart = true;

  constructor(boundary: string) {
    this.#mark = Buffer.from(`--${boundary}`, 'latin1');
  }

  /** Whether all that came so far, but for what is kept, was the content of files. */
  get isInFile(): boolean {
    return this.#state === 'file';
  }

  get keptBytes(): number {
    return this.#keptBytes + (this.isInFile ? 0 : this.#rest.length);
  }

  /** What it takes in memory. */
  get heldBytes(): number {
    return this.#keptBytes + this.#rest.length + this.#kept.length * pieceBytes;
  }

  /** Whether something was kept, or may have to be, since it was last taken. */
  get hasNews(): boolean {
    return !this.isInFile || this.#taken < this.#kept.length;
  }

  take(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const next = this.#state === 'head' ? this.#readHead(data, at) : this.#readContent(data, at);
      if (next === undefined) return;
      at = next;
    }
  }

  /** To be called at the end of the body. */
  end(): void {
    if (!this.isInFile) this.#keep(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  /** What was kept since it was last called. */
  takeNews(): Buffer {
    const news = Buffer.concat(this.#kept.slice(this.#taken));
    this.#taken = this.#kept.length;
    return news;
  }

  /** All that was kept. */
  all(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Reads to the next boundary, and gives where to read on; undefined when more must come. */
  #readContent(data: Buffer, from: number): number | undefined {
    const mark = this.#mark;
    const found = data.indexOf(mark, from);
    const after = found + mark.length;
    if (found < 0 || after + 2 > data.length) {
      // A boundary may begin in what came last; of what stands before it, two bytes count.
      const undecided = found < 0 ? data.length - mark.length - 1 : found - 2;
      this.#wait(data, from, Math.max(from, undecided));
      return undefined;
    }
    const isFirst = this.#isStart && found === 0;
    const isOwnLine = isFirst || (found - from >= 2 && data.indexOf(crlf, found - 2) === found - 2);
    if (!this.isInFile) this.#keep(data.subarray(from, found));
    // In a line of its own, so that what follows is not taken for content of the file.
    else this.#keep(crlf);
    this.#isStart = false;
    this.#keep(mark);
    this.#mayBeFile = isOwnLine || this.isInFile;
    if (data.indexOf(crlf, after) !== after) {
      this.#state = 'text';
      return after;
    }
    this.#keep(crlf);
    this.#state = 'head';
    return after + 2;
  }

  #readHead(data: Buffer, from: number): number | undefined {
    const end = data.indexOf(blankLine, from);
    if (end < 0 && data.length - from <= headBytesMax) {
      this.#wait(data, from, from);
      return undefined;
    }
    const head = data.subarray(from, Math.max(from, end));
    const isFile =
      end >= 0 &&
      head.length <= headBytesMax &&
      this.#mayBeFile &&
      head.indexOf(this.#mark) < 0 &&
      isFileHead(head.toString('latin1'));
    if (!isFile) {
      this.#state = 'text';
      return from;
    }
    this.#keep(data.subarray(from, end + blankLine.length));
    this.#state = 'file';
    return end + blankLine.length;
  }

  /** Keeps or drops what is decided, and sets the rest aside. */
  #wait(data: Buffer, from: number, undecided: number): void {
    if (this.#state === 'text' && undecided > from) {
      this.#keep(data.subarray(from, undecided));
      this.#isStart = false;
    }
    // A copy, as with all that is kept: a piece of a chunk would hold all of it in memory.
    this.#rest = Buffer.from(data.subarray(undecided));
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }
}
