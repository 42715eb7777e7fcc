import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { topLevelText } from '../../src/http/top-level-text.ts';

const name = 'header.x-forwarded-for';
const find = (text: string) => topLevelText(Buffer.from(text), name);

test('a member is found at the top level alone', () => {
  assert.equal(find(`{"a":1,"${name}":"192.0.2.1"}`), '192.0.2.1');
  assert.equal(find(`{ "${name}" : \n "192.0.2.1" }`), '192.0.2.1');
  assert.equal(find(`{"a":{"${name}":"1"},"${name}":"2"}`), '2');
  assert.equal(find(`{"a":["${name}"],"b":"${name}","${name}":"2"}`), '2');
  assert.equal(find(`{"a":"\\"${name}\\":\\"1\\"","${name}":"2"}`), '2');
  assert.equal(find(`{"a":"\\\\","${name}":"2"}`), '2');
  for (const text of ['{}', `{"a":{"${name}":"1"}}`, `{"${name}":7}`, `{"a":"${name}"}`]) {
    assert.equal(find(text), '', text);
  }
});

test('it is what JSON.parse finds there, whatever else there is', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (before, behind) => {
      const text = JSON.stringify({
        [`${name}x`]: before,
        [name]: '192.0.2.1',
        [`x${name}`]: behind,
      });
      assert.equal(find(text), '192.0.2.1');
      assert.equal(find(JSON.stringify({ a: { [name]: before }, b: [text, behind] })), '');
    }),
  );
});
