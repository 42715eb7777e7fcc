import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attacks } from './attacks.ts';
import { type Encoding, encodings } from './encodings.ts';
import { isBlocked } from './screen.ts';

/** Share of chains that must keep the verdict (`design.md`, targets). */
const shareMin = 0.99;

/** Of the chains of three, each attack takes every so many-th: another part for another attack. */
const tripleStride = 97;

function* chains(): Generator<readonly Encoding[]> {
  for (const first of encodings) {
    yield [first];
    for (const second of encodings) {
      yield [first, second];
      for (const third of encodings) yield [first, second, third];
    }
  }
}

function encodeAll(text: string, chain: readonly Encoding[]): string {
  return chain.reduce((encoded, encoding) => encoding.encode(encoded), text);
}

describe('encoding invariance', () => {
  it('every attack is blocked as it is', () => {
    assert.deepEqual(
      attacks.filter((attack) => !isBlocked(attack)),
      [],
    );
  });

  it('a chain of up to three encodings does not change the verdict', () => {
    let tried = 0;
    let triples = 0;
    const failed: string[] = [];
    for (const attack of attacks.filter(isBlocked)) {
      for (const chain of chains()) {
        if (chain.length === 3 && triples++ % tripleStride !== 0) continue;
        tried++;
        if (isBlocked(encodeAll(attack, chain))) continue;
        failed.push(`${chain.map((one) => one.name).join(' > ')}: ${attack}`);
      }
    }
    const share = 1 - failed.length / tried;
    const report = `${failed.length} of ${tried} pass:\n${failed.slice(0, 40).join('\n')}`;
    assert.ok(tried > 10_000 && share >= shareMin, report);
  });

  it('nor does an encoding that is another one for each character', () => {
    const marks: readonly ((code: number) => string)[] = [
      (code) => String.fromCharCode(code),
      (code) => `%${code.toString(16).padStart(2, '0')}`,
      (code) => `%u${code.toString(16).padStart(4, '0')}`,
      (code) => `&#${code};`,
      (code) => `&#x${code.toString(16)};`,
      (code) => `\\u${code.toString(16).padStart(4, '0')}`,
      (code) => `\\x${code.toString(16).padStart(2, '0')}`,
    ];
    let tried = 0;
    const failed: string[] = [];
    const choices = fc.array(fc.nat(marks.length - 1), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(fc.constantFrom(...attacks), choices, (attack, choice) => {
        let at = 0;
        const encoded = attack.replace(/[\t\n\r!-/:-@[-`{-~]/g, (character) => {
          const mark = marks[choice[at++ % choice.length] ?? 0];
          return mark === undefined ? character : mark(character.charCodeAt(0));
        });
        tried++;
        if (isBlocked(attack) && !isBlocked(encoded)) failed.push(`${encoded} is ${attack}`);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(1 - failed.length / tried >= shareMin, failed.slice(0, 20).join('\n'));
  });
});
