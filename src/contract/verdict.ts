import type { Category } from './category.ts';
import type { CoverageLimit, CoverageReason } from './limits.ts';

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** Where the evidence stands: in a value, in a member name, or in a context header. */
export type Where = 'value' | 'name' | 'context';

export interface Finding {
  readonly category: Category;
  /** `<category>.<name>`; `sallyport rules` lists them all. */
  readonly rule: string;
  /** `CWE-<number>`, https://cwe.mitre.org */
  readonly cwe: string;
  readonly severity: Severity;
  /**
   * RFC 6901 JSON pointer of the member in the request body. A context header has the pointer of
   * the member that our clients would use for it, such as `/header.cookie`. Beyond
   * `limits.pointerCharsMax` it is cut in the middle, where `…` then stands.
   */
  readonly pointer: string;
  readonly where: Where;
  /**
   * Decodings that lead from the raw text to the text that `span` counts in, first applied first.
   */
  readonly decoded: readonly string[];
  /** Start and end offset of the evidence in the decoded text, in UTF-16 code units. */
  readonly span: readonly [start: number, end: number];
  /** The decoded text from start to end. */
  readonly evidence: string;
  /** Confidence, 0 to 100. */
  readonly score: number;
  readonly message: string;
}

/** How much of the request was looked at. */
export interface Coverage {
  readonly complete: boolean;
  /** Bytes of the request body, UTF-8. */
  readonly bytes: number;
  /** Why not all of it; empty when complete. */
  readonly reasons: readonly CoverageReason[];
}

/** The limits that cut something off. */
export function limitsReached({ reasons }: Pick<Coverage, 'reasons'>): readonly CoverageLimit[] {
  return reasons.filter((reason) => reason !== 'decided');
}

/** Says that `decided` is among the reasons. */
export const decidedText =
  'Decoding ended at a finding that blocks at every sensitivity: more may be encoded in the request.';

/** What the core says of one request. */
export interface Verdict {
  readonly decision: 'allow' | 'block';
  /** 0 to 100: the strongest finding plus a small bonus for independent ones. */
  readonly score: number;
  /** The key's threshold that the score was compared with. */
  readonly threshold: number;
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
}
