import type { EventSummary } from '../contract/event.ts';
import type { Hears } from '../contract/notification.ts';
import type { Severity } from '../contract/verdict.ts';

const order: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** 0 to 3; what has no finding is lowest. */
export function severityRank(severity: Severity | undefined): number {
  return severity === undefined ? 0 : order.indexOf(severity);
}

/** Whether a channel is notified of an event. */
export function isHeard(hears: Hears, event: EventSummary): boolean {
  const { policies, categories, severity, monitored } = hears;
  return (
    (monitored || event.decision === 'block') &&
    severityRank(event.severity) >= severityRank(severity) &&
    (policies.length === 0 || policies.includes(event.policyId)) &&
    (categories.length === 0 || categories.includes(event.category))
  );
}
