import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { type Detector, isValueRule } from '../../src/core/rules/rule.ts';
import { fixtureBodies } from '../support/fixtures.ts';
import { attacks } from './attacks.ts';

const advice =
  'the trigger withholds what the judge finds: make its literals of the table that the judge ' +
  'reads, or let the judge ask for what the trigger asks for';

/** Entries of a rule's list in a failure. */
const shownMax = 8;

describe('the trigger law: a trigger is a necessary condition of its judge', () => {
  const withheld = withheldFindings([...fixtureBodies(), ...examples(), ...attackBodies()]);

  for (const { rules } of detectors) {
    for (const { id } of rules.filter(isValueRule)) {
      it(id, () => assert.deepEqual(withheld.get(id) ?? [], [], advice));
    }
  }
});

/** By rule, the first bodies in which only an engine without triggers finds something. */
function withheldFindings(bodies: readonly unknown[]): ReadonlyMap<string, unknown[]> {
  const asked: Detector[] = detectors.map(({ category, rules }) => ({
    category,
    rules: rules.map((rule) => (isValueRule(rule) ? { ...rule, trigger: {} } : rule)),
  }));
  const [triggered, untriggered] = [createEngine(), createEngine(asked)];
  const withheld = new Map<string, unknown[]>();
  for (const body of bodies) {
    const found = findings(triggered, body);
    for (const [place, rule] of findings(untriggered, body)) {
      if (found.has(place)) continue;
      const some = withheld.get(rule) ?? [];
      if (some.length < shownMax) withheld.set(rule, [...some, place, body]);
    }
  }
  return withheld;
}

/** The findings of one body: rule, place and score, and the rule alone. */
function findings(engine: Engine, body: unknown): ReadonlyMap<string, string> {
  const request = { body: JSON.stringify(body), context: noContext };
  const result = engine.screen(request, defaultPolicy);
  assert.equal(result.kind, 'verdict');
  const all = result.verdict.findings;
  return new Map(all.map(({ rule, pointer, score }) => [`${rule} ${pointer} ${score}`, rule]));
}

function examples(): unknown[] {
  return detectors
    .flatMap(({ rules }) => rules.flatMap((rule) => [...rule.examples, ...rule.lookalikes]))
    .map((one) => (typeof one === 'string' ? { value: one } : one.body));
}

function attackBodies(): unknown[] {
  return attacks.map((value) => ({ value }));
}
