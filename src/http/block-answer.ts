import { categoryTitle } from '../contract/category.ts';
import { errorCatalogue, problemType } from '../contract/errors.ts';
import type { DetailLevel, Policy } from '../contract/policy.ts';
import type { Finding, Verdict } from '../contract/verdict.ts';
import type { BlockTexts } from '../contract/written-block.ts';

type AnswerTexts = Pick<BlockTexts, 'answerHead' | 'answerTail'>;

/** The answer to a request whose verdict is to block, without its id. */
export function answerTexts(policy: Policy, verdict: Verdict): AnswerTexts {
  return policy.mode === 'block'
    ? refusalTexts(policy.detail, verdict)
    : { answerHead: '{', answerTail: membersOf(wouldBlock(policy, verdict)) };
}

function refusalTexts(level: DetailLevel, verdict: Verdict): AnswerTexts {
  const { status, title, advice } = errorCatalogue['threat-detected'];
  const { decision, score, threshold, findings, coverage } = verdict;
  const isMinimal = level === 'minimal';
  const detail = isMinimal ? advice : blockDetail(verdict);
  const members = isMinimal
    ? { decision, score }
    : { decision, score, threshold, findings: shownFindings(level, findings), coverage };
  const type = problemType('threat-detected');
  return {
    answerHead: `{${membersOf({ type, title, status, detail })},`,
    answerTail: membersOf(members),
  };
}

/** In monitor mode the request passes, and the answer says what would have become of it. */
function wouldBlock({ detail }: Policy, { decision, score, findings, coverage }: Verdict) {
  const shown = shownFindings(detail, findings);
  return { decision: 'allow', would: decision, score, findings: shown, coverage };
}

function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** One sentence: what was found, and where. */
export function blockDetail(verdict: Verdict): string {
  const strongest = verdict.findings[0];
  if (strongest === undefined) {
    const reasons = verdict.coverage.reasons.join(', ');
    return `Not screened completely (${reasons}), and this key blocks such requests.`;
  }
  const place = strongest.pointer === '' ? 'the request' : strongest.pointer;
  const part = strongest.where === 'name' ? 'the field name of ' : '';
  return `${categoryTitle[strongest.category]} in ${part}${place}`;
}

/** Findings as the policy lets them be shown to callers. */
export function shownFindings(level: DetailLevel, findings: readonly Finding[]): readonly object[] {
  if (level === 'full') return findings;
  if (level === 'minimal') return [];
  return findings.map(({ evidence: _evidence, span: _span, ...shown }) => shown);
}
