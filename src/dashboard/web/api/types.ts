import type { ListAction } from '../../../contract/address-list.ts';
import type { Category } from '../../../contract/category.ts';
import type { EventCounts, EventSummary, StoredEvent } from '../../../contract/event.ts';
import type { PolicyProblem } from '../../../contract/explanation.ts';
import type { KeyScope } from '../../../contract/key-bounds.ts';
import type { KeyKind } from '../../../contract/key-directory.ts';
import type { LearntReport, ShapeDrift } from '../../../contract/learnt-shape.ts';
import type { AnswerName, LiveHistory, LiveSnapshot } from '../../../contract/live.ts';
import type { RuleExample } from '../../../contract/management.ts';
import type { ChannelWish, MessageEntry, Target } from '../../../contract/notification.ts';
import type { NewExclusion, ShadowExample } from '../../../contract/policies.ts';
import type { Mode, Policy, Sensitivity } from '../../../contract/policy.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Shape } from '../../../contract/shape.ts';
import type { Verdict } from '../../../contract/verdict.ts';

// What the management API answers; `/openapi.json` describes the same.

export interface SessionState {
  readonly user?: { readonly name: string; readonly role: Role };
  readonly setupNeeded: boolean;
  /** Of the user. Without one, only single sign-on signs in. */
  readonly hasPassword?: boolean;
  /** Nothing else is open before it is set up. */
  readonly needsSecondFactor?: boolean;
  /** Where single sign-on works, if it is set up. */
  readonly singleSignOn?: string;
}

export interface QueueState {
  readonly requests: number;
  readonly bytes: number;
}

export type CategoryCounts = LiveSnapshot['categories'];

export interface Overview {
  readonly version: string;
  readonly startedAt: string;
  readonly now: string;
  readonly ready: boolean;
  readonly readiness: Readonly<Record<'keys' | 'workers' | 'database' | 'policy', boolean>>;
  readonly workers: number;
  readonly rates: Pick<LiveSnapshot, 'requestsPerSecond' | 'blockedPerSecond'>;
  readonly latency: LiveSnapshot['latency'];
  /** Of the last hour. */
  readonly decisions: Readonly<Record<AnswerName, number>>;
  /** Of the last hour. */
  readonly categories: CategoryCounts;
  readonly queue: QueueState;
  readonly eventsDropped: number;
  readonly threadsReplaced: number;
  readonly series: LiveHistory['series'];
  readonly badKeys: BadKeysState;
  /** What clients reported within the last hour, by key; not there where nothing takes reports. */
  readonly unscreened?: readonly UnscreenedState[];
}

/** Requests whose key was not valid, since the start. */
export interface BadKeysState {
  readonly total: number;
  readonly lastAt?: string;
  readonly lastAddress?: string;
}

/** Requests without a verdict of the service, by reason: passed on, or screened by the client. */
export interface UnscreenedState {
  readonly keyId: string;
  readonly keyName: string;
  readonly passed: Readonly<Record<string, number>>;
  readonly inline: Readonly<Record<string, number>>;
  readonly lastAt: string;
}

/** How many events fit a filter, over time and of each value. */
export interface EventCountsAnswer {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
  readonly blocked: number;
  readonly wouldBlock: number;
  readonly series: Readonly<Record<'blocked' | 'wouldBlock', readonly number[]>>;
  readonly top: EventCounts['top'];
  readonly estimated: EventCounts['estimated'];
}

/** What there was over a span of time. */
export interface Stats {
  readonly stepSeconds: number;
  readonly from: string;
  readonly series: Readonly<Record<'requests' | 'blocked' | 'wouldBlock', readonly number[]>>;
  readonly categories: CategoryCounts;
  readonly rules: readonly { readonly rule: string; readonly count: number }[];
  readonly members: readonly { readonly pointer: string; readonly count: number }[];
  readonly events: {
    readonly count: number;
    readonly top: EventCounts['top'];
    /** Whether a sample stands for more events than are counted one by one. */
    readonly estimated: boolean;
    readonly oldest?: string;
  };
}

/** One second of the live feed. */
export interface LiveSecond extends LiveSnapshot {
  readonly at: string;
  readonly queue: QueueState;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
  readonly policyId: string;
  readonly policyName: string;
  /** The public part of the key. */
  readonly prefix: string;
  readonly scopes: readonly KeyScope[];
  readonly networks: readonly string[];
  readonly lastClient?: string;
  readonly rotation?: { readonly sunsetAt: string };
}

type UsageName = 'requests' | 'blocks' | 'wouldBlocks' | 'errors';

/** How much a key is used, in steps of whole hours. */
export interface KeyUsage {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
  readonly totals: Readonly<Record<UsageName, number>>;
  readonly series: Readonly<Record<UsageName, readonly number[]>>;
}

/** What the rules found in the last seven days, and which policies leave them out. */
export interface RuleUse {
  readonly from: string;
  readonly estimated: boolean;
  readonly events: readonly { readonly rule: string; readonly count: number }[];
  readonly off: readonly {
    readonly rule: string;
    readonly policyId: string;
    readonly policyName: string;
  }[];
}

export interface KeyWithSecret {
  readonly key: Key;
  readonly secret: string;
}

export interface PolicySummary {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly keys: number;
  readonly hasCandidate: boolean;
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
}

export interface Candidate {
  readonly document: Policy;
  readonly since: string;
}

export interface PolicyDetail {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly document: Policy;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly comment: string;
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly candidate?: Candidate;
}

export interface PolicyVersion {
  readonly version: number;
  readonly hash: string;
  readonly at: string;
  readonly by: string;
  readonly comment: string;
}

/** What a candidate policy would do differently to one member. */
export interface CandidateEffect {
  readonly pointer: string;
  readonly category: Category;
  readonly rule: string;
  readonly count: number;
  readonly lastEventId?: string;
  readonly examples: readonly ShadowExample[];
}

export interface CandidateReport extends Candidate {
  readonly screened: number;
  readonly dropped: number;
  readonly newlyBlocked: readonly CandidateEffect[];
  readonly newlyFreed: readonly CandidateEffect[];
}

/** An exclusion that is only thought of: for its preview. */
export type ExclusionDraft = Pick<
  NewExclusion,
  'pointer' | 'category' | 'rule' | 'method' | 'path' | 'clients'
>;

export interface ExclusionPreview {
  readonly freed: {
    readonly count: number;
    /** Of these, requests of which not everything was decoded. */
    readonly unsure: number;
    readonly events: readonly EventSummary[];
    /** Whether all that is stored was looked at. */
    readonly complete: boolean;
  };
  readonly attacksLetPass: {
    readonly count: number;
    readonly of: number;
    readonly examples: readonly { readonly rule: string; readonly example: RuleExample }[];
  };
  /** Whether it names no field, no path and no client. */
  readonly isWide: boolean;
  /** The exclusion that does the same already. */
  readonly excludedBy?: string;
}

/** A person who may sign in. */
export interface Person {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly signedInAt?: string;
  readonly disabled: boolean;
  readonly hasPassword: boolean;
  readonly secondFactor: boolean;
  /** Of the identity provider. */
  readonly account?: string;
}

/** A person whose link is open. */
export interface Invited {
  readonly name: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Where a person is signed in. */
export interface SessionRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly isCurrent: boolean;
}

/** A network on a list. */
export interface AddressRow {
  readonly id: string;
  readonly network: string;
  readonly action: ListAction;
  readonly policyId?: string;
  readonly reason: string;
  readonly author: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly isInForce: boolean;
}

/** A channel of notifications, with what may be known of its target. */
export interface ChannelRow extends Omit<ChannelWish, 'target'> {
  readonly id: string;
  readonly target: Omit<Target, 'secret' | 'password'> & {
    readonly hasSecret?: boolean;
    readonly hasPassword?: boolean;
  };
  readonly createdAt: string;
  readonly changedAt: string;
  readonly changedBy: string;
}

/** A message in the history of its channel. */
export interface MessageRow extends Omit<MessageEntry, 'createdAt' | 'nextAt' | 'settledAt'> {
  readonly createdAt: string;
  readonly nextAt?: string;
  readonly settledAt?: string;
}

export interface EventAnswer {
  readonly event: StoredEvent;
  readonly suggestedExclusion: { readonly pointer: string; readonly rule: string };
  /** What is stored of its body; not there where nothing is. */
  readonly body?: object;
}

export interface Replay {
  readonly before: { readonly decision: string; readonly score: number };
  readonly after: Verdict;
}

/** What came of declaring a shape. */
export interface DeclaredShape {
  readonly version: number;
  readonly shape: Shape;
  /** What is not enforced, and where. */
  readonly notes: readonly PolicyProblem[];
}

/** What was learnt of the traffic of a policy, as the API answers it: moments are ISO 8601. */
export interface LearntShape extends Omit<LearntReport, 'first' | 'last' | 'proposal' | 'drift'> {
  readonly learning: boolean;
  readonly first?: string;
  readonly last?: string;
  readonly proposal?: Shape;
  readonly drift: readonly (Omit<ShapeDrift, 'first' | 'last'> & {
    readonly first: string;
    readonly last: string;
  })[];
}
