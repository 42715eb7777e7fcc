import type { EventContext, EventFinding, StoredEvent } from '../contract/event.ts';
import type { ExplainedFinding } from '../contract/explanation.ts';
import type { BlockFacts, BlockRecord } from '../contract/ports.ts';
import { contextParts, type RequestContext } from '../contract/request.ts';
import type { Finding } from '../contract/verdict.ts';
import { boundEvent } from './bound-event.ts';
import { eventBytes } from './event-rows.ts';
import { maskPlaces, maskSecrets } from './mask.ts';
import { membersOf } from './members-of.ts';
import { redactFinding } from './redact-finding.ts';

const contextCharsMax = 512;
/** Parts of the context that are paths or URLs. */
const places: ReadonlySet<string> = new Set(['uri', 'referer']);

/** A block without the policy that it was screened with. */
export type BareRecord = Omit<BlockRecord, 'policy'>;

/**
 * The event of a block, without secrets. `explained`: the findings with their steps; empty when
 * there was no time for that. Masking takes milliseconds where an attacker wrote the texts: with
 * steps it is work for a screening thread.
 */
export function eventOf(
  record: BareRecord,
  facts: BlockFacts,
  explained: readonly ExplainedFinding[] = [],
): StoredEvent {
  const { verdict } = record;
  const findings = verdict.findings.map((finding) =>
    redactFinding(finding, stepsOf(finding, explained)),
  );
  const context = contextOf(record, facts.client);
  const { method, host, uri: path, client } = context;
  const event: StoredEvent = {
    id: record.decisionId,
    at: new Date(facts.at).toISOString(),
    decision: record.monitored ? 'would-block' : 'block',
    score: verdict.score,
    threshold: verdict.threshold,
    ...headline(findings[0]),
    keyId: record.keyId,
    keyName: facts.keyName,
    policyId: record.policyId,
    ...(method === undefined ? {} : { method }),
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(client === undefined ? {} : { client }),
    requestId: record.requestId,
    ...(record.traceId === undefined ? {} : { traceId: record.traceId }),
    policyVersion: record.policyVersion,
    coverage: verdict.coverage,
    findings,
    context,
  };
  return boundEvent(event, eventBytes);
}

/** What a list says of the strongest finding; a block without any was not screened completely. */
function headline(strongest: EventFinding | undefined) {
  if (strongest === undefined) {
    return { category: 'other' as const, rule: 'incomplete', pointer: '', evidence: '' };
  }
  const { category, rule, severity, pointer, evidence } = strongest;
  return { category, rule, severity, pointer, evidence };
}

function stepsOf(finding: Finding, explained: readonly ExplainedFinding[]) {
  const same = explained.find(
    ({ rule, pointer, where }) =>
      rule === finding.rule && pointer === finding.pointer && where === finding.where,
  );
  return same?.steps ?? [];
}

function contextOf(record: BareRecord, known: string | undefined): EventContext {
  const members = membersOf(record.body);
  const given = (part: keyof RequestContext): string | undefined => {
    const member = contextParts.find((one) => one.part === part)?.member ?? '';
    const text = record.context[part] || members[member];
    if (typeof text !== 'string' || text === '') return undefined;
    const shown = text.slice(0, contextCharsMax);
    return places.has(part) ? maskPlaces(shown) : maskSecrets(shown).text;
  };
  const context = {
    method: given('method'),
    proto: given('proto'),
    host: given('host'),
    uri: given('uri'),
    client: known ?? given('for')?.split(',')[0]?.trim(),
    origin: given('origin'),
    referer: given('referer'),
    secFetchSite: given('secFetchSite'),
    contentType: given('contentType'),
  };
  return Object.fromEntries(
    Object.entries(context).filter(([, value]) => value !== undefined),
  ) as EventContext;
}
