import type { Act } from '../../../contract/acts.ts';
import { plainName } from '../../../contract/admin.ts';
import type { EventSummary } from '../../../contract/event.ts';
import type { KeyEntry } from '../../../contract/key-directory.ts';
import type { Management } from '../../../contract/management.ts';
import type { CandidateRecord, PolicyRecord } from '../../../contract/policies.ts';
import type { ApiCall } from '../api-route.ts';

/** The administrator or the invited user that a path names, as the audit has the name. */
export function nameIn({ params }: Pick<ApiCall, 'params'>): string {
  return plainName(params['name'] ?? '');
}

/** A time as JSON has it. */
export function isoTime(moment: number): string {
  return new Date(moment).toISOString();
}

/** Members that have a value; the others are left out, never null. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}

type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

function isoTimeOf(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : isoTime(moment);
}

/** Names of policies by id. */
export async function policyNames(parts: Management): Promise<ReadonlyMap<string, string>> {
  return new Map((await parts.policies.list()).map(({ id, name }) => [id, name]));
}

export function keyShape(key: KeyEntry, policies: ReadonlyMap<string, string>): object {
  const { id, name, kind, state, policyId, sunsetAt, scopes, networks, lastClient } = key;
  return {
    id,
    name,
    kind,
    state,
    createdAt: isoTime(key.createdAt),
    policyId,
    policyName: policies.get(policyId) ?? policyId,
    prefix: `sp_${kind}_${id}_`,
    scopes,
    networks,
    ...present({
      expiresAt: isoTimeOf(key.expiresAt),
      lastUsedAt: isoTimeOf(key.lastUsedAt),
      lastClient,
      revokedAt: isoTimeOf(key.revokedAt),
      rotation: sunsetAt === undefined ? undefined : { sunsetAt: isoTime(sunsetAt) },
    }),
  };
}

export function candidateShape(candidate: CandidateRecord): object {
  return { document: candidate.document, since: isoTime(candidate.since) };
}

export function policyShape(policy: PolicyRecord): object {
  const { id, name, version, hash, document, updatedBy, comment, keys, candidate } = policy;
  return {
    id,
    name,
    version,
    hash,
    document,
    updatedAt: isoTime(policy.updatedAt),
    updatedBy,
    comment,
    keys: keys.map((key) => ({ id: key.id, name: key.name })),
    ...present({ candidate: candidate && candidateShape(candidate) }),
  };
}

/** What a list shows of an event. */
export function summaryOf(event: EventSummary): EventSummary {
  const { id, at, decision, score, threshold, category, rule, pointer } = event;
  const { keyId, keyName, policyId, evidence, severity, method, host, path } = event;
  const { client, country, asn, asName } = event;
  const all = { id, at, decision, score, threshold, category, rule, pointer };
  const optional = present({ severity, method, host, path, client, country, asn, asName });
  return { ...all, keyId, keyName, policyId, evidence, ...optional };
}

/** Adds what a call did to the audit. */
export async function note(
  call: Pick<ApiCall, 'actor' | 'address'>,
  parts: Management,
  act: Act,
): Promise<void> {
  const { actor, address } = call;
  await parts.audit.append({ actor, address, ...act }, parts.clock());
}

/** Adds to the audit that a policy has a new version, with what differs from the one before. */
export async function notePolicy(
  call: Pick<ApiCall, 'actor' | 'address'>,
  parts: Management,
  act: { readonly action: string; readonly summary: string; readonly policy: PolicyRecord },
): Promise<void> {
  const { action, summary, policy } = act;
  const versions = (await parts.policies.versions(policy.id)) ?? [];
  const before = versions.find(({ version }) => version === policy.version - 1);
  const differences =
    before === undefined ? [] : parts.policies.diff(before.document, policy.document);
  const changes = differences.map(({ op: _op, pointer, ...values }) => ({
    field: pointer,
    ...values,
  }));
  await note(call, parts, { action, target: policy.id, summary, changes });
}
