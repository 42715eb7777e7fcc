import type { StoredEvent } from '../../../src/contract/event.ts';

let made = 0;

/** An event as the writer makes them. */
export function storedEvent(parts: Partial<StoredEvent> = {}): StoredEvent {
  made += 1;
  return {
    id: `01970000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    at: '2030-01-02T03:04:05.678Z',
    decision: 'block',
    score: 92,
    threshold: 70,
    category: 'sqli',
    rule: 'sqli.tautology',
    pointer: '/q',
    evidence: "' or 1=1 --",
    keyId: 'Abc12345',
    keyName: 'shop',
    policyId: 'default',
    requestId: 'r-1',
    policyVersion: 3,
    coverage: { complete: true, bytes: 20, reasons: [] },
    findings: [
      {
        category: 'sqli',
        rule: 'sqli.tautology',
        cwe: 'CWE-89',
        severity: 'critical',
        pointer: '/q',
        where: 'value',
        decoded: [],
        span: [0, 11],
        evidence: "' or 1=1 --",
        score: 92,
        message: 'adds a condition that is always true',
        steps: [{ decoder: '', text: "' or 1=1 --", start: 0, truncated: false }],
      },
    ],
    context: {},
    ...parts,
  };
}
