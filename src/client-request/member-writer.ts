/** A value of a field; numbers and the like are written because their field name is screened. */
export type Scalar = string | number | boolean | null;

/**
 * Why a part of a request is not among its fields: beyond a bound (`too-large`, `too-many`,
 * `too-deep`), in a charset or content coding that cannot be undone (`coding`), consumed before it
 * could be read (`gone`), or of a kind that holds no readable text (`unreadable`).
 */
export type Omission = 'too-large' | 'too-many' | 'too-deep' | 'coding' | 'gone' | 'unreadable';

/** The fields of a request as the texts of one or, for large requests, several JSON objects. */
export interface Members {
  readonly texts: readonly string[];
  /** True when every reading of every part is in the texts. */
  readonly isComplete: boolean;
  /** The first reason why not; absent when complete. */
  readonly omission?: Omission;
}

/** Well below what Sallyport takes in one body: 1 MiB and 10,000 members. */
const textBytesMax = 900_000;
const membersMax = 9_000;
/** A request that needs more than this many bodies is not screened to its end. */
const textsMax = 8;
/** A longer value is cut into pieces that overlap, so that evidence on a seam is in one of them. */
const pieceChars = 131_072;
const overlapChars = 2_048;
/** The walk over a request gives way to other requests after this long. */
const sliceMs = 4;
const stepsPerLook = 16;

/**
 * Writes members as JSON objects. What does not fit one object goes into a further one, and each
 * begins with the members that the others are compared with.
 */
export class MemberWriter {
  readonly #texts: string[] = [];
  readonly #occurrences = new Map<string, number>();
  #head = '';
  #headMembers = 0;
  #text = '';
  #bytes = 0;
  #members = 0;
  #isFull = false;
  #omission: Omission | undefined;
  #steps = 0;
  #sliceStart = performance.now();

  /** True when nothing more is taken: a walk over a request may stop. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** All members so far belong to the head of each object. */
  endHead(): void {
    this.#head = this.#text;
    this.#headMembers = this.#members;
  }

  /** A repeated name is numbered from its second occurrence on, as in `query.q[1]`. */
  add(name: string, value: Scalar): void {
    if (this.#isFull) return;
    const seen = this.#occurrences.get(name) ?? 0;
    this.#occurrences.set(name, seen + 1);
    const numbered = seen === 0 ? name : `${name}[${seen}]`;
    if (typeof value !== 'string' || value.length <= pieceChars) {
      this.#write(numbered, value);
      return;
    }
    for (let at = 0; at < value.length; at += pieceChars - overlapChars) {
      this.#write(numbered, value.slice(at, at + pieceChars));
    }
  }

  /** Says that a part of the request is not among the members. */
  leaveOut(omission: Omission): void {
    this.#omission ??= omission;
  }

  /**
   * To be called at each step of a walk, and awaited when it returns a promise: a large request
   * must not hold up the event loop of the application. `isLong` says that the step was a long one.
   */
  pause(isLong = false): Promise<void> | undefined {
    this.#steps += 1;
    if (this.#steps % stepsPerLook !== 0 && !isLong) return undefined;
    if (performance.now() - this.#sliceStart < sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#sliceStart = performance.now();
        resolve();
      });
    });
  }

  /** The objects; at least one. */
  finish(): Members {
    if (this.#texts.length === 0 || this.#members > this.#headMembers) this.#flush();
    const [texts, omission] = [this.#texts, this.#omission];
    return omission === undefined
      ? { texts, isComplete: true }
      : { texts, isComplete: false, omission };
  }

  #write(name: string, value: Scalar): void {
    const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const bytes = Buffer.byteLength(member) + 1;
    const isFull = this.#bytes + bytes > textBytesMax || this.#members >= membersMax;
    if (isFull && this.#members > this.#headMembers) this.#flush();
    if (this.#texts.length >= textsMax || this.#bytes + bytes > textBytesMax) {
      this.leaveOut(this.#members >= membersMax ? 'too-many' : 'too-large');
      this.#isFull = this.#texts.length >= textsMax;
      return;
    }
    this.#text += this.#text === '' ? member : `,${member}`;
    this.#bytes += bytes;
    this.#members += 1;
  }

  #flush(): void {
    if (this.#texts.length < textsMax) this.#texts.push(`{${this.#text}}`);
    this.#text = this.#head;
    this.#bytes = Buffer.byteLength(this.#head);
    this.#members = this.#headMembers;
  }
}
