import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameBothWays } from '../../bench/fuzz/shape.ts';
import { Random } from '../../bench/lib/random.ts';
import { prose } from '../../bench/shape/prose.ts';
import { requestFor, textsOf } from '../../bench/shape/requests.ts';
import { Values } from '../../bench/shape/values.ts';
import { noContext } from '../../src/contract/request.ts';
import { compileShape } from '../../src/shape/compile.ts';
import { shapeFrom, shopDocument } from './shop.ts';

const keys = [
  ...['method', 'path', 'query.page', 'query.q[1]', 'query.tag', 'header.content-type', 'body'],
  ...['body.id', 'body.items', 'body.items[0]', 'body.items[0].sku', 'body.items[1].sku'],
  ...['body.items[0].qty', 'body.note', 'body.note.$ne', 'body.amount', 'body.codes[0]', 'body.x'],
  ...['body.codes[]', 'body.parent.id', 'body.__proto__.x', 'body.items[7].qty', 'header.x-tenant'],
];
const others = [null, true, 7, -1, 0.5, '', '1', 'paid', 'ABC-1', 'x'.repeat(30), {}, [], { a: 1 }];

describe('the short way of a request', () => {
  for (const closed of [true, false]) {
    it(`says what the long way says, ${closed ? 'closed' : 'open'}`, async () => {
      const shape = shapeFrom(shopDocument, { closed });
      const random = new Random(5);
      const values = new Values(shape, random, prose);
      const checker = compileShape(shape);
      for (let count = 0; count < 400; count++) {
        for (const text of await textsOf(
          requestFor(random.pick(shape.routes ?? []), values, random),
        )) {
          const body = random.chance(70) ? changed(text, random) : text;
          assert.ok(isSameBothWays(checker, { body, context: noContext }), body);
        }
      }
    });
  }

  it('counts characters as the long way does', () => {
    const note = { type: 'string', minLength: 2, maxLength: 3 };
    const content = { 'application/json': { type: 'object', properties: { note } } };
    const checker = compileShape({ routes: [{ method: 'PUT', path: '/', body: { content } }] });
    for (const text of ['a', '😀', '😀a', '\ud83d\ud83d', '😀😀😀', '😀😀😀😀', 'abcd', '']) {
      const body = JSON.stringify({ method: 'PUT', path: '/', 'body.note': text });
      assert.ok(isSameBothWays(checker, { body, context: noContext }), text);
    }
  });

  it('sees a name that comes again, though the tables of names began anew in between', () => {
    const parameters = ['q', 'tag'].map(
      (name) => ({ in: 'query', name, required: true, schema: { type: 'string' } }) as const,
    );
    const checker = compileShape({ routes: [{ method: 'GET', path: '/', parameters }] });
    for (let count = 0; count < 210; count++) {
      const others = Array.from({ length: 100 }, (_, at) => `"query.n${count * 100 + at}":"x"`);
      const members = ['"query.q":"a"', ...others, '"query.q":"b"'];
      const body = `{"method":"GET","path":"/",${members.join(',')}}`;
      assert.ok(isSameBothWays(checker, { body, context: noContext }), `request ${count}`);
    }
  });
});

/** One member more, one less, or one with another value; the same name may come again. */
function changed(text: string, random: Random): string {
  const members = Object.entries(JSON.parse(text) as object).map(
    ([key, value]) => [key, value] as const,
  );
  const at = random.below(members.length);
  const one = [random.pick(keys), random.pick<unknown>(others)] as const;
  if (random.chance(30)) members.splice(at, 1);
  else if (random.chance(50)) members.splice(at, 0, one);
  else members[at] = [members[at]?.[0] ?? '', one[1]];
  const written = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${written.join(',')}}`;
}
