import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Engine } from '../../src/core/engine.ts';

/** One line of a fixture file: one value, or a whole body where names or several members matter. */
export type Fixture = { readonly name: string; readonly why: string } & (
  | { readonly input: string }
  | { readonly body: Readonly<Record<string, unknown>> }
);

/** The fixtures of a JSON Lines file. Fails on a malformed line and on a name used twice. */
export function readFixtures(file: URL): Fixture[] {
  const seen = new Set<string>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const fixture: unknown = JSON.parse(line);
      assert.ok(isFixture(fixture), `${file.pathname}:${index + 1}: needs name, why, input | body`);
      assert.ok(!seen.has(fixture.name), `${file.pathname}:${index + 1}: ${fixture.name} again`);
      seen.add(fixture.name);
      return [fixture];
    });
}

/** The bodies of all attack and benign fixtures. */
export function fixtureBodies(): unknown[] {
  return ['attacks', 'benign'].flatMap((kind) => {
    const folder = new URL(`../fixtures/${kind}/`, import.meta.url);
    return readdirSync(folder)
      .flatMap((name) => readFixtures(new URL(name, folder)))
      .map((fixture) => ('body' in fixture ? fixture.body : { value: fixture.input }));
  });
}

/** A readable line for each fixture that is not decided as expected at default sensitivity. */
export function complaintsOnFixtures(
  engine: Engine,
  fixtures: readonly Fixture[],
  expected: 'allow' | 'block',
): string[] {
  return fixtures.flatMap((fixture) => {
    const body = JSON.stringify('body' in fixture ? fixture.body : { value: fixture.input });
    const result = engine.screen({ body, context: noContext }, defaultPolicy);
    if (result.kind === 'rejected') return [`${fixture.name}: rejected as ${result.fault}`];
    const { decision, score, findings } = result.verdict;
    if (decision === expected) return [];
    const rules = findings.map((one) => `${one.rule} ${one.score} at ${one.pointer}`).join(', ');
    const said = `${decision}, score ${score}${rules === '' ? '' : ` (${rules})`}`;
    return [`${fixture.name}: ${said}\n    why: ${fixture.why}\n    ${body.slice(0, shownMax)}`];
  });
}

function isFixture(value: unknown): value is Fixture {
  if (typeof value !== 'object' || value === null) return false;
  const member = (name: string): unknown => Reflect.get(value, name);
  if (typeof member('name') !== 'string' || typeof member('why') !== 'string') return false;
  if (typeof member('input') === 'string') return member('body') === undefined;
  return typeof member('body') === 'object' && member('body') !== null;
}

/** Characters of a body in a complaint: enough to recognise it. */
const shownMax = 200;
