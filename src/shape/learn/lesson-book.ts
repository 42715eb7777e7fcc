import type { LearningBatch } from '../../contract/learnt-shape.ts';
import { limits } from '../../contract/limits.ts';
import type { Shape, ShapeField } from '../../contract/shape.ts';
import {
  DeclaredTable,
  emptyPair,
  type LearntPair,
  learn,
  mergePairs,
  pairBytes,
  shrink,
} from './learner.ts';
import { packed, unpacked } from './report.ts';

/** Reads the fields of a body, as the core does; undefined for one that it refuses. */
export type ReadFields = (body: string) => readonly ShapeField[] | undefined;

interface Pupil {
  /** What is stored, as of the last save. */
  held: LearntPair;
  /** What was learnt since. */
  fresh: LearntPair;
  freshBytes: number;
  /** What a save that is under way is about. */
  saving: LearntPair | undefined;
  table: DeclaredTable | undefined;
}

/** Of what is new, one half may be on its way to the store. */
const freshBytesMax = limits.learntNewBytesMax / 2;

/** What one process learns, for all its policies. Bounded by `limits.learnt…`. */
export class LessonBook {
  readonly #pupils = new Map<string, Pupil>();
  readonly #readFields: ReadFields;
  readonly #salt: number;
  readonly #decoder = new TextDecoder();

  constructor(readFields: ReadFields, salt: number) {
    this.#readFields = readFields;
    this.#salt = salt;
  }

  /** Says what shape a policy declares. */
  declare(policyId: string, shape: Shape | undefined): void {
    this.#pupil(policyId).table =
      shape?.routes === undefined ? undefined : new DeclaredTable(shape);
  }

  learn({ policyId, leftOut, requests }: LearningBatch): void {
    const pupil = this.#pupil(policyId);
    pupil.fresh.passed.leftOut += leftOut;
    for (const { body, context, isRefused, at } of requests) {
      const into = isRefused ? pupil.fresh.refused : pupil.fresh.passed;
      try {
        const text = this.#decoder.decode(body);
        const fields = this.#readFields(text);
        if (fields === undefined) into.leftOut += 1;
        else {
          const known = isRefused ? pupil.held.refused : pupil.held.passed;
          const lesson = { into, known, table: pupil.table, now: at, salt: this.#salt };
          pupil.freshBytes += learn({ body: text, context }, fields, lesson);
        }
      } catch {
        // A request that cannot be read is not learnt from; it was screened all the same.
        into.leftOut += 1;
      }
    }
    this.#keepBound();
  }

  /** The policies with something to save. */
  unsaved(): string[] {
    return [...this.#pupils]
      .filter(([, { fresh, saving }]) => saving !== undefined || hasNews(fresh))
      .map(([id]) => id);
  }

  /** What is to be stored in the place of what is: both together. */
  save(policyId: string, stored: string | undefined): string {
    const pupil = this.#pupil(policyId);
    if (pupil.saving === undefined) {
      pupil.saving = pupil.fresh;
      pupil.fresh = emptyPair();
      pupil.freshBytes = 0;
    }
    const merged = mergePairs(unpacked(stored), structuredClone(pupil.saving));
    shrink(merged, limits.learntHeldBytesMax / this.#pupils.size);
    pupil.held = merged;
    return packed(merged);
  }

  saved(policyId: string): void {
    this.#pupil(policyId).saving = undefined;
  }

  reset(policyId: string): void {
    this.#pupils.delete(policyId);
  }

  /** The bytes of all that is held, as they are counted. */
  bytes(): number {
    let bytes = 0;
    for (const { held, fresh, saving } of this.#pupils.values()) {
      bytes += pairBytes(held) + pairBytes(fresh) + (saving === undefined ? 0 : pairBytes(saving));
    }
    return bytes;
  }

  #pupil(policyId: string): Pupil {
    const known = this.#pupils.get(policyId);
    if (known !== undefined) return known;
    const empty = { held: emptyPair(), fresh: emptyPair(), freshBytes: 0 };
    const made: Pupil = { ...empty, saving: undefined, table: undefined };
    this.#pupils.set(policyId, made);
    return made;
  }

  /** Routes that are used least leave first. */
  #keepBound(): void {
    const all = [...this.#pupils.values()];
    const sum = all.reduce((bytes, { freshBytes }) => bytes + freshBytes, 0);
    if (sum <= freshBytesMax) return;
    // Room for more than the next request, so that not each of them has to make room.
    const share = (0.75 * freshBytesMax) / all.length;
    for (const pupil of all) {
      shrink(pupil.fresh, share);
      pupil.freshBytes = pairBytes(pupil.fresh);
    }
  }
}

function hasNews({ passed, refused }: LearntPair): boolean {
  return passed.requests + passed.leftOut + refused.requests > 0;
}
