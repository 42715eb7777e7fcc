import type { Category } from './category.ts';

export type Mode = 'block' | 'monitor' | 'off';

/** 1 is the most careful with honest text, 4 the most suspicious. */
export type Sensitivity = 1 | 2 | 3 | 4;

/** The score at which a request is blocked, by sensitivity. */
export const thresholds: Readonly<Record<Sensitivity, number>> = { 1: 90, 2: 70, 3: 50, 4: 30 };

/** How much a block says of itself to the caller. */
export type DetailLevel = 'minimal' | 'standard' | 'full';

/** What is to be done for the callers of one key. */
export interface Policy {
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
  /** Categories that are not judged. */
  readonly categoriesOff: readonly Category[];
  /** Origins (`https://app.example.com`) that may send state-changing requests from elsewhere. */
  readonly trustedOrigins: readonly string[];
  /** What to do with a request that could not be screened completely. */
  readonly onIncomplete: 'allow' | 'block';
  readonly detail: DetailLevel;
}

export const defaultPolicy: Policy = Object.freeze({
  mode: 'block',
  sensitivity: 2,
  categoriesOff: Object.freeze([]),
  trustedOrigins: Object.freeze([]),
  onIncomplete: 'allow',
  detail: 'full',
});
