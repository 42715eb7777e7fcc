import type { Hole, Shape } from '../../oracle/sql/shape.ts';
import type { Made } from './productions.ts';
import type { Speaker } from './speaker.ts';

/** A value that becomes a column of a new row. */
export function insertValue(say: Speaker, shape: Shape, hole: Hole, benign: string): Made {
  const { random } = say;
  const { quote, row, close } = hole;
  if (row === undefined) throw new Error(`${shape.name} does not say which row it makes.`);
  if (random.chance(35)) return inner(say, hole, benign);
  const other = (values: readonly string[]) =>
    values.map((value) =>
      value === '7' ? String(1 + random.below(6)) : value === '0' ? '1' : value,
    );
  const before = other(row.before);
  const behind = other(row.behind);
  const filled = (text: string) =>
    quote === '' ? String(random.below(99)) : `${quote}${text}${quote}`;
  const list = (values: readonly string[]) => values.join(random.pick([',', ', ']));
  if (row.behind.length > 0 && random.chance(40)) {
    return {
      kind: 'insert/columns',
      value: `${benign}${quote}, ${list(behind.map((value) => (value === "'new'" ? "'paid'" : value)))})${say.terminator()}`,
    };
  }
  const next = list([...before, filled(say.word()), ...behind]);
  if (quote !== '' && row.behind.length === 0 && random.chance(50)) {
    return { kind: 'insert/rows', value: `${benign}${quote}${close},(${next.slice(0, -2)}` };
  }
  const secret = list([
    ...row.before,
    quote === '' ? `(${say.secret('int')})` : `(${say.secret('text')})`,
    ...row.behind,
  ]);
  return {
    kind: 'insert/rows',
    value: `${benign}${quote}${close},(${random.pick([next, secret])})${say.terminator()}`,
  };
}

/** A value that a column is set to. */
export function setValue(say: Speaker, shape: Shape, hole: Hole, benign: string): Made {
  const { random } = say;
  const { quote } = hole;
  if (random.chance(35)) return inner(say, hole, benign);
  const isUser = shape.mine?.table === 'users';
  const more = isUser
    ? random.pick([
        `role=${say.string('admin')}`,
        `pin=${random.below(999)}`,
        `password=${say.string(say.word())}`,
      ])
    : random.pick([`status=${say.string('paid')}`, `owner=${1 + random.below(6)}`]);
  const where = random.pick([`id=${isUser ? 1 + random.below(6) : 20}`, say.tautology(), 'id>0']);
  const forms: readonly (readonly [string, string])[] = [
    ['update/all', `${benign}${quote}${say.terminator()}`],
    ['update/where', `${benign}${quote}${say.k(' WHERE ')}${where}${say.terminator()}`],
    [
      'update/column',
      `${benign}${quote}, ${more}${say.k(' WHERE ')}id=${isUser ? 7 : 1}${say.terminator()}`,
    ],
    [
      'update/column',
      quote === '' ? `${benign}, ${more}` : `${benign}${quote},${more.replace(/'$/, '')}`,
    ],
  ];
  const [kind, value] = random.pick(forms);
  return { kind, value };
}

/** A secret becomes part of the value. */
function inner(say: Speaker, { quote }: Hole, benign: string): Made {
  const { random } = say;
  if (quote === '') {
    return {
      kind: 'write/secret',
      value: random.pick([
        `(${say.secret('int')})`,
        `length((${say.secret('text')}))`,
        `(${say.delay()})`,
        say.error(),
      ]),
    };
  }
  if (say.dialect === 'mariadb') {
    const value = random.pick([
      `${quote}+(${say.secret('int')})+${quote}`,
      `${quote}-ascii((${say.secret('text')}))-${quote}0`,
      `${random.below(9)}${quote}^(${say.secret('int')})^${quote}0`,
      `${quote}+${say.delay()}+${quote}`,
      `${quote}+${say.error()}+${quote}`,
    ]);
    return { kind: 'write/secret', value };
  }
  const secret = random.pick([
    `(${say.secret('text')})`,
    `(${say.secret('int')})`,
    `(${say.error()})`,
  ]);
  return { kind: 'write/secret', value: `${benign}${quote}||${secret}||${quote}` };
}
