import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unsureDetectors } from '../../bench/lib/unsure.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import {
  type Detector,
  isValueRule,
  type Trigger,
  type ValueRule,
} from '../../src/core/rules/rule.ts';
import { fixtureBodies } from '../support/fixtures.ts';
import { attacks } from './attacks.ts';

const advice =
  'the trigger withholds what the judge finds: make its literals of the table that the judge ' +
  'reads, or let the judge ask for what the trigger asks for';

/** Entries of a rule's list in a failure. */
const shownMax = 8;

const dots =
  '. %2e %252e %c0%ae %c0. %e0%80%ae %u002e %uff0e %u2024 %ufe52 %%32%65 0x2e ? À® À. à\u0080® à€® ． ․ ﹒ ¡'.split(
    ' ',
  );
const separators = [
  ...'/ \\ %2f %5c %252f %c0%af %c1%9c %c0/ %e0%80%af %c0%qf %bg%qf %u002f %u2215 %uff0f'.split(
    ' ',
  ),
  ...'%%32%66 0x2f 2f 5c À¯ Á\u009c Áœ À/ à\u0080¯ à€¯ ð€€¯ ／ ＼ ∕ ⁄ ⧸ ∖ ⧵ ⧹ ﹨ ¥ …'.split(' '),
  ...['\uefc8', '\uf025', '\ufffd', '\ufffd\ufffd', '\ufffd\ufffd\ufffd', '%u00c0%u00af'],
];

describe('the trigger law: a trigger is a necessary condition of its judge', () => {
  const bodies = [...fixtureBodies(), ...examples(), ...attackBodies(), ...pathBodies()];
  const withheld = withheldFindings(bodies);

  for (const { rules } of detectors) {
    for (const { id } of rules.filter(isValueRule)) {
      it(id, () => assert.deepEqual(withheld.get(id) ?? [], [], advice));
    }
  }

  it('an anchor withholds no block', () => {
    const [anchored, unanchored] = [createEngine(), createEngine(withTrigger(unanchoredOf))];
    const lost = bodies.filter((body) => !blocks(anchored, body) && blocks(unanchored, body));
    assert.deepEqual(lost, []);
  });
});

/** By rule, the first bodies in which only an engine without triggers finds something. */
function withheldFindings(bodies: readonly unknown[]): ReadonlyMap<string, unknown[]> {
  // A finding that decides ends the decoding, so that the one engine would see more than the other.
  const asked = withTrigger(aboutOf, unsureDetectors);
  const [triggered, untriggered] = [createEngine(unsureDetectors), createEngine(asked)];
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

function withTrigger(triggerOf: (rule: ValueRule) => Trigger, of = detectors): Detector[] {
  return of.map(({ category, rules }) => ({
    category,
    rules: rules.map((rule) => (isValueRule(rule) ? { ...rule, trigger: triggerOf(rule) } : rule)),
  }));
}

function unanchoredOf({ trigger }: ValueRule): Trigger {
  const { anchor: _, ...rest } = trigger;
  return rest;
}

function blocks(engine: Engine, body: unknown): boolean {
  const result = engine.screen({ body: JSON.stringify(body), context: noContext }, defaultPolicy);
  return result.kind === 'verdict' && result.verdict.decision === 'block';
}

/** What a rule is about, which its judge does not ask for again. */
function aboutOf({ trigger }: ValueRule): Trigger {
  const { literals: _, classes: __, ...about } = trigger;
  return about;
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

/**
 * Paths whose dots and separators stand in all pairs of spellings: valid encodings, overlong and
 * broken ones, their bytes read as Latin-1, Windows-1252 or UTF-8, best-fit mappings.
 */
function pathBodies(): unknown[] {
  const values = dots.flatMap((dot) =>
    separators.flatMap((by) =>
      ['^ ^ app key', '^ ', 'etc shadow', ' etc passwd'].map((path) =>
        path.replaceAll('^', dot + dot).replaceAll(' ', by),
      ),
    ),
  );
  return [...new Set(values)].map((value) => ({ value }));
}
