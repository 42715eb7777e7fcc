import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { beyondAscii, createPrefilter, type Scan } from '../../../src/core/match/prefilter.ts';
import { asciiClass, charClass } from '../../../src/core/text/char-class.ts';
import { wideClassOf } from '../../../src/core/text/wide-class.ts';

/** Few characters, so that literals overlap, contain each other and occur. */
const literal = fc.string({ unit: fc.constantFrom(...'abA<%'), minLength: 1, maxLength: 5 });
const literalGroups = fc.array(fc.array(literal, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 70,
});
const text = fc.string({
  unit: fc.constantFrom(...'aabbABc<%+/=- \n\u0000é＜漢'),
  maxLength: 60,
});

function lowerAscii(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function groupHit(scan: Readonly<Scan>, group: number): boolean {
  return ((scan.hits[group >>> 5] as number) & (1 << (group & 31))) !== 0;
}

describe('prefilter', () => {
  it('finds the groups that a search for each literal finds', () => {
    fc.assert(
      fc.property(
        literalGroups,
        fc.array(text, { minLength: 1, maxLength: 4 }),
        (groups, texts) => {
          const prefilter = createPrefilter(groups);
          // Several texts with one prefilter: nothing of one scan may stay for the next.
          for (const one of texts) {
            const scan = prefilter.scan(one);
            const lower = lowerAscii(one);
            const expected = groups.map((literals) =>
              literals.some((each) => lower.includes(lowerAscii(each))),
            );
            assert.deepEqual(
              groups.map((_, group) => groupHit(scan, group)),
              expected,
            );
            assert.equal(scan.anyHit, expected.includes(true));
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('finds the same in long texts, wherever a literal stands', () => {
    const filler = fc.string({ unit: fc.constantFrom(...'abA <'), minLength: 330, maxLength: 700 });
    const spots = ['aab%A<', '%', 'x'.repeat(30), 'ABBA%', 'é', '漢'.repeat(900), ''];
    const spot = fc.constantFrom(...spots);
    const texts = fc.array(fc.tuple(filler, spot), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(literalGroups, texts, (groups, list) => {
        // The last group is longer than what the lanes have in common.
        const all = [...groups, ['x'.repeat(30)], [`${'a'.repeat(400)}b`]];
        const prefilter = createPrefilter(all);
        const one = list.flat().join('');
        const scan = prefilter.scan(one);
        const lower = lowerAscii(one);
        const expected = all.map((literals) =>
          literals.some((each) => lower.includes(lowerAscii(each))),
        );
        assert.deepEqual(
          all.map((_, group) => groupHit(scan, group)),
          expected,
        );
        let classes = 0;
        for (let i = 0; i < one.length; i++) {
          const code = one.charCodeAt(i);
          classes |= code < 128 ? (asciiClass[code] as number) : charClass.nonAscii;
        }
        const runs = one.split(/[^A-Za-z0-9+/\-_=]/).map((run) => run.length);
        assert.equal(scan.anyHit, expected.includes(true));
        assert.equal(scan.classes, classes);
        assert.equal(scan.longestRun, Math.max(...runs));
      }),
    );
  });

  it('finds a literal across each place where the lanes of a long text meet', () => {
    const prefilter = createPrefilter([['needle'], ['other']]);
    for (let at = 0; at + 6 <= 1_026; at++) {
      const text = `${'-'.repeat(at)}NeeDle${'-'.repeat(1_026 - 6 - at)}`;
      const scan = prefilter.scan(text);
      assert.ok(groupHit(scan, 0) && !groupHit(scan, 1), `at ${at}`);
    }
  });

  it('tells the classes of the characters', () => {
    const prefilter = createPrefilter([['x']]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        let classes = 0;
        let wide = 0;
        for (let i = 0; i < value.length; i++) {
          const code = value.charCodeAt(i);
          classes |= code < 128 ? (asciiClass[code] as number) : charClass.nonAscii;
          wide |= wideClassOf[code] as number;
        }
        const scan = prefilter.scan(value);
        assert.deepEqual([scan.classes, scan.wide], [classes, wide]);
      }),
    );
  });

  it('measures the longest run of base64 characters', () => {
    const prefilter = createPrefilter([['x']]);
    fc.assert(
      fc.property(text, (value) => {
        const runs = value.split(/[^A-Za-z0-9+/\-_=]/);
        const longest = Math.max(...runs.map((run) => run.length));
        assert.equal(prefilter.scan(value).longestRun, longest);
      }),
    );
  });

  it('gives each ASCII character but the letters a class', () => {
    for (let code = 0; code < 128; code++) {
      const isLetter = /[A-Za-z]/.test(String.fromCharCode(code));
      assert.equal(asciiClass[code] === 0, isLetter, String(code));
    }
    assert.ok(wideClassOf.subarray(0, 128).every((bits) => bits === 0));
  });

  it('takes any character beyond ASCII for a hit of the literal that stands for them', () => {
    const prefilter = createPrefilter([['x'], ['ab ', beyondAscii], ['y']]);
    for (const [one, isHit] of [
      ['ab', false],
      ['ab ', true],
      ['\u00a0', true],
      ['漢'.repeat(300), true],
      [`${'a'.repeat(900)}é`, true],
      ['a'.repeat(900), false],
    ] as const) {
      assert.equal(groupHit(prefilter.scan(one), 1), isHit, one);
      assert.equal(groupHit(prefilter.scan(one), 0), false, one);
    }
  });

  it('refuses literals that it could not find', () => {
    assert.throws(() => createPrefilter([['é']]), /not ASCII/);
    assert.throws(() => createPrefilter([['']]), /empty/);
  });
});
