import type { CoverageReason } from '../../contract/limits.ts';
import { type Policy, thresholds } from '../../contract/policy.ts';
import type { Coverage, Finding, Verdict } from '../../contract/verdict.ts';

const independentBonus = 3;
const bonusMax = 9;

/**
 * The strongest finding, plus a small bonus for each further category that was found with at least
 * half of full confidence. Never a sum: a long benign text must not add up to a block.
 */
export function scoreOf(findings: readonly Finding[]): number {
  let strongest: Finding | undefined;
  for (const finding of findings) {
    if (strongest === undefined || finding.score > strongest.score) strongest = finding;
  }
  if (strongest === undefined) return 0;
  const others = new Set<string>();
  for (const finding of findings) {
    if (finding.score >= 50 && finding.category !== strongest.category)
      others.add(finding.category);
  }
  return Math.min(100, strongest.score + Math.min(bonusMax, others.size * independentBonus));
}

/** Joins findings and coverage to a verdict by the policy's sensitivity. */
export function judgeFindings(
  findings: Finding[],
  reasons: ReadonlySet<CoverageReason>,
  bytes: number,
  policy: Policy,
): Verdict {
  findings.sort((a, b) => b.score - a.score);
  const score = scoreOf(findings);
  const threshold = thresholds[policy.sensitivity];
  const coverage: Coverage = { complete: reasons.size === 0, bytes, reasons: [...reasons] };
  const block = score >= threshold || (!coverage.complete && policy.onIncomplete === 'block');
  return { decision: block ? 'block' : 'allow', score, threshold, findings, coverage };
}
