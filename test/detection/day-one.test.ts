import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { verdictOn } from '../property/screen.ts';
import { attackOf, placeCount } from './day-one/attacks.ts';
import { itemOf, kindCount } from './day-one/items.ts';

/**
 * What users of editors, consoles, shops and trackers send from the first day on, in the fields
 * that applications send it in. `DAY_ONE_SEED` begins elsewhere than CI does.
 */
const seedStart = Number(process.env['DAY_ONE_SEED'] ?? 0);
const perKind = 250;

/**
 * How many of a hundred items may be blocked, where that is not none. A message that shows a
 * program is told from an attack by a sentence in front of it: three words in a row. Of messages
 * without one, those whose program runs commands or several statements of SQL are blocked still.
 */
const tolerated: Readonly<Record<string, number>> = { 'chat-with-code': 1.5, 'bug-report': 0.5 };

describe('data of the first day', () => {
  it(`${perKind * kindCount} items are allowed, and screened to their end`, () => {
    const wrong: { readonly kind: string; readonly found: string }[] = [];
    const kinds: string[] = [];
    for (let index = 0; index < perKind * kindCount; index++) {
      const { kind, body } = itemOf(seedStart + index);
      const { decision, findings, coverage } = verdictOn(body);
      kinds.push(kind);
      if (decision === 'allow' && coverage.complete) continue;
      const found = findings
        .filter((one) => one.score >= 70)
        .map((one) => `${one.rule} ${one.pointer} ${one.decoded.join('>')} ${one.evidence}`);
      wrong.push({ kind, found: `${seedStart + index}: ${coverage.reasons} ${found.join('; ')}` });
    }
    for (const kind of new Set(kinds)) {
      const share = (100 * wrong.filter((one) => one.kind === kind).length) / perKind;
      assert.ok(share <= (tolerated[kind] ?? 0), `${kind}: ${share} % of them: ${inspect(wrong)}`);
    }
  });

  it('attacks in the same places are found', () => {
    const missed: string[] = [];
    for (let index = 0; index < 20 * placeCount; index++) {
      const { name, body } = attackOf(seedStart + index);
      if (verdictOn(body).decision === 'allow') missed.push(`${name}: ${JSON.stringify(body)}`);
    }
    assert.deepEqual(missed, []);
  });
});
