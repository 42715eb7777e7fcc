import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedDecoders } from '../../src/core/normalise/registry.ts';
import { decodings } from '../../src/dashboard/web/ui/decodings.ts';

test('each decoder has words of its own on the page of an event', () => {
  const unnamed = namedDecoders
    .map(({ name }) => name)
    .filter((name) => decodings([name]) === name);
  assert.deepEqual(unnamed, []);
});

const rows: readonly (readonly [decoded: readonly string[], words: string])[] = [
  [[], ''],
  [['percent'], 'URL-decoding'],
  [['percent', 'percent', 'form:q'], 'URL-decoding twice, then reading form field q'],
  [['percent', 'percent', 'percent'], 'URL-decoding 3 times'],
  [['base64:2', 'json:/a/b'], 'decoding Base64, then reading JSON field /a/b'],
  [['form:name a[b]'], 'reading the name of form field a[b]'],
  [['json:rest'], 'reading the other JSON fields'],
  [['json:escapes'], 'decoding needless escapes of JSON'],
  [['form:a:b'], 'reading form field a:b'],
  [['form:a', 'form:b'], 'reading form field a, then reading form field b'],
];

for (const [decoded, words] of rows) {
  test(`decodings ${JSON.stringify(decoded)} in words`, () => {
    assert.equal(decodings(decoded), words);
  });
}
