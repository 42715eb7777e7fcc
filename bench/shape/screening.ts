import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { compileShape } from '../../src/shape/compile.ts';
import { readShape } from '../../src/shape/read-shape.ts';

export function shapeOfDocument(text: string): Shape {
  const outcome = readShape(text, { closed: true });
  if (outcome.kind === 'shape') return outcome.shape;
  throw new Error(JSON.stringify(outcome.problems));
}

/** The engine as the service makes it, and the default policy with and without a shape. */
export interface Screening {
  readonly engine: Engine;
  readonly without: Policy;
  readonly withShape: Policy;
}

export function screeningWith(shape: Shape): Screening {
  const engine = createEngine(detectors, compileShape);
  return { engine, without: { ...defaultPolicy }, withShape: { ...defaultPolicy, shape } };
}

/** Whether any of the texts of a request is blocked. */
export function isBlocked(engine: Engine, texts: readonly string[], policy: Policy): boolean {
  return texts.some((body) => {
    const result = engine.screen({ body, context: noContext }, policy);
    return result.kind === 'rejected' || result.verdict.decision === 'block';
  });
}
