import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../../src/contract/limits.ts';
import { type XmlDeclaration, xmlGrammar } from '../../../../src/core/grammars/xml/xml.ts';

function show(one: XmlDeclaration): string {
  const percent = one.isParameter ? '% ' : '';
  const subset = one.hasSubset ? ' [' : '';
  return `${one.kind} ${percent}${one.name} ${one.external ?? '-'} ${one.literal}${subset}`;
}

function check(text: string, expected: readonly string[]): void {
  assert.deepEqual(xmlGrammar.read(text).declarations.map(show), expected, text);
}

describe('xml', () => {
  it('reads document types', () => {
    check('<!DOCTYPE html>', ['doctype html - ']);
    check('<!doctype r SYSTEM "x.dtd">', ['doctype r system x.dtd']);
    check('<!DOCTYPE r PUBLIC "-//A//EN" \'y.dtd\' [', ['doctype r public y.dtd [']);
    check('<!DOCTYPE r[', ['doctype r -  [']);
  });

  it('reads entities, also without a document type', () => {
    check('<!ENTITY a "b">', ['entity a - b']);
    check("<!ENTITY a SYSTEM 'file:///x'>", ['entity a system file:///x']);
    check('<!ENTITY\n%\nd\nPUBLIC "p" "q">', ['entity % d public q']);
    check('<!ENTITY &#x25; e "">', ['entity % e - ']);
    check('<!entity a system "x">', ['entity a system x']);
  });

  it('reads entities inside the literal of another', () => {
    check(`<!ENTITY % a "<!ENTITY b SYSTEM 'x'>">`, [
      `entity % a - <!ENTITY b SYSTEM 'x'>`,
      'entity b system x',
    ]);
  });

  it('reads doubled and escaped quotation marks', () => {
    check('<!ENTITY a SYSTEM ""x"">', ['entity a system x']);
    check('<!ENTITY a SYSTEM \\"x\\">', ['entity a system x\\']);
  });

  it('reads what the text cuts off', () => {
    check('<!ENTITY a SYSTEM "x', ['entity a system x']);
    check('<!ENTITY', ['entity  - ']);
  });

  it('sees no declaration in comments and words', () => {
    check('<!-- x --> <!ENTITYX a "b"> ENTITY a "b"', []);
  });

  it('finds elements with a prefix', () => {
    const { elements } = xmlGrammar.read('<a><xi:Include href="x"/></a><b:c d<e:f>');
    assert.deepEqual(
      elements.map((one) => [one.prefix, one.name, one.start, one.end]),
      [
        ['xi', 'include', 3, 25],
        ['b', 'c', 29, 35],
        ['e', 'f', 35, 40],
      ],
    );
  });

  it('stops at the limit and says so', () => {
    const reading = xmlGrammar.read('<!ENTITY a "b">'.repeat(limits.tokensMax + 1));
    assert.deepEqual([reading.complete, reading.declarations.length], [false, limits.tokensMax]);
  });
});
