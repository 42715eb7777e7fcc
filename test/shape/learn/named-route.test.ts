import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../src/contract/limits.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Field } from '../../../src/core/extract/field.ts';
import { readJson } from '../../../src/core/extract/json-reader.ts';
import { pairBytes } from '../../../src/shape/learn/learner.ts';
import { LessonBook } from '../../../src/shape/learn/lesson-book.ts';
import { propose } from '../../../src/shape/learn/propose.ts';
import { checkText, said, shapeFrom } from '../shop.ts';
import { learnRequests, learnTexts, noon, type Sent, textOfRequest } from './traffic.ts';

const names = ['anna', 'ben', 'cleo', 'dora', 'emil'];
const get = (url: string, route?: string): Sent => ({
  method: 'GET',
  url,
  ...(route === undefined ? {} : { route }),
});
const times = (count: number, make: (number: number) => Sent): Sent[] =>
  Array.from({ length: count }, (_, at) => make(at));

async function pathsOf(requests: readonly Sent[]): Promise<string[]> {
  const { shape } = propose((await learnRequests(requests)).passed);
  return (shape?.routes ?? []).map(({ method, path }) => `${method} ${path}`);
}

describe('a route that the router of the application named', () => {
  it('gives the places of parameters, which few words do not', async () => {
    const requests = (route?: string) => [
      ...times(100, (at) => get(`/users/${names[at % 5]}`, route)),
      ...times(100, () => get('/users/me', route && '/users/me')),
    ];
    assert.ok((await pathsOf(requests())).includes('GET /users/anna'), 'guessed as words');
    assert.deepEqual(await pathsOf(requests('/users/:name')), [
      'GET /users/me',
      'GET /users/{userId}',
    ]);
  });

  it('groups what is written in several ways, behind its prefix', async () => {
    const requests = times(100, (at) =>
      get(
        ['/api/users/ann', '/API/Users/ben/', '/api//users/a%2fb'][at % 3] ?? '',
        '/api/users/:name',
      ),
    );
    assert.deepEqual(await pathsOf(requests), ['GET /api/users/{userId}']);
    const moved = times(100, (at) => get(`/v2/users/${names[at % 5]}`, '/users/:name'));
    assert.deepEqual(await pathsOf(moved), ['GET /v2/users/{userId}']);
  });

  it('does not count where it is not that of the path, or none', async () => {
    for (const route of ['/orders/:id', '/*', '/:a/:b/:c', '/']) {
      assert.deepEqual(await pathsOf(times(50, () => get('/users/me', route))), ['GET /users/me']);
    }
    const elsewhere = times(50, () => get('/users/../admin', '/:id'));
    assert.deepEqual(await pathsOf(elsewhere), []);
  });

  it('is that of the declared shape where it names one of its routes', async () => {
    const declared = shapeFrom({
      openapi: '3.1.0',
      info: {},
      paths: { '/users/{name}': { get: {} } },
    });
    const requests = times(30, (at) => get(`/USERS/${names[at % 5]}`, '/users/:name'));
    const { passed } = await learnRequests(requests, { declared });
    assert.deepEqual([...passed.declared.keys()], ['GET /users/{name}']);
    assert.equal(passed.root.children.size, 0);
  });

  it('is found by the shape that was learnt', async () => {
    const requests = times(100, (at) => get(`/users/${names[at % 5]}`, '/users/:name'));
    const { shape } = propose((await learnRequests(requests)).passed);
    const text = await textOfRequest(get('/USERS/anna/', '/users/:name'));
    assert.deepEqual(said(checkText({ ...shape, unlisted: 'refuse' }, text)), []);
  });
});

it('a hundred thousand named routes stay within the bounds of what is learnt', () => {
  const readFields = (body: string) => {
    const fields: Field[] = [];
    return readJson(body, fields) === undefined ? fields : undefined;
  };
  const book = new LessonBook(readFields, 7);
  for (let batch = 0; batch < 1_000; batch++) {
    const requests = Array.from({ length: 100 }, (_, at) => {
      const number = batch * 100 + at;
      const own = [`/r${number}x`, `/r${number}x/:id`, `/a/r${number}x/:id/:b`][number % 3] ?? '';
      const path = own.replaceAll(/:\w+/g, `v${number}`);
      const text = JSON.stringify({ method: 'GET', path, route: own });
      return { body: Buffer.from(text), context: noContext, isRefused: false, at: noon };
    });
    book.learn({ policyId: 'p', leftOut: 0, requests });
  }
  assert.ok(book.bytes() <= limits.learntNewBytesMax, `${book.bytes()} bytes`);
  const { passed } = learnTexts(
    Array.from({ length: 5_000 }, (_, at) =>
      JSON.stringify({ method: 'GET', path: `/r${at}x/1`, route: `/r${at}x/:id` }),
    ),
  );
  assert.ok(
    passed.root.children.size <= limits.learntSegmentsMax,
    'too many words are a parameter',
  );
  assert.ok(pairBytes({ passed, refused: passed }) < 100_000);
});
