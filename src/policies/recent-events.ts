import type { EventStore, StoredEvent } from '../contract/event.ts';
import type { RecentEvent, RecentEvents } from '../contract/learnt-shape.ts';
import { limits } from '../contract/limits.ts';

/** The newest events of a policy, with what is needed to check a proposed shape on them. */
export async function recentEvents(
  store: Pick<EventStore, 'stream'>,
  policyId: string,
): Promise<RecentEvents> {
  const events: RecentEvent[] = [];
  for await (const event of store.stream({ policyId })) {
    if (events.length === limits.learntEventsMax) return { events, isComplete: false };
    events.push(recentEvent(event));
  }
  return { events, isComplete: true };
}

function recentEvent(event: StoredEvent): RecentEvent {
  const { method = '', path = '', threshold, triage, context } = event;
  return {
    method,
    path,
    contentType: context.contentType ?? '',
    threshold,
    verdict: triage?.verdict ?? 'open',
    findings: event.findings.map(({ pointer, where, category, score, steps: [raw] }) => ({
      pointer,
      where,
      category,
      score,
      // The rest of a cut value is not known.
      ...(raw === undefined || raw.truncated || raw.text === '' ? {} : { value: raw.text }),
    })),
  };
}
