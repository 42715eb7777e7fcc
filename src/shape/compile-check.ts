import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { Shape } from '../contract/shape.ts';
import type { ShapeOptions, ShapeOutcome } from '../contract/shape-reader.ts';
import { compileAll } from './compile.ts';
import { readShape, shapeOf } from './read-shape.ts';

/** A document, or a shape that is to be stored. */
export type ShapeTask =
  | { readonly kind: 'read'; readonly text: string; readonly options: ShapeOptions }
  | { readonly kind: 'check'; readonly shape: unknown };

/** Reads a document and compiles all of it, as the screening threads will. Never throws. */
export function readAndCompile(task: ShapeTask): ShapeOutcome {
  const outcome = task.kind === 'read' ? readShape(task.text, task.options) : shapeOf(task.shape);
  if (outcome.kind === 'not-valid') return outcome;
  const problem = compileProblem(outcome.shape);
  return problem === undefined ? outcome : { kind: 'not-valid', problems: [problem] };
}

/**
 * Processor time of this thread, where Node says it (from 22.19 on): on a busy machine each
 * operation seems slow by the clock.
 */
function usedMs(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function compileProblem(shape: Shape): PolicyProblem | undefined {
  const { shapeOperationMsMax } = limits;
  let startedAt = usedMs();
  let pointer = '';
  try {
    for (const compiled of compileAll(shape)) {
      pointer = compiled;
      const tookMs = usedMs() - startedAt;
      if (tookMs > shapeOperationMsMax) {
        const took = `takes ${Math.round(tookMs)} ms to compile, at most ${shapeOperationMsMax}`;
        return { pointer, message: `${took} are allowed; use simpler schemas, or $ref` };
      }
      startedAt = usedMs();
    }
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { pointer, message: `cannot be compiled: ${reason}` };
  }
}
