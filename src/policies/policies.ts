import { randomUUID } from 'node:crypto';
import type { PolicyProblem } from '../contract/explanation.ts';
import type { Policies, PolicyOutcome, PolicyRecord } from '../contract/policies.ts';
import { defaultPolicyId, type Policy } from '../contract/policy.ts';
import type { Explainer } from '../contract/ports.ts';
import type { Shape } from '../contract/shape.ts';
import type { ShapeOptions, ShapeOutcome, ShapeReader } from '../contract/shape-reader.ts';
import { newWide } from '../contract/wide-exclusion.ts';
import { diffDocuments } from './diff.ts';
import { hashOf } from './document.ts';
import type { AppendOutcome, PolicyStore, StoredPolicy } from './policy-store.ts';
import { type DocumentCheck, validateDocument } from './validate.ts';

export interface PoliciesParts {
  readonly store: PolicyStore;
  readonly explainer: Pick<Explainer, 'checkPolicy'>;
  readonly shapes: ShapeReader;
  /** Puts what was stored in force here; the database notifies other nodes. */
  readonly refresh: () => Promise<void>;
  readonly shadow: Policies['shadow'];
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

const excludeTriesMax = 5;
const shapesKnownMax = 16;

/** The policies as the management API uses them. */
export function createPolicies(parts: PoliciesParts): Policies {
  return new StoredPolicies(parts);
}

class StoredPolicies implements Policies {
  readonly #parts: PoliciesParts;
  readonly #store: PolicyStore;
  /** Shapes that were read and compiled: most changes of a policy leave its shape alone. */
  #knownShapes: readonly string[] = [];

  constructor(parts: PoliciesParts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  async list() {
    return (await this.#store.list()).map(recordOf);
  }

  async find(id: string) {
    const found = await this.#store.find(id);
    return found === undefined ? undefined : recordOf(found);
  }

  async versions(id: string) {
    const versions = await this.#store.versions(id);
    return versions?.map(({ changedAt, changedBy, document, ...version }) => ({
      ...version,
      at: changedAt,
      by: changedBy,
      document: asPolicy(document),
    }));
  }

  async check(given: unknown): Promise<DocumentCheck> {
    const valid = validateDocument(given);
    const check = valid.kind === 'valid' ? await this.#withShape(valid.document) : valid;
    if (check.kind === 'not-valid') return check;
    const problems: readonly PolicyProblem[] = (await this.#parts.explainer.checkPolicy(
      check.document,
    )) ?? [{ pointer: '', message: 'could not be checked because the service is busy; try again' }];
    return problems.length === 0 ? check : { kind: 'not-valid', problems };
  }

  async readShape(document: unknown, options: ShapeOptions): Promise<ShapeOutcome> {
    const text = typeof document === 'string' ? document : (JSON.stringify(document) ?? '');
    const outcome = await this.#parts.shapes.read(text, options);
    if (outcome.kind === 'shape') this.#remember(outcome.shape);
    return outcome;
  }

  /** The document with its shape as it is compiled, which is what is stored. */
  async #withShape(document: Policy): Promise<DocumentCheck> {
    const { shape } = document;
    if (shape === undefined || this.#knownShapes.includes(hashOf(shape))) {
      return { kind: 'valid', document };
    }
    const outcome = await this.#parts.shapes.check(shape);
    if (outcome.kind === 'not-valid') {
      const problems = outcome.problems.map(({ pointer, message }) => {
        return { pointer: `/shape${pointer}`, message };
      });
      return { kind: 'not-valid', problems };
    }
    this.#remember(outcome.shape);
    return { kind: 'valid', document: { ...document, shape: outcome.shape } };
  }

  #remember(shape: Shape): void {
    this.#knownShapes = [hashOf(shape), ...this.#knownShapes].slice(0, shapesKnownMax);
  }

  async create(wish: Parameters<Policies['create']>[0]): Promise<PolicyOutcome> {
    // The copy of a policy excludes nothing new.
    const check = await this.#checkWide(wish, () => this.list());
    if (check.kind === 'not-valid') return check;
    const { name, comment, by } = wish;
    const { document } = check;
    const id = randomUUID();
    const at = this.#parts.clock();
    await this.#store.insert({ id, name, document, comment, by, at });
    return this.#inForce(id);
  }

  async change(wish: Parameters<Policies['change']>[0]): Promise<PolicyOutcome> {
    const checking = this.#checkWide(wish, () => this.#stored(wish.id));
    return this.#append({ endsCandidate: false, name: undefined, ...wish }, checking);
  }

  async remove(id: string) {
    if (id === defaultPolicyId) return 'is-default';
    const outcome = await this.#store.remove(id);
    if (outcome === 'removed') await this.#parts.refresh();
    return outcome;
  }

  async rollBack(wish: Parameters<Policies['rollBack']>[0]): Promise<PolicyOutcome> {
    const [found, versions] = await Promise.all([
      this.#store.find(wish.id),
      this.#store.versions(wish.id),
    ]);
    const old = versions?.find(({ version }) => version === wish.version);
    if (found === undefined || old === undefined) return { kind: 'unknown' };
    const { id, comment, by } = wish;
    const baseVersion = found.version;
    const { document } = old;
    return this.#append({ id, document, baseVersion, comment, by, endsCandidate: false });
  }

  /** Adding to the newest document is right whatever it is, so a lost race is run again. */
  async exclude(wish: Parameters<Policies['exclude']>[0]): Promise<PolicyOutcome> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#tryExclude(wish);
      if (outcome.kind !== 'stale' || tries === excludeTriesMax) return outcome;
    }
  }

  async #tryExclude({ id, exclusion, by }: Parameters<Policies['exclude']>[0]) {
    const found = await this.#store.find(id);
    if (found === undefined) return unknown;
    const { exclusions = [], ...rest } = (found.document ?? {}) as Partial<Policy>;
    const made = {
      id: randomUUID(),
      ...exclusion,
      author: by,
      createdAt: new Date(this.#parts.clock()).toISOString(),
    };
    return this.#append({
      id,
      document: { ...rest, exclusions: [...exclusions, made] },
      baseVersion: found.version,
      comment: `Excluded ${exclusion.rule ?? exclusion.category} at ${exclusion.pointer}`,
      by,
      endsCandidate: false,
    });
  }

  async setCandidate(wish: Parameters<Policies['setCandidate']>[0]) {
    const { id } = wish;
    const check = await this.#checkWide(wish, () => this.#stored(id));
    if (check.kind === 'not-valid') return check;
    const since = this.#parts.clock();
    const isSet = await this.#store.setCandidate(id, { document: check.document, since });
    return isSet ? this.#inForce(id) : unknown;
  }

  async dropCandidate(id: string): Promise<PolicyOutcome> {
    return (await this.#store.setCandidate(id, undefined)) ? this.#inForce(id) : unknown;
  }

  async promoteCandidate(wish: Parameters<Policies['promoteCandidate']>[0]) {
    const candidate = (await this.#store.find(wish.id))?.candidate;
    if (candidate === undefined) return unknown;
    return this.#append({ ...wish, document: candidate.document, endsCandidate: true });
  }

  /** Validates a document, and refuses wide exclusions that are new in it and were not accepted. */
  async #checkWide(
    wish: { readonly document: unknown; readonly acceptWide?: boolean },
    stored: () => Promise<readonly PolicyRecord[]>,
  ): Promise<DocumentCheck> {
    const check = await this.check(wish.document);
    if (check.kind === 'not-valid' || wish.acceptWide === true) return check;
    if (newWide(check.document, []).length === 0) return check;
    const problems = newWide(check.document, await stored());
    return problems.length === 0 ? check : { kind: 'not-valid', problems };
  }

  async #stored(id: string): Promise<readonly PolicyRecord[]> {
    const found = await this.find(id);
    return found === undefined ? [] : [found];
  }

  diff(from: Policy, to: Policy) {
    return diffDocuments(from, to);
  }

  shadow(id: string) {
    return this.#parts.shadow(id);
  }

  async #append(
    wish: {
      readonly id: string;
      readonly name?: string | undefined;
      readonly document: unknown;
      readonly baseVersion: number;
      readonly comment: string;
      readonly by: string;
      readonly endsCandidate: boolean;
    },
    checking = this.check(wish.document),
  ): Promise<PolicyOutcome> {
    const check = await checking;
    if (check.kind === 'not-valid') return check;
    const { id, name, baseVersion, comment, by, endsCandidate } = wish;
    const { document } = check;
    const at = this.#parts.clock();
    const version = { id, name, document, baseVersion, comment, by, at, endsCandidate };
    const outcome: AppendOutcome = await this.#store.append(version);
    return outcome.kind === 'appended' ? this.#inForce(id) : outcome;
  }

  /** What was stored counts here before the answer leaves. */
  async #inForce(id: string): Promise<PolicyOutcome> {
    await this.#parts.refresh();
    const found = await this.#store.find(id);
    return found === undefined ? unknown : { kind: 'done', policy: recordOf(found) };
  }
}

const unknown: PolicyOutcome = { kind: 'unknown' };

function recordOf(stored: StoredPolicy): PolicyRecord {
  const { changedAt, changedBy, document, candidate, ...rest } = stored;
  return {
    ...rest,
    document: asPolicy(document),
    updatedAt: changedAt,
    updatedBy: changedBy,
    candidate:
      candidate === undefined
        ? undefined
        : { document: asPolicy(candidate.document), since: candidate.since },
  };
}

/** Filled with today's defaults; a document that is no longer valid is shown as it was written. */
function asPolicy(document: unknown): Policy {
  const check = validateDocument(document);
  return check.kind === 'valid' ? check.document : (document as Policy);
}
