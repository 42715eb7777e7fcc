import type { Random } from '../../lib/random.ts';
import type { Attack, Grammar } from '../contract.ts';
import { decoders } from '../oracle/sql/decoders.ts';
import type { Hole, Shape } from '../oracle/sql/shape.ts';
import { shapesOf } from '../oracle/sql/shapes.ts';
import type { Dialect } from '../oracle/sql/shop.ts';
import {
  columnValue,
  commentValue,
  conditionValue,
  limitValue,
  type Made,
  orderValue,
  tableValue,
} from './sql/productions.ts';
import { Speaker } from './sql/speaker.ts';
import { sqlmapValue } from './sql/sqlmap-payloads.ts';
import { insertValue, setValue } from './sql/write-values.ts';

/** Injections into SQL, in the dialect of the oracle, for the place where the value stands. */
export const sql: Grammar = {
  language: 'sql',
  attack(random, oracle, context) {
    const dialect = oracle.name as Dialect;
    const shape = shapesOf(dialect).find(({ name }) => name === context.name);
    if (shape === undefined) throw new Error(`${oracle.name} has no context ${context.name}.`);
    return shape.holes.length === 2 && random.chance(30)
      ? pairAttack(random, dialect, shape)
      : singleAttack(random, dialect, shape);
  },
};

function singleAttack(random: Random, dialect: Dialect, shape: Shape): Attack {
  const attacked = random.below(shape.holes.length);
  const hole = holeOf(shape, attacked);
  const say = new Speaker(random, dialect, hole.guard !== 'doubled' || hole.decoder !== undefined);
  const benign = benignFor(shape, hole, attacked, random);
  // What a real tool sends is one kind among the others.
  const tool = random.chance(15) ? sqlmapValue(say, shape, hole, benign) : undefined;
  const { kind, value } = tool ?? makers[hole.clause](say, shape, hole, benign);
  // Most decoders take plain text as well; a rewriter may encode it later.
  const isPlain = hole.decoder !== 'base64' && hole.guard === undefined && random.chance(60);
  const encoded =
    hole.decoder === undefined || isPlain ? value : decoders[hole.decoder].encode(value);
  const values = shape.benign.map((text, i) => {
    if (i === attacked) return encoded;
    return random.chance(50) || shape.holes[i]?.quote === '' ? text : say.word();
  });
  return { kind: `${kind}/${hole.clause}`, values };
}

const makers: Readonly<
  Record<Hole['clause'], (say: Speaker, shape: Shape, hole: Hole, benign: string) => Made>
> = {
  where: conditionValue,
  having: conditionValue,
  order: orderValue,
  limit: limitValue,
  column: columnValue,
  table: tableValue,
  comment: commentValue,
  values: insertValue,
  set: setValue,
};

/** What a benign user would send: a blind condition shows only where rows come otherwise. */
function benignFor(shape: Shape, hole: Hole, at: number, random: Random): string {
  const isAccount = shape.name.startsWith('log-in');
  if (isAccount && hole.quote !== '') return random.pick(['admin', 'bruno', 'alice']);
  const text = shape.benign[at] ?? '';
  return hole.decoder === 'base64' ? decoders.base64.decode(text) : text;
}

/** The first value opens what the second one closes. */
function pairAttack(random: Random, dialect: Dialect, shape: Shape): Attack {
  const [first, second] = [holeOf(shape, 0), holeOf(shape, 1)];
  const say = new Speaker(random, dialect, second.quote !== "'");
  const condition = say.k(
    random.pick([
      ` OR ${say.tautology()}`,
      ` ${say.union(shape.columns)}`,
      ` OR ${say.condition()}`,
    ]),
  );
  const start = first.quote === '' ? '0' : say.word();
  if (dialect === 'mariadb' && first.quote === "'" && second.quote === "'" && random.chance(50)) {
    return { kind: 'pair/backslash', values: [`${start}\\`, `${condition}${say.terminator()}`] };
  }
  const inside = random.chance(50) ? '' : say.name();
  return {
    kind: 'pair/comment',
    values: [
      `${start}${first.quote}${first.close}/*${inside}`,
      `${inside}*/${condition}${say.terminator()}`,
    ],
  };
}

function holeOf(shape: Shape, at: number): Hole {
  const hole = shape.holes[at];
  if (hole === undefined) throw new Error(`${shape.name} has no hole ${at}.`);
  return hole;
}
