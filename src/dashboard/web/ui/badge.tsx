import { type Category, categoryTitle } from '../../../contract/category.ts';
import type { Triage, TriageVerdict } from '../../../contract/event.ts';
import type { Severity } from '../../../contract/verdict.ts';

const decisions = {
  block: 'Blocked',
  'would-block': 'Would block',
  allow: 'Allowed',
} as const;

export function DecisionBadge({ decision }: { readonly decision: keyof typeof decisions }) {
  return <span class={`badge ${decision}`}>{decisions[decision]}</span>;
}

const keyStates = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

export function KeyStateBadge({ state }: { readonly state: keyof typeof keyStates }) {
  return <span class={`badge ${state}`}>{keyStates[state]}</span>;
}

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return <span class={`badge severity-${severity}`}>{severity}</span>;
}

export const triageNames: Readonly<Record<TriageVerdict, string>> = {
  open: 'Open',
  'true-positive': 'True positive',
  'false-positive': 'False positive',
};

/** What people made of an event, and who looks after it; nothing before anyone did. */
export function TriageBadge({ triage }: { readonly triage: Triage | undefined }) {
  if (triage === undefined) return null;
  const { verdict, owner } = triage;
  return (
    <small class={`triage ${verdict}`}>
      {triageNames[verdict]}
      {owner === '' ? '' : ` · ${owner}`}
    </small>
  );
}

export function titleOf(category: Category): string {
  return category === 'other' ? 'Other attack' : categoryTitle[category];
}
