import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { categories } from '../../src/contract/category.ts';
import { createEngine } from '../../src/core/engine.ts';
import { complaintsOnFixtures, readFixtures } from '../support/fixtures.ts';

const attacks = new URL('../fixtures/attacks/', import.meta.url);
const benign = new URL('../fixtures/benign/', import.meta.url);
const engine = createEngine();
/** What a policy declares is no attack by itself: the examples of its rules hold their shape. */
const detected = categories.filter((category) => category !== 'shape');

describe('attack fixtures are blocked at default sensitivity', () => {
  for (const category of detected) {
    it(category, () => assertDecided(new URL(`${category}.jsonl`, attacks), 'block'));
  }

  it('has no file that is not a category', () => {
    const expected = detected.map((category) => `${category}.jsonl`).sort();
    assert.deepEqual(readdirSync(attacks).sort(), expected);
  });
});

describe('benign fixtures are allowed at default sensitivity', () => {
  const files = readdirSync(benign).filter((name) => name.endsWith('.jsonl'));

  it('there are some', () => assert.ok(files.length > 0, `no file in ${benign.pathname}`));

  for (const name of files) {
    it(name, () => assertDecided(new URL(name, benign), 'allow'));
  }
});

/** One message for all failures of a file. */
function assertDecided(file: URL, expected: 'allow' | 'block'): void {
  const fixtures = readFixtures(file);
  assert.ok(fixtures.length > 0, `${file.pathname} is empty`);
  const complaints = complaintsOnFixtures(engine, fixtures, expected);
  const missed = `${complaints.length} of ${fixtures.length} are not decided '${expected}'`;
  assert.equal(complaints.length, 0, `${missed}:\n  ${complaints.join('\n  ')}\n`);
}
