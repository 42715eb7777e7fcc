import { reads } from './sql-reads.ts';
import type { Shape } from './sql-shape.ts';
import type { Dialect } from './sql-shop.ts';
import { guarded, pairs, writes } from './sql-writes.ts';

const shapes: readonly Shape[] = [...reads, ...pairs, ...writes, ...guarded];

/** The statements that a dialect knows. */
export function shapesOf(dialect: Dialect): readonly Shape[] {
  return shapes.filter(({ dialects }) => dialects.includes(dialect));
}
