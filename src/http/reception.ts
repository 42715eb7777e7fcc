import { limits } from '../contract/limits.ts';

/** A request whose body has not come whole. */
export interface Receiving {
  /** Who sends it; '' for a caller that is not known. */
  readonly keyId: string;
  /** What it holds in memory. */
  heldBytes: number;
}

/**
 * Counts the memory of bodies that have not come whole. A key may hold as much as is still free:
 * alone it gets half, two get a third each, and there is always room for one more (the dynamic
 * threshold of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
 */
export class Reception {
  readonly #bytesMax: number;
  readonly #byKey = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number = limits.receptionBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** What all of them hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sets what a body holds. False, with nothing changed, when its key may not hold as much. */
  hold(body: Receiving, bytes: number): boolean {
    const more = bytes - body.heldBytes;
    if (more === 0) return true;
    const all = this.#bytes + more;
    const ofKey = (this.#byKey.get(body.keyId) ?? 0) + more;
    if (more > 0 && ofKey > this.#bytesMax - all) return false;
    this.#bytes = all;
    body.heldBytes = bytes;
    if (ofKey === 0) this.#byKey.delete(body.keyId);
    else this.#byKey.set(body.keyId, ofKey);
    return true;
  }
}
