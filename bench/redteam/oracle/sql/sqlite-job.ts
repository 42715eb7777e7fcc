import { Judge } from './judge.ts';
import { shapesOf } from './shapes.ts';
import { SqliteShop } from './sqlite-shop.ts';

/** A value to be judged, as the process receives it. */
export interface Case {
  readonly id: number;
  readonly context: string;
  readonly values: readonly string[];
  /** Whether the answer of the application is wanted, and not the effect alone. */
  readonly isShown: boolean;
}

// A statement that never ends can only be ended from outside: this is a separate process.
const judge = new Judge(new SqliteShop());
const shapes = new Map(shapesOf('sqlite').map((shape) => [shape.name, shape]));

process.on('message', async (message) => {
  const { id, context, values, isShown } = message as Case;
  const shape = shapes.get(context);
  if (shape === undefined) throw new Error(`No context ${context}.`);
  const reply = isShown
    ? await judge.reply(shape, values)
    : { effect: await judge.judge(shape, values), text: '' };
  process.send?.({ id, reply });
});
process.send?.('ready');
