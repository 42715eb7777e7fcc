import { type Category, categoryTitle } from '../../../contract/category.ts';
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

export function titleOf(category: Category): string {
  return category === 'other' ? 'Other attack' : categoryTitle[category];
}
