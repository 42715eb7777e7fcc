import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestBody } from '../../src/client-request/request-members.ts';
import { isBlocked, read, sql } from './reading.ts';

const parsed = (value: unknown): RequestBody => ({ kind: 'parsed', value, files: undefined });

describe('a large request', () => {
  it('of few long members goes in bodies within the bound of bytes', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`f${at}`, `${at} `.repeat(25_000)]),
    );
    const { texts } = await read(parsed(fields));
    assert.ok(texts.length > 1 && texts.every((text) => Buffer.byteLength(text) <= 1_048_576));
    const seen = new Map(texts.flatMap((text) => Object.entries(JSON.parse(text) as object)));
    for (const [name, value] of Object.entries(fields)) {
      assert.equal(seen.get(`body.${name}`), value, name);
    }
  });

  it('goes in several bodies, each within the limits and each with the head', async () => {
    const items = Array.from({ length: 30_000 }, (_, index) => `item ${index}`);
    const found = await read(parsed({ items, q: sql }), { host: 'a.test' }, '/p');
    const { texts } = found;
    assert.equal(texts.length, 4);
    const names = new Set<string>();
    for (const text of texts) {
      const members = Object.entries(JSON.parse(text) as object);
      assert.ok(members.length <= 10_000 && Buffer.byteLength(text) <= 1_048_576);
      assert.deepEqual(members.slice(0, 3), [
        ['method', 'POST'],
        ['path', '/p'],
        ['header.host', 'a.test'],
      ]);
      for (const [name] of members) names.add(name);
    }
    assert.equal(names.size, 30_005);
    assert.ok(isBlocked(found));
  });

  it('loses nothing at the seams of a long value', async () => {
    for (let at = 131_060; at < 131_080; at += 1) {
      const text = `${'x'.repeat(at)}${sql}${' word'.repeat(40_000)}`;
      const { texts, isComplete } = await read(parsed({ text }));
      assert.ok(isComplete);
      assert.ok(texts.some((one) => one.includes(sql)));
    }
  });

  it('is not multiplied by long names', async () => {
    const inner = Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`k${i}`, '']));
    const found = await read(parsed({ ['n'.repeat(20_000)]: { ...inner, q: sql } }));
    assert.ok(found.isComplete);
    assert.ok(found.texts.join('').length < 4_000_000);
    assert.ok(isBlocked(found));
  });

  it('ends at a bound, and says so', async () => {
    const items = Array.from({ length: 100_000 }, () => 'x');
    const { texts, isComplete } = await read(parsed({ items }));
    assert.equal(texts.length, 8);
    assert.equal(isComplete, false);
  });
});
