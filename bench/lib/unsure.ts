import { thresholds } from '../../src/contract/policy.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import {
  type Detector,
  isRequestRule,
  isShapeRule,
  type Match,
  type Rule,
} from '../../src/core/rules/rule.ts';

/** The score of what blocks at every sensitivity, where it is not to end the decoding. */
export const nearlyDecided: number = thresholds[1] - 0.5;

/** All rules, none so sure that decoding ends: every reading of a request is screened. */
export const unsureDetectors: readonly Detector[] = detectors.map(({ category, rules }) => ({
  category,
  rules: rules.map(capped),
}));

function capped<One extends Rule>(rule: One): One {
  const score = Math.min(rule.score, nearlyDecided);
  const capMatch = <Found extends Match>(match: Found | undefined): Found | undefined =>
    match?.score === undefined ? match : { ...match, score: Math.min(match.score, nearlyDecided) };
  if (isShapeRule(rule)) return { ...rule, score };
  if (isRequestRule(rule))
    return { ...rule, score, judgeRequest: (...by) => capMatch(rule.judgeRequest(...by)) };
  return { ...rule, score, judge: (subject) => capMatch(rule.judge(subject)) };
}
