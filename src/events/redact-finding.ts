import type { EventFinding } from '../contract/event.ts';
import type { FindingStep } from '../contract/explanation.ts';
import { isSecretPointer } from '../contract/secret-names.ts';
import type { Finding } from '../contract/verdict.ts';
import { type Masked, maskHead, maskPlaces, maskSecrets, maskUserInfo } from './mask.ts';

/**
 * A finding as it may be stored. Of a value that looks secret nothing is left; of others an excerpt
 * round the evidence, without what looks secret beside it.
 */
export function redactFinding(finding: Finding, steps: readonly FindingStep[]): EventFinding {
  // A name is not the value that it stands for.
  if (finding.where !== 'name' && isSecretPointer(finding.pointer)) return hidden(finding);
  const masks = steps.map((step, index) => maskStep(step, index === steps.length - 1, finding));
  if (masks.at(-1)?.hitsKept === true) return hidden(finding);
  // Without steps nothing is known of what stands round the evidence.
  const { evidence } = finding;
  const isAlone = steps.length === 0;
  const lastMasked = masks.findLastIndex(({ isMasked }) => isMasked);
  return {
    ...finding,
    pointer: maskPlaces(finding.pointer),
    evidence: isAlone ? maskSecrets(evidence).text : maskUserInfo(evidence),
    steps: steps.map((step, index) => {
      // The same secret stands in the texts before, encoded: no pattern finds it there.
      if (index < lastMasked) return { ...step, text: '', start: 0, truncated: true };
      return { ...step, text: masks[index]?.text ?? '' };
    }),
  };
}

function maskStep(step: FindingStep, isLast: boolean, finding: Finding): Masked {
  const [from, to] = finding.span;
  const kept = isLast ? ([from - step.start, to - step.start] as const) : ([0, 0] as const);
  const masked = maskSecrets(step.text, kept);
  if (step.start === 0) return masked;
  return { ...masked, text: maskHead(masked.text, kept) };
}

function hidden(finding: Finding): EventFinding {
  const pointer = maskPlaces(finding.pointer);
  return { ...finding, pointer, evidence: '', steps: [], redacted: true };
}
