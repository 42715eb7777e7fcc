import assert from 'node:assert/strict';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { createEngine, type ScreenResult } from '../../src/core/engine.ts';

const engine = createEngine();

/** What the engine makes of a JSON text. */
export function screenBody(body: string, policy: Policy = defaultPolicy): ScreenResult {
  return engine.screen({ body, context: noContext }, policy);
}

/** The verdict on a value that can be written as JSON. */
export function verdictOn(value: unknown, policy: Policy = defaultPolicy): Verdict {
  const result = screenBody(JSON.stringify(value), policy);
  assert.equal(result.kind, 'verdict');
  return result.verdict;
}

/** True when a text in the one member of a body is blocked. */
export function isBlocked(text: string): boolean {
  return verdictOn({ value: text }).decision === 'block';
}
