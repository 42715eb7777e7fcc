import { reads } from './reads.ts';
import type { Shape } from './shape.ts';
import type { Dialect } from './shop.ts';
import { guarded, pairs, writes } from './writes.ts';

const shapes: readonly Shape[] = [...reads, ...pairs, ...writes, ...guarded];

/** The statements that a dialect knows. */
export function shapesOf(dialect: Dialect): readonly Shape[] {
  return shapes.filter(({ dialects }) => dialects.includes(dialect));
}
