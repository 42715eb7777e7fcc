import { defaultPolicy } from '../../src/contract/policy.ts';
import type { Log, ScanInput } from '../../src/contract/ports.ts';
import { noContext } from '../../src/contract/request.ts';

const encoder = new TextEncoder();

/** A scan of the given text with no context, the default policy and no deadline. */
export function scanInput(text: string, differing: Partial<ScanInput> = {}): ScanInput {
  return {
    body: encoder.encode(text),
    context: noContext,
    policy: defaultPolicy,
    deadline: Number.POSITIVE_INFINITY,
    ...differing,
  };
}

/** A log that keeps what it is told. */
export function memoryLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  return {
    lines,
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  };
}
