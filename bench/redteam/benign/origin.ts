import type { Random } from '../../lib/random.ts';

/** A benign text, in a field where an application would have it. */
export interface BenignText {
  /** The field of the request, such as `body.comment`. */
  readonly name: string;
  readonly text: string;
  /** Short and stable, such as `changelog`: suspected false positives are grouped by it. */
  readonly kind: string;
}

/** Where benign texts come from. */
export interface Origin {
  /** Unique, such as `manual pages`: records name it. */
  readonly name: string;
  /** What this machine lacks of it; empty when it can be drawn from. */
  missing(): readonly string[];
  /** Without end or bounded; the same seed gives the same texts on the same machine. */
  texts(random: Random): Iterable<BenignText>;
}
