import type { Piscina } from 'piscina';

type Options = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type Choose = NonNullable<Options['loadBalancer']>;
type Description = Parameters<Choose>[1][number];

/** Those that are kept by what they describe. */
const kept = new WeakSet<Description>();

/**
 * Chooses among the workers of a Piscina that has one. For each task Piscina describes its workers
 * anew, in objects with getters, and V8 makes a hidden class for each: only an old-space GC frees
 * them, and its helper threads stall the process for milliseconds. The getters return the same
 * whenever they are made, so the first description is kept for all tasks.
 */
export const onlyWorker: Choose = (_task, [description]) => {
  if (description === undefined) return null;
  if (!kept.has(description)) keep(description);
  return description;
};

function keep(description: Description): void {
  kept.add(description);
  for (const key of Object.getOwnPropertySymbols(description)) {
    const worker: unknown = Reflect.get(description, key);
    if (typeof worker !== 'object' || worker === null || !('interface' in worker)) continue;
    Object.defineProperty(worker, 'interface', { value: description });
  }
}
