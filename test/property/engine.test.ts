import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Finding } from '../../src/contract/verdict.ts';
import { createEngine } from '../../src/core/engine.ts';
import { type Field, pointerOf } from '../../src/core/extract/field.ts';
import { readJson } from '../../src/core/extract/json-reader.ts';
import { replay } from '../../src/core/normalise/replay.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { fixtureBodies } from '../support/fixtures.ts';
import { attacks } from './attacks.ts';
import { encodings } from './encodings.ts';
import { screenBody, verdictOn } from './screen.ts';

const strictest: Policy = { ...defaultPolicy, sensitivity: 4 };

/**
 * Attacks cut and pasted, encoded, and mixed with other text: what rules and decoders stumble over.
 */
const hostileText = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom(...attacks), fc.nat(40), fc.nat(60))
        .map(([attack, start, length]) => attack.slice(start, start + length)),
      fc.constantFrom(...attacks),
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(...'\'"`<>(){}[];|&$%\\/*-=#!\u0000\n\r\t ,.:@~^+_?'),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

const encodedText = fc
  .tuple(hostileText, fc.array(fc.constantFrom(...encodings), { maxLength: 2 }))
  .map(([text, chain]) =>
    // Half of a surrogate pair has no percent-encoding.
    chain.reduce((encoded, encoding) => encoding.encode(encoded), text.toWellFormed()),
  );

const body = fc.dictionary(
  fc.oneof(fc.constantFrom('q', 'a', 'header.host', 'method', '$where', '__proto__'), hostileText),
  fc.oneof(encodedText, hostileText, fc.jsonValue(), fc.array(hostileText, { maxLength: 3 })),
  { maxKeys: 5 },
);

describe('the engine', () => {
  it('gives a verdict on any JSON object, and the same one again', () => {
    const other = createEngine();
    fc.assert(
      fc.property(body, (value) => {
        const text = JSON.stringify(value);
        const result = screenBody(text);
        assert.equal(result.kind, 'verdict');
        assert.deepEqual(other.screen({ body: text, context: noContext }, defaultPolicy), result);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps nothing of a request for the next one, in this engine or in another', () => {
    const bodies = fixtureBodies().map((one) => JSON.stringify(one));
    const alone = bodies.map((one) => screenBody(one));
    const engines = [createEngine(), createEngine()];
    for (const [index, text] of [...bodies.entries()].reverse()) {
      const engine = engines[index % 2];
      const result = engine?.screen({ body: text, context: noContext }, defaultPolicy);
      assert.deepEqual(result, alone[index], text);
    }
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.json()), (text) => {
        screenBody(text);
        screenBody(`{"a":${JSON.stringify(text)}}`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('proves each finding: pointer, decodings and span lead to the evidence', () => {
    fc.assert(
      fc.property(body, (value) => {
        const text = JSON.stringify(value);
        const result = screenBody(text, strictest);
        assert.equal(result.kind, 'verdict');
        for (const finding of result.verdict.findings) checkEvidence(text, finding);
      }),
      { numRuns: 2_000 },
    );
    for (const attack of attacks) {
      for (const { encode } of encodings) {
        const value = { filters: [{ q: encode(attack) }], [encode(attack)]: 1 };
        const findings = verdictOn(value, strictest).findings;
        for (const finding of findings) checkEvidence(JSON.stringify(value), finding);
      }
    }
  });

  it('does not look at the order of the members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), encodedText, { minKeys: 2, maxKeys: 5 }), (value) => {
        // Whole numbers as names would keep their order, and a special name its meaning.
        const entries = Object.entries(value).map(([name, text]) => [`m${name}`, text] as const);
        const forward = verdictOn(Object.fromEntries(entries), strictest);
        const backward = verdictOn(Object.fromEntries(entries.toReversed()), strictest);
        assert.equal(backward.decision, forward.decision);
        // What decides comes sooner in one of the orders, and ends the decoding of what is behind it.
        if ([forward, backward].some(({ coverage }) => coverage.reasons.includes('decided'))) {
          assert.equal(backward.findings[0]?.score, forward.findings[0]?.score);
          return;
        }
        // A full list keeps the strongest; of equal ones, those that came first.
        if (forward.findings.length < limits.findingsMax) {
          assert.deepEqual(outline(backward.findings), outline(forward.findings));
        }
        assert.equal(backward.score, forward.score);
      }),
      { numRuns: 500 },
    );
  });

  it('does not let an honest member take away from the verdict', () => {
    fc.assert(
      fc.property(encodedText, (text) => {
        const alone = verdictOn({ q: text });
        const beside = verdictOn({ name: 'Anna Schmidt', q: text, page: '2', note: 'see you!' });
        assert.ok(beside.score >= alone.score);
      }),
      { numRuns: 500 },
    );
  });

  it('does work in proportion to the length, whatever the text is', () => {
    const units = detectors.flatMap((detector) =>
      detector.rules.flatMap((rule) => rule.examples.filter((one) => typeof one === 'string')),
    );
    const pieces = [...new Set([...units, ...attacks, ...openers])];
    for (const piece of pieces) {
      const [short, long] = [2_000, 8_000].map((length) => {
        const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
        const result = screenBody(JSON.stringify({ value: text }));
        return result.kind === 'verdict' ? result.steps : 0;
      });
      assert.ok(short !== undefined && long !== undefined && short > 0);
      // Each view is read once by the prefilter, and once by each grammar and decoder.
      assert.ok(long <= 5 * short + 10_000, `${JSON.stringify(piece)}: ${short} → ${long}`);
    }
  });
});

/** Beginnings that wait for an end. */
const openers = [
  "'",
  '"',
  '(',
  '[',
  '{',
  '<',
  '<a b="',
  '<!--',
  '/*',
  '${',
  '{{',
  '$(',
  '`',
  '%',
  '&',
];

function checkEvidence(text: string, finding: Finding): void {
  const [start, end] = finding.span;
  assert.ok(start >= 0 && start < end, `${finding.rule}: span ${start} to ${end}`);
  assert.ok(end - start <= limits.evidenceCharsMax);
  const fields: Field[] = [];
  readJson(text, fields);
  const raws = fields.filter((field) => pointerOf(field.node) === finding.pointer);
  const proofs = raws.map((field) => replay(field.text, finding.decoded)?.slice(start, end));
  assert.ok(
    proofs.includes(finding.evidence),
    `${finding.rule} at ${finding.pointer} through ${finding.decoded.join(' > ')}: ` +
      `${JSON.stringify(finding.evidence)} is not among ${JSON.stringify(proofs)}`,
  );
}

/** Findings without their order and place. */
function outline(findings: readonly Finding[]): string[] {
  return findings.map((one) => `${one.rule} ${one.pointer} ${one.score} ${one.evidence}`).sort();
}
