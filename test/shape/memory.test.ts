import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { noContext } from '../../src/contract/request.ts';
import type { MemberValue } from '../../src/contract/shape.ts';
import { readRequest } from '../../src/core/extract/read-request.ts';
import { compileShape } from '../../src/shape/compile.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it('names that are kept do not keep the bodies that they came in', () => {
  const content = { 'application/json': { type: 'object' } };
  const checker = compileShape({ routes: [{ method: 'PUT', path: '/', body: { content } }] });
  const filler = 'x y '.repeat(100_000);
  const check = (name: string): void => {
    const members = `"query.of-one-${name}":"x","body.of-one-${name}":"x"`;
    const body = `{"method":"PUT","path":"/",${members},"header.filler":"${filler}"}`;
    const request = { body, context: noContext };
    const values: MemberValue[] = [];
    const fields = readRequest(request, values) ?? [];
    assert.deepEqual(checker.check(request, fields, values).violations, []);
  };
  check('first');
  const before = heapBytes();
  for (let count = 0; count < 50; count++) check(`request-${count}`);
  assert.ok(heapBytes() - before < filler.length * 10);
});

it('names and lists that are kept are bounded for all routes together', () => {
  const inner = { type: 'array', items: { type: 'string' } };
  const list = { type: 'array', items: inner };
  const routes = Array.from({ length: 40 }, (_, at) => {
    const content = {
      'application/json': { type: 'object', properties: { list, [`own${at}`]: {} } },
    };
    return { method: 'PUT', path: `/${at}`, body: { content } };
  });
  const checker = compileShape({ routes });
  const check = (route: number, first: number): void => {
    const names = Array.from({ length: 100 }, (_, at) => `"body.list[${first + at}][0]":"x"`);
    const body = `{"method":"PUT","path":"/${route}",${names.join(',')}}`;
    const request = { body, context: noContext };
    const values: MemberValue[] = [];
    checker.check(request, readRequest(request, values) ?? [], values);
  };
  check(0, 0);
  const before = heapBytes();
  for (let route = 0; route < routes.length; route++) {
    for (let first = 0; first < 1_000; first += 100) check(route, first);
  }
  assert.ok(heapBytes() - before < 20_000_000);
});
