import { asksClient } from '../contract/exclusion-clients.ts';
import type { PolicyInForce, PolicySource } from '../contract/policies.ts';
import { defaultPolicyId, type Policy } from '../contract/policy.ts';
import type { Explainer, Log } from '../contract/ports.ts';
import type { ChangeFeed } from '../storage/change-feed.ts';
import { Follower } from '../storage/follower.ts';
import { hashOf } from './document.ts';
import { withoutExpired } from './expiry.ts';
import type { PolicyStore, StoredPolicy } from './policy-store.ts';
import { validateDocument } from './validate.ts';

/** How often it is looked whether an exclusion has expired. */
const expiryLookMs = 500;

export interface PolicyCacheParts {
  readonly store: PolicyStore;
  readonly feed: ChangeFeed;
  readonly explainer: Pick<Explainer, 'checkPolicy'>;
  /** What counts while the default policy cannot be read: what the settings say. */
  readonly fallback: Policy;
  /** The policies to start with while the store is unavailable; without them the start fails. */
  readonly lastGood?: readonly PolicyRow[] | undefined;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** What of a stored policy is put in force. */
export type PolicyRow = Pick<
  StoredPolicy,
  'id' | 'name' | 'version' | 'hash' | 'document' | 'candidate'
>;

/** Holds the policies in force and follows the store. */
export interface PolicyCache extends PolicySource {
  /** False while a stored policy is not fit for use, or none can be read. */
  isReady(): boolean;
  /** The name of a policy; that of the default one for an id that is not there. */
  nameOf(id: string): string;
  /** The policies in force, expired exclusions included. */
  rows(): readonly PolicyRow[];
  /** Whether they come from the store; false while they are those to start with. */
  isOfStore(): boolean;
  /** The versions in force. */
  versions(): readonly { readonly id: string; readonly version: number; readonly hash: string }[];
  /** Reads what changed since the last time; the follower does this by itself. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** A policy as it was written, and as it is in force now. */
interface Held {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly document: Policy;
  readonly candidate: { readonly document: Policy; readonly since: number } | undefined;
  readonly inForce: PolicyInForce;
  /** When the next exclusion expires. */
  readonly until: number;
}

/**
 * Reads all policies and begins to follow the store. Fails if the first read fails, unless there
 * are policies to start with.
 */
export async function startPolicyCache(parts: PolicyCacheParts): Promise<PolicyCache> {
  const cache = new FollowingPolicyCache(parts);
  await cache.start();
  return cache;
}

class FollowingPolicyCache implements PolicyCache {
  readonly #parts: PolicyCacheParts;
  readonly #follower: Follower;
  readonly #listeners: (() => void)[] = [];
  readonly #fallback: PolicyInForce;
  #held: ReadonlyMap<string, Held> = new Map();
  /** The versions that are not fit for use: each is said once. */
  #unfit: ReadonlySet<string> = new Set();
  #revision = -1;
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(parts: PolicyCacheParts) {
    this.#parts = parts;
    const { feed, log } = parts;
    this.#fallback = Object.freeze({ id: defaultPolicyId, version: 0, policy: parts.fallback });
    this.#follower = new Follower({
      topic: 'policies',
      feed,
      read: () => this.#read(),
      failed: (err) => log.warn({ err }, 'policies cannot be read; those in force stay'),
      recovered: () => log.info({}, 'policies can be read again'),
    });
  }

  async start(): Promise<void> {
    const { lastGood } = this.#parts;
    await this.#follower.start(lastGood && (() => this.#hold(lastGood)));
    this.#expiryTimer = setInterval(() => this.#expire(), expiryLookMs).unref();
  }

  inForce(id: string): PolicyInForce {
    const held = this.#held.get(id) ?? this.#held.get(defaultPolicyId);
    return held?.inForce ?? this.#fallback;
  }

  nameOf(id: string): string {
    return this.#held.get(this.inForce(id).id)?.name ?? defaultPolicyId;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  isReady(): boolean {
    return this.#unfit.size === 0 && this.#follower.isFresh();
  }

  rows(): readonly PolicyRow[] {
    return [...this.#held].map(([id, { name, version, hash, document, candidate }]) => {
      return { id, name, version, hash, document, candidate };
    });
  }

  isOfStore(): boolean {
    return this.#revision >= 0;
  }

  versions() {
    return [...this.#held].map(([id, { version, hash }]) => ({ id, version, hash }));
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  async close(): Promise<void> {
    clearInterval(this.#expiryTimer);
    await this.#follower.close();
  }

  async #read(): Promise<void> {
    const revision = await this.#parts.store.revision();
    if (revision === this.#revision) return;
    await this.#hold(await this.#parts.store.list());
    this.#revision = revision;
  }

  async #hold(rows: readonly PolicyRow[]): Promise<void> {
    const held = new Map<string, Held>();
    const unfit = new Set<string>();
    for (const policy of rows) {
      const before = this.#held.get(policy.id);
      const taken = await this.#take(policy, before, unfit);
      if (taken !== undefined) held.set(policy.id, taken);
    }
    this.#held = held;
    this.#unfit = unfit;
    this.#notify();
  }

  /** The policy to hold: the stored one if it is fit for use, or else the one that was held. */
  async #take(stored: PolicyRow, before: Held | undefined, unfit: Set<string>) {
    const document =
      before?.hash === stored.hash
        ? before.document
        : await this.#checked(stored.document, `${stored.id} version ${stored.version}`, unfit);
    if (document === undefined) return before;
    const candidate = await this.#takeCandidate(stored, before, unfit);
    const { id, name, version, hash } = stored;
    return holdingOf({ id, name, version, hash, document, candidate }, this.#parts.clock());
  }

  async #takeCandidate({ id, candidate }: PolicyRow, before: Held | undefined, unfit: Set<string>) {
    if (candidate === undefined) return undefined;
    const { since } = candidate;
    if (before?.candidate?.since === since) return before.candidate;
    const document = await this.#checked(candidate.document, `the candidate of ${id}`, unfit);
    return document === undefined ? undefined : { document, since };
  }

  /**
   * A document that may be put in force. What a newer version of the rules makes of examples and
   * exclusions is no reason to drop a policy; what cannot be compiled is.
   */
  async #checked(given: unknown, what: string, unfit: Set<string>): Promise<Policy | undefined> {
    const { log, explainer } = this.#parts;
    const mark = `${what} ${hashOf(given ?? null)}`;
    const refuse = (problems: unknown): undefined => {
      unfit.add(mark);
      if (!this.#unfit.has(mark)) {
        log.error(
          { policy: what, problems },
          'a policy is not fit for use; the last good one stays',
        );
      }
    };
    const check = validateDocument(given);
    if (check.kind === 'not-valid') return refuse(check.problems);
    const { document } = check;
    if (document.customRules.length === 0) return document;
    const problems = await explainer.checkPolicy(document);
    if (problems === undefined) throw new Error('The threads had no time to check a policy.');
    const fatal = problems.filter(({ pointer }) => pointer.endsWith('/pattern'));
    if (fatal.length > 0) return refuse(fatal);
    if (problems.length > 0)
      log.warn(
        { policy: what, problems },
        'a custom rule no longer fits its examples; the policy stays in force',
      );
    return document;
  }

  #expire(): void {
    const now = this.#parts.clock();
    if (![...this.#held.values()].some(({ until }) => until <= now)) return;
    const entries = [...this.#held].map(([id, held]) => {
      const next = held.until <= now ? holdingOf({ id, ...held }, now) : held;
      return [id, next] as const;
    });
    this.#held = new Map(entries);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function holdingOf(
  policy: Pick<Held, 'name' | 'version' | 'hash' | 'document' | 'candidate'> & {
    readonly id: string;
  },
  now: number,
): Held {
  const { id, name, version, hash, document, candidate } = policy;
  const main = withoutExpired(document, now);
  const shadow = candidate === undefined ? undefined : withoutExpired(candidate.document, now);
  const inForce: PolicyInForce = Object.freeze({
    id,
    version,
    policy: main.policy,
    ...(shadow === undefined || candidate === undefined
      ? {}
      : { candidate: Object.freeze({ document: shadow.policy, since: candidate.since }) }),
    ...(asksClient(main.policy) || (shadow && asksClient(shadow.policy))
      ? { asksClient: true }
      : {}),
  });
  const until = Math.min(main.until, shadow?.until ?? Number.POSITIVE_INFINITY);
  return { name, version, hash, document, candidate, inForce, until };
}
