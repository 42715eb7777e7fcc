import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefixesOf } from '../../../../src/core/grammars/xml/namespace.ts';

const namespace = /^http:\/\/a\.test\/x$/;

/** A text, and the prefixes that it binds to the namespace. */
const rows: readonly (readonly [text: string, prefixes: readonly string[]])[] = [
  ['<p:a xmlns:p="http://a.test/x"/>', ['p']],
  ["<p:a xmlns:p='http://a.test/x'/>", ['p']],
  ['<a xmlns="http://a.test/x"/>', ['']],
  ['<a\n\txmlns:p\n=\t"http://a.test/x">', ['p']],
  ['<P.q-r:a xmlns:P.q-r="http://a.test/x"/>', ['p.q-r']],
  [
    '<a xmlns="http://a.test/x" xmlns:p="http://a.test/x"><b xmlns:q="http://a.test/x"/>',
    ['', 'p', 'q'],
  ],
  ['<a xmlns:p="http://a.test/x" xmlns:p="http://a.test/x"/>', ['p']],
  ['<a xmlns:p="http://a.test/y" xmlns:q="http://a.test/x"/>', ['q']],
  ['<a xmlns:p="http://a.test/x/y"/>', []],
  ['<a xmlns:p="http://a.test/x', ['p']],
  ['<a xmlns:p=""/>', []],
  ['<a xmlns:p=http://a.test/x/>', []],
  ['<a xmlns:1="http://a.test/x"/>', []],
  ['<axmlns:p="http://a.test/x"/>', []],
  ['', []],
];

describe('namespace', () => {
  it('reads the prefixes that a document binds to it', () => {
    for (const [text, prefixes] of rows) {
      assert.deepEqual([...prefixesOf(text, namespace)], prefixes, text);
    }
  });

  it('reads 256 bindings, and no more', () => {
    const before = ' xmlns:o="http://a.test/o"'.repeat(255);
    const binding = ' xmlns:p="http://a.test/x"';
    assert.deepEqual([...prefixesOf(`<a${before}${binding}`, namespace)], ['p']);
    assert.deepEqual([...prefixesOf(`<a${before} xmlns:o="o"${binding}`, namespace)], []);
  });
});
