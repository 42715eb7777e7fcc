import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statsRoutes } from '../../../src/http/api/routes/stats.ts';
import { bodyValidator, routeValidator } from '../../../src/http/api/validate.ts';

const check = bodyValidator({
  type: 'object',
  required: ['a'],
  additionalProperties: false,
  properties: {
    a: { type: 'string', enum: ['x', 'y'] },
    at: { type: 'string', format: 'date-time' },
    name: { type: 'string', pattern: '^[a-z]+$' },
    either: { oneOf: [{ type: 'number' }, { type: 'boolean' }] },
    most: { type: 'number', maximum: 3 },
  },
});

const bad: readonly (readonly [body: object, pointer: string, message: string])[] = [
  [{}, '/a', 'is missing'],
  [{ a: 'x', b: 1 }, '/b', 'is not a known field; remove it'],
  [{ a: 'z' }, '/a', 'must be one of x,y'],
  [{ a: 'x', at: '2030-12-31' }, '/at', 'must be a time such as 2030-12-31T18:00:00Z'],
  [{ a: 'x', at: '2030-19-31T18:00:00Z' }, '/at', 'must be a time such as 2030-12-31T18:00:00Z'],
  [{ a: 'x', name: 'A' }, '/name', 'must be printable text'],
  [{ a: 'x', most: 4 }, '/most', 'must be <= 3'],
];

test('what is wrong with a body is named by its place', () => {
  const good = { a: 'x', at: '2030-12-31T18:00:00Z', name: 'b', either: true, most: 3 };
  assert.deepEqual(check(good), { kind: 'valid', value: good });
  for (const [body, pointer, message] of bad) {
    assert.deepEqual(check(body), { kind: 'not-valid', errors: [{ pointer, message }] });
  }
  const either = check({ a: 'x', either: 'x' });
  assert.ok(either.kind === 'not-valid');
  assert.deepEqual(either.errors.at(-1), {
    ...{ pointer: '/either', message: 'must have exactly one of its alternatives' },
  });
});

test('of many faults a hundred are named', () => {
  const body = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x${index}`, 1]));
  const checked = check({ a: 'x', ...body });
  assert.ok(checked.kind === 'not-valid');
  assert.equal(checked.errors.length, 100);
});

test('the steps of figures are a minute to thirty days', () => {
  const route = statsRoutes.find(({ path }) => path === '/api/stats') ?? assert.fail();
  const kindOf = (seconds: number) => routeValidator(route).query(`stepSeconds=${seconds}`).kind;
  const kinds = [59, 60, 30 * 86_400, 30 * 86_400 + 1].map(kindOf);
  assert.deepEqual(kinds, ['not-valid', 'valid', 'valid', 'not-valid']);
});
