import { Judge } from './judge.ts';
import { shapesOf } from './shapes.ts';
import { SqliteShop } from './sqlite-shop.ts';

/** A value to be judged, as the process receives it. */
export interface Case {
  readonly id: number;
  readonly context: string;
  readonly values: readonly string[];
}

// A statement that never ends can only be ended from outside: this is a separate process.
const judge = new Judge(new SqliteShop());
const shapes = new Map(shapesOf('sqlite').map((shape) => [shape.name, shape]));

process.on('message', async (message) => {
  const { id, context, values } = message as Case;
  const shape = shapes.get(context);
  if (shape === undefined) throw new Error(`No context ${context}.`);
  process.send?.({ id, effect: await judge.judge(shape, values) });
});
process.send?.('ready');
