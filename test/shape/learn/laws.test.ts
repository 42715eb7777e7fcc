import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../../src/contract/limits.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Field } from '../../../src/core/extract/field.ts';
import { readJson } from '../../../src/core/extract/json-reader.ts';
import {
  emptyPair,
  type LearntPair,
  mergePairs,
  pairBytes,
} from '../../../src/shape/learn/learner.ts';
import { LessonBook } from '../../../src/shape/learn/lesson-book.ts';
import { propose } from '../../../src/shape/learn/propose.ts';
import { unpacked } from '../../../src/shape/learn/report.ts';
import { fromText, toText } from '../../../src/shape/learn/stored-form.ts';
import { learnTexts } from './traffic.ts';

const segment = fc.oneof(
  fc.constantFrom('orders', 'users', 'v1', '17', '', '__proto__'),
  fc.integer({ min: 0, max: 60 }).map((at) => `w${'abcdefgh'[at % 8]}${'ijklmnop'[at >> 3]}`),
  fc.string({ maxLength: 8 }),
);
const path = fc.array(segment, { maxLength: 4 }).map((all) => `/${all.join('/')}`);
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'state', '__proto__', 'password'),
  fc.string({ maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom('new', 'paid', 'x y', '2026-01-01', '', '12'),
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'get'),
    path,
    route: fc.constantFrom(
      undefined,
      undefined,
      '/:a',
      '/orders/:id',
      '/v1/{x}/:y?',
      '/*',
      '/users',
    ),
    members: fc.dictionary(name, value, { maxKeys: 5 }),
    place: fc.constantFrom('query.', 'body.', 'body.list[0].', ''),
  })
  .map(({ method, path: to, route, members, place }) => {
    const named = Object.fromEntries(
      Object.entries(members).map(([key, one]) => [`${place}${key}`, one]),
    );
    return JSON.stringify(place === '' ? named : { method, path: to, route, ...named });
  });
const requests = fc.array(request, { maxLength: 60 });

const copy = (pair: LearntPair): LearntPair => structuredClone(pair);
const merged = (...all: readonly LearntPair[]) =>
  all.map(copy).reduce((into, from) => mergePairs(into, from), emptyPair());

/** The same whatever the order of the entries in its maps. */
function plain(one: unknown): unknown {
  if (one instanceof Map)
    return plain([...one].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  if (Array.isArray(one)) return one.map(plain);
  if (typeof one !== 'object' || one === null) return one;
  const entries = Object.entries(one).filter(([, inside]) => inside !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inside]) => [key, plain(inside)]),
  );
}

describe('what was learnt', () => {
  it('is the same in whatever order nodes are merged', () => {
    fc.assert(
      fc.property(requests, requests, requests, (a, b, c) => {
        const [x, y, z] = [a, b, c].map((texts, at) =>
          learnTexts(texts, { at: 1_000_000 * at }),
        ) as [LearntPair, LearntPair, LearntPair];
        assert.deepEqual(plain(merged(x, y)), plain(merged(y, x)));
        assert.deepEqual(plain(merged(merged(x, y), z)), plain(merged(x, merged(y, z))));
      }),
      { numRuns: 150 },
    );
  });

  it('is the same after it was stored', () => {
    fc.assert(
      fc.property(requests, (texts) => {
        const pair = learnTexts(texts);
        assert.deepEqual(plain(fromText(toText(pair))), plain(pair));
      }),
      { numRuns: 100 },
    );
    assert.deepEqual(plain(unpacked('of another version')), plain(emptyPair()));
  });

  it('never holds the value of a secret, nor a text that is no word', () => {
    const secretName = fc.constantFrom(
      'password',
      'apiKey',
      'card_number',
      'Authorization',
      'sessionId',
    );
    const secret = fc.string({ minLength: 6, maxLength: 20 }).map((text) => `zq${text}`);
    fc.assert(
      fc.property(
        secretName,
        secret,
        fc.constantFrom('query.', 'body.', 'body.user.'),
        (own, text, place) => {
          const body = JSON.stringify({ method: 'POST', path: '/in', [`${place}${own}`]: text });
          const whole = JSON.stringify({ [own]: text, in: { [own]: [text, { a: text }] } });
          const token = JSON.stringify({
            method: 'POST',
            path: '/in',
            'body.field': `${text} 1234`,
          });
          const pair = learnTexts([body, whole, token].flatMap((one) => Array(30).fill(one)));
          const { shape, evidence } = propose(copy(pair).passed);
          const all = toText(pair) + JSON.stringify([shape, evidence]);
          assert.ok(!all.includes(JSON.stringify(text).slice(1, -1)), `${text} is held`);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the book of lessons', () => {
  it('stays within its bound under hostile traffic, and keeps what is used', () => {
    const book = new LessonBook(readFields, 7);
    const send = (texts: readonly string[], policyId = 'default') =>
      book.learn({
        policyId,
        leftOut: 0,
        requests: texts.map((text) => ({
          body: Buffer.from(text),
          context: noContext,
          isRefused: false,
          at: 1,
        })),
      });
    const used = JSON.stringify({ method: 'POST', path: '/used/well', 'body.state': 'new' });
    const letters = (number: number) =>
      Array.from({ length: 7 }, (_, at) => 'abcdefghijklmnop'[(number >> (4 * at)) & 15]).join('');
    let stored: string | undefined;
    const most = limits.learntHeldBytesMax + limits.learntNewBytesMax;
    for (let round = 0; round < 16; round++) {
      const texts = Array.from({ length: 60 }, (_, at) => {
        const number = round * 60 + at;
        const members = Array.from({ length: 90 }, (_, index) => [
          `body.${letters(number * 97 + index * 13)}`,
          letters(index),
        ]);
        const method = ['GET', 'PUT', 'POST', 'PATCH'][at % 4];
        const to = `/${letters(at % 31)}/${letters(number % 29)}/${letters(number % 23)}`;
        return JSON.stringify({ method, path: to, ...Object.fromEntries(members) });
      });
      send(texts, round % 2 === 0 ? 'default' : 'other');
      send(Array(20).fill(used));
      if (round % 8 === 7) {
        assert.deepEqual(book.unsaved().sort(), ['default', 'other']);
        stored = book.save('default', stored);
        book.saved('default');
      }
      assert.ok(book.bytes() <= most, `${book.bytes()} bytes in round ${round}`);
    }
    const { passed } = unpacked(stored);
    const route = passed.root.children.get('used')?.children.get('well')?.methods.get('POST');
    assert.equal(route?.count, 320);
    assert.ok(pairBytes(unpacked(stored)) <= limits.learntHeldBytesMax);
  });

  it('never throws for what is no request', () => {
    const book = new LessonBook(readFields, 7);
    for (const body of [
      '',
      '[]',
      '{',
      '1',
      '{"method":"GET","path":"/%"}',
      '{"method":1,"path":[]}',
      '\ufffd',
    ]) {
      const one = { body: Buffer.from(body), context: noContext, isRefused: false, at: 1 };
      book.learn({ policyId: 'a', leftOut: 1, requests: [one] });
    }
    const { passed } = unpacked(book.save('a', undefined));
    assert.equal(passed.leftOut > 7, true);
    book.reset('a');
    assert.deepEqual(book.unsaved(), []);
  });
});

function readFields(text: string): readonly Field[] | undefined {
  const fields: Field[] = [];
  return readJson(text, fields) === undefined ? fields : undefined;
}
