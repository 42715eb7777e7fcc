import type { Category } from './category.ts';
import type { Shape } from './shape.ts';
import type { Severity } from './verdict.ts';

export type Mode = 'block' | 'monitor' | 'off';

/** 1 blocks the least benign text, 4 is the strictest. */
export type Sensitivity = 1 | 2 | 3 | 4;

/** The score at which a request is blocked, by sensitivity. */
export const thresholds: Readonly<Record<Sensitivity, number>> = { 1: 90, 2: 70, 3: 50, 4: 30 };

/** How much a block says of itself to the caller. */
export type DetailLevel = 'minimal' | 'standard' | 'full';

/**
 * What is not to be found at a place. `pointer` is a pattern: an RFC 6901 pointer in which `*`
 * stands for one segment and a final `**` for any rest. Of `category` and `rule` it has one. With
 * `method`, `path` or `clients` it counts only where those of the client's request are known and fit.
 */
export interface Exclusion {
  readonly id: string;
  readonly pointer: string;
  readonly category?: Category;
  readonly rule?: string;
  /** Only for requests with this method; in capitals. */
  readonly method?: string;
  /** Only for requests at this path: as a pointer, `*` is one segment, a final `**` any rest. */
  readonly path?: string;
  /** Only for clients at one of these addresses and networks, in the form of `networkOf`. */
  readonly clients?: readonly string[];
  readonly reason: string;
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; from then on the exclusion is without effect. */
  readonly expiresAt?: string;
}

/** A rule of the user's own. Of `pattern` and `literals` it has one. */
export interface CustomRule {
  /** `custom.<name>` */
  readonly id: string;
  readonly category: Category;
  /** `CWE-<number>` */
  readonly cwe: string;
  readonly severity: Severity;
  /** Confidence of a match, 1 to 100; blocked at 70 and more by default. */
  readonly score: number;
  /** What the evidence does, as the end of the sentence "it …". */
  readonly message: string;
  /** Pattern of the pointers of the members that are looked at; all when left out. */
  readonly pointer?: string;
  /** Regular expression without back-references and look-around; `(?i)` in front ignores case. */
  readonly pattern?: string;
  /** Texts of which one must occur, whatever the case of its letters. */
  readonly literals?: readonly string[];
  /** Values that the rule must find. */
  readonly examples: readonly string[];
  /** Values that look alike and that the rule must let pass. */
  readonly lookalikes: readonly string[];
}

/** Bounds that are tighter than those of the service. */
export interface PolicyLimits {
  readonly bodyBytes?: number;
  readonly depth?: number;
  readonly members?: number;
}

/** How many requests one key may send in a span, and `burst` more in ten such spans. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
  readonly burst?: number;
}

/** How requests with a key are screened: the document that is stored and edited. */
export interface Policy {
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
  /** Categories that are not detected. */
  readonly categoriesOff: readonly Category[];
  /** Origins (`https://app.example.com`) that may send state-changing requests from elsewhere. */
  readonly trustedOrigins: readonly string[];
  /**
   * What to do with a request that could not be screened completely. If it passes, a
   * client can evade the screening by padding a request up to a limit.
   */
  readonly onIncomplete: 'allow' | 'block';
  /**
   * What a proxy at `/forward` gets for a request that could not be screened at all:
   * overload, a rate limit, a defect. Callers of `/control` get the error and decide themselves.
   */
  readonly onOutage: 'allow' | 'block';
  readonly detail: DetailLevel;
  readonly exclusions: readonly Exclusion[];
  readonly customRules: readonly CustomRule[];
  readonly limits: PolicyLimits;
  readonly rateLimit?: RateLimit;
  /** What may come in; anything, when left out. */
  readonly shape?: Shape;
  /** Whether a shape is learnt from the traffic, to be proposed. */
  readonly learnShape?: boolean;
}

export const defaultPolicy: Policy = Object.freeze({
  mode: 'block',
  sensitivity: 2,
  categoriesOff: Object.freeze([]),
  trustedOrigins: Object.freeze([]),
  onIncomplete: 'block',
  onOutage: 'block',
  detail: 'full',
  exclusions: Object.freeze([]),
  customRules: Object.freeze([]),
  limits: Object.freeze({}),
});

/** The policy of every key that names no other. It always exists. */
export const defaultPolicyId = 'default';
