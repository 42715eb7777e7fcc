import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Explanation } from '../../src/contract/explanation.ts';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';

const engine = createEngine();
const attack = "' OR 1=1 --";

function explain(body: string, depth: 'fields' | 'findings' | 'verdict' = 'fields'): Explanation {
  const outcome = engine.explain({ body, context: noContext }, defaultPolicy, depth);
  assert.ok(outcome.kind === 'explained', JSON.stringify(outcome));
  return outcome.explanation;
}

describe('an explanation', () => {
  it('has the verdict of screening', () => {
    for (const depth of ['fields', 'findings', 'verdict'] as const) {
      const body = JSON.stringify({ q: encodeURIComponent(attack), b: 'honest' });
      const { verdict } = explain(body, depth);
      const screened = engine.screen({ body, context: noContext }, defaultPolicy);
      assert.ok(screened.kind === 'verdict');
      const findings = verdict.findings.map(({ steps: _steps, ...finding }) => finding);
      assert.deepEqual({ ...verdict, findings }, screened.verdict);
    }
  });

  it('shows each decoding, and the evidence at its span in the last one', () => {
    const twice = Buffer.from(encodeURIComponent(attack)).toString('base64');
    const [finding] = explain(JSON.stringify({ q: twice })).verdict.findings;
    assert.ok(finding !== undefined);
    assert.deepEqual(finding.decoded, ['base64', 'percent']);
    assert.deepEqual(
      finding.steps.map(({ decoder, text }) => [decoder, text]),
      [
        ['', twice],
        ['base64', encodeURIComponent(attack)],
        ['percent', attack],
      ],
    );
  });

  it('cuts long texts round the evidence', () => {
    const filler = 'lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(60);
    const raw = encodeURIComponent(`${filler}<script>alert(1)</script>${filler}`);
    const { verdict } = explain(JSON.stringify({ a: { q: raw } }), 'findings');
    assert.ok(verdict.findings.length > 0);
    for (const finding of verdict.findings) {
      const last = finding.steps.at(-1);
      assert.ok(last?.truncated);
      const [start, end] = finding.span;
      assert.equal(last.text.slice(start - last.start, end - last.start), finding.evidence);
      for (const step of finding.steps) {
        assert.ok(step.text.length <= limits.stepCharsMax);
        assert.match(step.text, /script/);
      }
    }
  });

  it('tells the ends of a name that is half of the body, and no more', () => {
    const body = { ['n'.repeat(200_000)]: { a: attack, b: `<script>alert(1)</script>` } };
    const { verdict } = explain(JSON.stringify(body), 'findings');
    assert.ok(verdict.findings.length > 1);
    for (const { pointer, steps } of verdict.findings) {
      assert.ok(pointer.length <= limits.pointerCharsMax);
      assert.match(pointer, /^\/n{990,}…n{990,}\/[ab]$/);
      assert.ok(steps.length > 0, 'the way to the evidence is found');
    }
  });

  it('of every example of every rule leads from the raw text to the evidence', () => {
    let steps = 0;
    for (const { rules } of detectors) {
      for (const example of rules.flatMap((rule) => rule.examples)) {
        const body = JSON.stringify(
          typeof example === 'string' ? { value: example } : example.body,
        );
        const { verdict, fields } = explain(body);
        const viewed = fields.flatMap(({ views }) => views.flatMap(({ findings }) => findings));
        for (const [index, finding] of verdict.findings.entries()) {
          const last = finding.steps.at(-1);
          assert.ok(last !== undefined, `${finding.rule} in ${body}`);
          const [start, end] = finding.span;
          const shown = last.text.slice(start - last.start, end - last.start);
          assert.equal(shown, finding.evidence);
          assert.equal(finding.steps.length, finding.decoded.length + 1);
          assert.ok(viewed.includes(index), `${finding.rule} has no view in ${body}`);
          steps += finding.steps.length;
        }
      }
    }
    assert.ok(steps > 1_000);
  });

  it('lists fields, their views and the rules that were asked', () => {
    const { fields, truncated } = explain(JSON.stringify({ q: encodeURIComponent(attack), n: 1 }));
    assert.equal(truncated, false);
    assert.deepEqual(
      fields.map(({ pointer, where }) => `${where} ${pointer}`),
      ['name /q', 'value /q', 'name /n'],
    );
    const views = fields[1]?.views ?? [];
    assert.deepEqual(
      views.map(({ decoded }) => decoded),
      [[], ['percent']],
    );
    assert.ok(views[1]?.rulesAsked.some((rule) => rule.startsWith('sqli.')));
    assert.ok((views[1]?.findings.length ?? 0) > 0);
  });

  it('is bounded', () => {
    const members = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`member${index}`, 'a<b'.repeat(2_000)]),
    );
    const { fields, truncated } = explain(JSON.stringify(members));
    assert.equal(truncated, true);
    const views = fields.flatMap((field) => field.views);
    assert.equal(views.length, limits.explainViewsMax);
    assert.ok(views.every(({ text }) => text.length <= limits.explainTextCharsMax));
  });

  it('of a body that is not acceptable is its fault', () => {
    const outcome = engine.explain({ body: '[', context: noContext }, defaultPolicy, 'fields');
    assert.deepEqual(outcome, { kind: 'rejected', fault: 'body-not-json' });
  });
});
