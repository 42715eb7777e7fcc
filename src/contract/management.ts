import type { AddressDirectory } from './address-list.ts';
import type { AdminGate, People } from './admin.ts';
import type { AuditStore } from './audit.ts';
import type { Category } from './category.ts';
import type { UnscreenedByKey } from './client-report.ts';
import type { EventStore, SavedFilters } from './event.ts';
import type { KeyDirectory, ManagingKey } from './key-directory.ts';
import type { KeyUsage } from './key-usage.ts';
import type { LearntShapes } from './learnt-shape.ts';
import type { BadKeys, LiveStats } from './live.ts';
import type { Notifications } from './notification.ts';
import type { Policies } from './policies.ts';
import type { Exclusion } from './policy.ts';
import type { Explainer } from './ports.ts';
import type { Shape } from './shape.ts';
import type { SingleSignOnGate } from './single-sign-on.ts';
import type { Finding, Severity } from './verdict.ts';

/** A value, or the members of a body. */
export type RuleExample =
  | string
  | { readonly body: Readonly<Record<string, unknown>>; readonly shape?: Shape };

/** A rule as people read it. */
export interface RuleDescription {
  readonly id: string;
  readonly category: Category;
  readonly cwe: string;
  readonly severity: Severity;
  readonly score: number;
  readonly message: string;
  readonly examples: readonly RuleExample[];
  readonly lookalikes: readonly RuleExample[];
}

/** How the parts of this process are. */
export interface ProcessState {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly workers: number;
  readonly readiness: {
    readonly keys: boolean;
    readonly workers: boolean;
    readonly database: boolean;
    readonly policy: boolean;
  };
  readonly queue: { readonly requests: number; readonly bytes: number };
  /** Blocks that could not be stored since the start. */
  readonly eventsDropped: number;
  readonly threadsReplaced: number;
}

/** Everything that the management API works with. */
export interface Management {
  readonly gate: AdminGate;
  /** Where the settings name an identity provider. */
  readonly singleSignOn: SingleSignOnGate | undefined;
  readonly people: People;
  /** Who a key stands for; undefined for a text or an address that may not manage. */
  readonly managerOf: (key: string, address: string) => ManagingKey | undefined;
  /** Asks the store about a key that memory does not accept; as `KeyVerifier.lookUp`. */
  readonly lookUpKey: (key: string) => Promise<void> | undefined;
  readonly keys: KeyDirectory;
  readonly keyUsage: KeyUsage;
  readonly policies: Policies;
  readonly addresses: AddressDirectory;
  readonly learnt: LearntShapes;
  readonly notifications: Notifications;
  readonly events: EventStore;
  readonly filters: SavedFilters;
  readonly audit: AuditStore;
  readonly live: LiveStats;
  readonly badKeys: () => BadKeys;
  /** What clients reported as unscreened within the last hour, by key. */
  readonly unscreened: () => readonly (UnscreenedByKey & { readonly keyName: string })[];
  readonly explainer: Explainer;
  readonly rules: readonly RuleDescription[];
  /** Pure functions of the core. */
  readonly core: {
    /** The score that findings make together. */
    readonly scoreOf: (findings: readonly Finding[]) => number;
    /** Tells the pointers that a pattern of an exclusion stands for. */
    readonly pointerPattern: (pattern: string) => (pointer: string) => boolean;
    /** Tells the requests that an exclusion counts for. */
    readonly scopeMatcher: (
      exclusion: Pick<Exclusion, 'method' | 'path' | 'clients'>,
    ) => (target: {
      readonly method: string | undefined;
      readonly path: string | undefined;
      readonly client: string | undefined;
    }) => boolean;
  };
  /** The client in a text of the form of `X-Forwarded-For`; '' where there is none. */
  readonly clientOf: (forwardedFor: string) => string;
  readonly state: () => ProcessState;
  /** Whether an error says that the database cannot be used at present. */
  readonly isStorageFault: (error: unknown) => boolean;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}
