import type { RuleDescription } from '../../contract/management.ts';
import { type Detector, inCategory, type Rule } from './rule.ts';

/** Only the data of each rule: its judgement is a function. */
export function describeRules(detectors: readonly Detector[]): readonly RuleDescription[] {
  return detectors.flatMap((detector) => detector.rules.map(describeRule));
}

function describeRule(rule: Rule): RuleDescription {
  const { id, category, cwe, severity, score, message, examples, lookalikes } = inCategory(rule);
  return { id, category, cwe, severity, score, message, examples, lookalikes };
}
