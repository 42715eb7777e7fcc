import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../../../bench/lib/random.ts';
import { defaultPolicy } from '../../../src/contract/policy.ts';
import { noContext } from '../../../src/contract/request.ts';
import { createEngine } from '../../../src/core/engine.ts';
import { isByLot } from '../../../src/core/rules/by-lot.ts';
import { detectors } from '../../../src/core/rules/registry.ts';

const engine = createEngine();
const isBlocked = (name: string, value: string): boolean => {
  const body = JSON.stringify({ [name]: value });
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  assert.equal(result.kind, 'verdict');
  return result.verdict.decision === 'block';
};

const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
const lengths = [8, 10, 12, 14, 16, 20, 24, 32];
const drawn = (random: Random): string =>
  random.times(random.pick(lengths), () => random.pick(printable)).join('');

describe('a text by lot', () => {
  for (const [text, expected, why] of [
    ['jK$mbwYtlbza63S7bTxqPnmE%E1Jc&id', true, 'a command of two letters by chance'],
    ['_Fg]2h>0qP$F]:8F7X5-B5/?T`?2<=!n', true, 'an operator'],
    ['fmw&nc`hL~r+', true, 'without a digit'],
    ["A9$'||1=1", false, 'a condition'],
    ["aB3$kQ9'or'1'='1", false, 'an attack behind noise'],
    ['q7$Rz&K!e9_T;cat</etc/passwd', false, 'a path behind noise'],
    ['Aa1$&id', false, 'too short'],
    ['Aa1$ z%q Kf&id', false, 'blanks'],
    ['correct-horse-battery-staple', false, 'words'],
    ['Passwort1&date', false, 'few changes'],
  ] as const) {
    it(`${text}: ${why}`, () => assert.equal(isByLot(text, false), expected));
  }

  it('may hold blanks that a decoder has made', () => {
    assert.ok(isByLot('ua9}k8 {b{!tTEvfj1t2', true));
  });
});

describe('a password', () => {
  it('that was drawn by lot passes where the same text of another member is blocked', () => {
    const random = new Random(20261123);
    const blocked: string[] = [];
    let byLot = 0;
    let spared = 0;
    for (let count = 0; count < 20_000; count++) {
      const text = drawn(random);
      if (!isByLot(text, false)) continue;
      byLot++;
      if (isBlocked('body.password', text)) blocked.push(text);
      else if (isBlocked('body.text', text)) spared++;
    }
    assert.deepEqual(blocked, []);
    assert.ok(byLot > 16_000, `only ${byLot} of 20,000 are taken for drawn by lot`);
    assert.ok(spared > 5, `only ${spared} of 20,000 are blocked as another text`);
  });

  for (const name of ['password', 'user[password]', 'new_password', 'contraseña', 'userPwd']) {
    it(`goes by the name of ${name}`, () => {
      assert.ok(!isBlocked(name, 'jK$mbwYtlbza63S7bTxqPnmE%E1Jc&id'));
      assert.ok(isBlocked(name, "jK$mbwYtlbza63S7' or 1=1 -- "));
    });
  }

  it('has no name that the text itself gives', () => {
    assert.ok(isBlocked('note', '{"password":"jK$mbwYtlbza63S7bTxqPnmE%E1Jc&id"}'));
    assert.ok(isBlocked('compass', 'jK$mbwYtlbza63S7bTxqPnmE%E1Jc&id'));
  });

  it('is blocked where it is an attack', () => {
    for (const { rules } of detectors) {
      for (const { id, examples } of rules) {
        for (const example of examples) {
          if (typeof example !== 'string' || !isBlocked('text', example)) continue;
          assert.ok(isBlocked('password', example), `${id}: ${example}`);
        }
      }
    }
  });
});
