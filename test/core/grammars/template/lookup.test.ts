import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../../src/contract/limits.ts';
import { lookupGrammar } from '../../../../src/core/grammars/template/lookup.ts';

function check(text: string, expected: readonly string[]): void {
  const { lookups } = lookupGrammar.read(text);
  assert.deepEqual(
    lookups.map((one) => one.resolved),
    expected,
    text,
  );
}

describe('lookup', () => {
  it('resolves what is nested', () => {
    check('a ${b} c ${d}', ['b', 'd']);
    check('${${lower:J}${upper:n}${::-d}${:-i}:x}', ['jndi:x']);
    check('${${env:NaN:-j}ndi}', ['jndi']);
    check("${${date:'j'}ndi}", ['jndi']);
    check('${${lower:${upper:${::-J}}}ndi}', ['jndi']);
    check('${jnd${upper:\u0131}}', ['jndi']);
    check('${a${env:USER}b}', ['ab']);
    check('${a${jndi:x}}', ['ajndi:x']);
    check('${a${sys:path.separator}${SYS:file.separator}${sys:user.name}b}', ['a:/b']);
  });

  it('reads what stands behind a dollar sign of the program', () => {
    check('{jn${lower:D}i:x} ${a}', ['jndi:x', 'lower:d', 'a']);
    check('{"a":"${b}"}', ['b']);
    check('a {b}', []);
  });

  it('reads what the text cuts off', () => {
    check('${jndi:${lower:x', ['jndi:lower:x']);
    assert.equal(lookupGrammar.read('${a').lookups[0]?.isClosed, false);
  });

  it('bounds the nesting and says so', () => {
    const [deep] = lookupGrammar.read(`${'${'.repeat(100)}x`).lookups;
    assert.equal(deep?.isTooDeep, true);
    assert.equal(lookupGrammar.read('${${${a}}}').lookups[0]?.isTooDeep, false);
  });

  it('bounds what is kept of a long one', () => {
    const [long] = lookupGrammar.read(`\${${'a'.repeat(100_000)}}`).lookups;
    assert.ok(long !== undefined && long.resolved.length < 1_000);
  });

  it('stops at the limit and says so', () => {
    const reading = lookupGrammar.read('${}'.repeat(limits.tokensMax + 1));
    assert.deepEqual([reading.complete, reading.lookups.length], [false, limits.tokensMax]);
  });
});
