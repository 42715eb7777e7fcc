import { limits } from '../contract/limits.ts';
import type {
  PolicySource,
  ShadowDifference,
  ShadowExample,
  ShadowReport,
} from '../contract/policies.ts';
import type { Policy } from '../contract/policy.ts';
import type { Explainer, ShadowedRequest, ShadowSink } from '../contract/ports.ts';
import type { Finding, Verdict } from '../contract/verdict.ts';

/** Requests that wait for their second screening; what comes meanwhile is left out. */
const waitingMax = 32;
/** How many places are distinguished, for each of the two lists. */
const placesMax = 500;
/** The first requests of a place are kept as examples: so many. */
const examplesMax = 3;

interface Tally {
  readonly document: Policy;
  readonly since: number;
  screened: number;
  dropped: number;
  readonly newlyBlocked: Map<string, Difference>;
  readonly newlyFreed: Map<string, Difference>;
}

type Difference = Omit<ShadowDifference, 'count' | 'lastEventId' | 'examples'> & {
  count: number;
  lastEventId?: string;
  readonly examples: ShadowExample[];
};

/** Counts what candidates would change. */
export interface Shadow extends ShadowSink {
  report(policyId: string): ShadowReport | undefined;
}

/** Screens a share of the answered requests again, with the candidate of their policy. */
export function createShadow(parts: {
  readonly explainer: Pick<Explainer, 'explain' | 'describe'>;
  readonly policies: PolicySource;
}): Shadow {
  return new CandidateShadow(parts.explainer, parts.policies);
}

class CandidateShadow implements Shadow {
  readonly #explainer: Pick<Explainer, 'explain' | 'describe'>;
  readonly #policies: PolicySource;
  readonly #tallies = new Map<string, Tally>();
  #waiting = 0;

  constructor(explainer: Pick<Explainer, 'explain' | 'describe'>, policies: PolicySource) {
    this.#explainer = explainer;
    this.#policies = policies;
  }

  screened(request: ShadowedRequest): void {
    const tally = this.#tallyOf(request.policyId);
    if (tally === undefined) return;
    if (this.#waiting >= waitingMax || request.body.length > limits.bodyInlineBytesMax) {
      tally.dropped += 1;
      return;
    }
    this.#waiting += 1;
    void this.#compare(tally, request).finally(() => {
      this.#waiting -= 1;
    });
  }

  report(policyId: string): ShadowReport | undefined {
    const tally = this.#tallyOf(policyId);
    if (tally === undefined) return undefined;
    const { document, since, screened, dropped } = tally;
    const [newlyBlocked, newlyFreed] = [tally.newlyBlocked, tally.newlyFreed].map((list) =>
      [...list.values()].toSorted((a, b) => b.count - a.count),
    );
    return {
      document,
      since,
      screened,
      dropped,
      newlyBlocked: newlyBlocked ?? [],
      newlyFreed: newlyFreed ?? [],
    };
  }

  /** A new candidate begins with nothing counted; without one there is nothing to count. */
  #tallyOf(policyId: string): Tally | undefined {
    const { id, candidate } = this.#policies.inForce(policyId);
    if (id !== policyId || candidate === undefined) {
      this.#tallies.delete(policyId);
      return undefined;
    }
    const known = this.#tallies.get(policyId);
    if (known !== undefined && known.since === candidate.since) return known;
    const tally: Tally = {
      ...candidate,
      screened: 0,
      dropped: 0,
      newlyBlocked: new Map(),
      newlyFreed: new Map(),
    };
    this.#tallies.set(policyId, tally);
    return tally;
  }

  async #compare(tally: Tally, request: ShadowedRequest): Promise<void> {
    const { body, context, verdict, decisionId } = request;
    const policy = tally.document;
    const outcome = await this.#explainer.explain({ body, context, policy, depth: 'verdict' });
    if (outcome.kind !== 'explained') {
      tally.dropped += 1;
      return;
    }
    tally.screened += 1;
    const after = outcome.explanation.verdict;
    if (after.decision === verdict.decision) return;
    if (after.decision !== 'block') {
      const place = counted(tally.newlyFreed, causeOf(verdict, after));
      if (place !== undefined) place.lastEventId = decisionId;
      return;
    }
    const cause = causeOf(after, verdict);
    const place = counted(tally.newlyBlocked, cause);
    if (place === undefined || place.count > examplesMax) return;
    const example = await this.#exampleOf(tally, request, { verdict: after, cause });
    if (example !== undefined) place.examples.push(example);
  }

  /** Redacted as an event is. */
  async #exampleOf(
    { document }: Tally,
    { body, context, decisionId, policyId }: ShadowedRequest,
    { verdict, cause }: { readonly verdict: Verdict; readonly cause: Finding | undefined },
  ): Promise<ShadowExample | undefined> {
    const names = { decisionId, policyId, requestId: '', keyId: '', policyVersion: 0 };
    const record = { ...names, policy: document, body, context, verdict, monitored: true };
    const facts = { at: Date.now(), keyName: '' };
    const blocks = [{ record, facts }];
    const [event] = (await this.#explainer.describe({ blocks, depth: 'bare' })) ?? [];
    if (event === undefined) return undefined;
    const { at, method, path, client } = event;
    const found = event.findings.find(
      ({ rule, pointer }) => rule === cause?.rule && pointer === cause.pointer,
    );
    return {
      at,
      evidence: found?.evidence ?? '',
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path }),
      ...(client === undefined ? {} : { client }),
    };
  }
}

/** The strongest finding that the other verdict has not; the strongest where it has all. */
function causeOf(verdict: Verdict, other: Verdict): Finding | undefined {
  const isNew = (one: Finding) =>
    !other.findings.some((same) => same.rule === one.rule && same.pointer === one.pointer);
  return verdict.findings.find(isNew) ?? verdict.findings[0];
}

/** Counts a request at its place; undefined when there are too many places. */
function counted(
  places: Map<string, Difference>,
  cause: Finding | undefined,
): Difference | undefined {
  const { pointer = '', category = '', rule = '' } = cause ?? {};
  const name = `${rule} ${pointer}`;
  const known = places.get(name) ?? { pointer, category, rule, count: 0, examples: [] };
  if (known.count === 0 && places.size >= placesMax) return undefined;
  known.count += 1;
  places.set(name, known);
  return known;
}
