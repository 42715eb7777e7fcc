/** A value of a member; numbers and the like are written for the sake of the member's name. */
export type Scalar = string | number | boolean | null;

/** Takes the members of a request, one by one. A name may come again. */
export type AddMember = (name: string, value: Scalar) => void;

/** Well below what Sallyport takes in one body: 1 MiB and 10,000 members. */
const textBytesMax = 900_000;
const membersMax = 9_000;
/** A request that needs more than this many bodies is not screened to its end. */
const textsMax = 8;
/** A longer value is cut into pieces that overlap, so that evidence on a seam is in one of them. */
const pieceChars = 131_072;
const overlapChars = 2_048;

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
  #isComplete = true;

  /** All members so far belong to the head of each object. */
  endHead(): void {
    this.#head = this.#text;
    this.#headMembers = this.#members;
  }

  /** A repeated name is numbered from its second occurrence on, as in `query.q[1]`. */
  add(name: string, value: Scalar): void {
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
  leaveOut(): void {
    this.#isComplete = false;
  }

  /** The objects; at least one. */
  finish(): { readonly texts: readonly string[]; readonly isComplete: boolean } {
    if (this.#texts.length === 0 || this.#members > this.#headMembers) this.#flush();
    return { texts: this.#texts, isComplete: this.#isComplete };
  }

  #write(name: string, value: Scalar): void {
    const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const bytes = Buffer.byteLength(member) + 1;
    const isFull = this.#bytes + bytes > textBytesMax || this.#members >= membersMax;
    if (isFull && this.#members > this.#headMembers) this.#flush();
    if (this.#texts.length >= textsMax || this.#bytes + bytes > textBytesMax) {
      this.#isComplete = false;
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
