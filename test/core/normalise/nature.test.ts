import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { createPrefilter } from '../../../src/core/match/prefilter.ts';
import { natureOf } from '../../../src/core/normalise/nature.ts';

const prefilter = createPrefilter([]);

function nature(text: string) {
  return natureOf(text, prefilter.scan(text));
}

describe('the nature of a text', () => {
  it('is binary for few bytes as well, where they are compressed', () => {
    const content = `(S'${'A'.repeat(3_000)}'\np0\n`;
    for (const bytes of [deflateSync(content), gzipSync(content)]) {
      assert.ok(bytes.length < 100);
      assert.equal(nature(bytes.toString('latin1')), 'binary');
    }
  });

  it('is text for other short values, and for what only begins as compressed bytes do', () => {
    const bytes = deflateSync('random').reverse().toString('latin1');
    for (const text of [bytes, "x\u009c' or 1=1 union select pin from users", 'x^2', '8O']) {
      assert.equal(nature(text), 'text');
    }
  });

  it('is data for a long run of digits of base64', () => {
    assert.equal(nature('iVBORw0KGgoAAAANSUhEUg'.repeat(20)), 'data');
  });
});
