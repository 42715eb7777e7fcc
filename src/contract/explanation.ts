import type { BodyFault } from './errors.ts';
import type { Policy } from './policy.ts';
import type { RequestContext } from './request.ts';
import type { Finding, Verdict, Where } from './verdict.ts';

/**
 * One text on the way to the evidence of a finding: an excerpt round it. The first is the raw value
 * (decoder `''`), each next one the text after one more decoding; the last holds the span.
 */
export interface FindingStep {
  readonly decoder: string;
  readonly text: string;
  /** Offset of the excerpt in the whole text. */
  readonly start: number;
  /** Whether the text goes on before or after the excerpt. */
  readonly truncated: boolean;
}

export interface ExplainedFinding extends Finding {
  readonly steps: readonly FindingStep[];
}

export interface ExplainedVerdict extends Verdict {
  readonly findings: readonly ExplainedFinding[];
}

/** One view of a field: what was decoded to get it, and what was asked of it. */
export interface ExplainedView {
  readonly decoded: readonly string[];
  readonly text: string;
  /** The rules whose trigger it held. */
  readonly rulesAsked: readonly string[];
  /** Indices in `verdict.findings`. */
  readonly findings: readonly number[];
}

/** A member name or a value, as the core saw it. */
export interface ExplainedField {
  readonly pointer: string;
  readonly where: Where;
  readonly text: string;
  readonly views: readonly ExplainedView[];
}

/** A verdict, and how the core came to it. Texts are cut to `limits.explainTextCharsMax`. */
export interface Explanation {
  readonly verdict: ExplainedVerdict;
  /** Empty when only findings were asked for. */
  readonly fields: readonly ExplainedField[];
  /** The work that it took, in characters read. */
  readonly steps: number;
  /** Whether fields, views or texts were left out or cut. */
  readonly truncated: boolean;
}

/**
 * What to explain. `fields`: everything; `findings`: the steps of each finding; `verdict`: neither,
 * the verdict alone.
 */
export interface ExplainInput {
  /** UTF-8 JSON text. */
  readonly body: Uint8Array;
  readonly context: RequestContext;
  readonly policy: Policy;
  readonly depth: 'fields' | 'findings' | 'verdict';
}

/** What became of it. It never throws and is always answered. */
export type ExplainOutcome =
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  /** The text is not an acceptable body. */
  | { readonly kind: 'rejected'; readonly fault: BodyFault }
  /** Requests come first, and there was no room or no time left for this. */
  | {
      readonly kind: 'refused';
      readonly reason: 'overloaded' | 'draining' | 'worker-lost' | 'body-too-large';
    }
  /** A defect of ours; `detail` is for the log. */
  | { readonly kind: 'failed'; readonly detail: string };

/** One thing that is wrong with a policy document. */
export interface PolicyProblem {
  /** RFC 6901 pointer into the document. */
  readonly pointer: string;
  /** What is wrong and what to do. */
  readonly message: string;
}
