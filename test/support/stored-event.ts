import type { StoredEvent } from '../../src/contract/event.ts';

/** An event as it is stored; its id follows its time, as real ones do. */
export function storedEvent(
  { at, number, order = number }: { at: number; number: number; order?: number },
  parts: Partial<StoredEvent> = {},
): StoredEvent {
  const ms = at.toString(16).padStart(12, '0');
  return {
    id: `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${String(order).padStart(12, '0')}`,
    at: new Date(at).toISOString(),
    decision: 'block',
    score: 95,
    threshold: 70,
    category: 'sqli',
    rule: 'sqli.tautology',
    pointer: '/q',
    keyId: 'Abc12345',
    keyName: 'shop',
    policyId: 'default',
    evidence: `' OR ${number}=${number} --`,
    requestId: `req-${number}`,
    policyVersion: 1,
    coverage: { complete: true, bytes: 20, reasons: [] },
    findings: [],
    context: {},
    ...parts,
  };
}
