import type { BlockedClient, BlockRecord, Log } from '../../contract/ports.ts';
import type { Finding } from '../../contract/verdict.ts';

/** What the log gets of a block: no value of the request. */
export type BlockLine = Pick<
  BlockRecord,
  | 'decisionId'
  | 'requestId'
  | 'traceId'
  | 'keyId'
  | 'policyId'
  | 'policyVersion'
  | 'verdict'
  | 'monitored'
>;

const pointerCharsMax = 200;
/** A name that no person has given: a key, a token, a digest. */
const randomName = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w-])/gi;
/** Stands for a member name that is the evidence itself. */
const hiddenName = '/[name]';

/** One line per block: where, why and from whom, and no value of the request. */
export function createDecisionLog(log: Log): {
  blocked(record: BlockLine, client?: BlockedClient): void;
} {
  return {
    blocked(record, client = {}) {
      log.info({ ...fieldsOf(record), ...client }, record.monitored ? 'would block' : 'blocked');
    },
  };
}

/** An alert in the words of ECS; what it has no field for stands below `sallyport`. */
function fieldsOf(record: BlockLine): Record<string, unknown> {
  const { verdict, monitored } = record;
  const [strongest] = verdict.findings;
  return {
    event: {
      kind: 'alert',
      category: ['intrusion_detection'],
      type: [monitored ? 'allowed' : 'denied'],
      action: monitored ? 'would-block' : 'block',
      outcome: 'success',
      risk_score: verdict.score,
    },
    decisionId: record.decisionId,
    requestId: record.requestId,
    traceId: record.traceId,
    keyId: record.keyId,
    policyId: record.policyId,
    policyVersion: record.policyVersion,
    findings: verdict.findings.length,
    ...(strongest === undefined
      ? { incomplete: verdict.coverage.reasons }
      : {
          rule: {
            id: strongest.rule,
            category: strongest.category,
            description: strongest.message,
            reference: cweLink(strongest.cwe),
          },
          pointer: safePointer(strongest, verdict.findings),
          decodings: strongest.decoded,
        }),
  };
}

/** `CWE-89` as the address of its page. */
function cweLink(cwe: string): string {
  return `https://cwe.mitre.org/data/definitions/${cwe.replace('CWE-', '')}.html`;
}

/** The pointer without names that are evidence: what an attacker wrote is not logged. */
function safePointer(finding: Finding, findings: readonly Finding[]): string {
  let pointer = finding.pointer;
  const names = findings.filter(({ where }) => where === 'name').map((other) => other.pointer);
  // Deepest first, so that those above it are still found at the head of the pointer.
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (pointer !== name && !pointer.startsWith(`${name}/`)) continue;
    pointer = name.slice(0, name.lastIndexOf('/')) + hiddenName + pointer.slice(name.length);
  }
  pointer = pointer.replace(randomName, hiddenName.slice(1));
  return pointer.length > pointerCharsMax ? `${pointer.slice(0, pointerCharsMax)}…` : pointer;
}
