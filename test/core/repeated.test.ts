import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';

const engine = createEngine();

const screen = (body: unknown) => {
  const result = engine.screen({ body: JSON.stringify(body), context: noContext }, defaultPolicy);
  assert.equal(result.kind, 'verdict');
  return { found: result.verdict.findings.map((one) => one.pointer), steps: result.steps };
};

const record = JSON.stringify({
  events: Array.from({ length: 300 }, (_, id) => ({ id, text: 'a; b=c' })),
});
const attack = `${record.slice(0, 4_096)}' UNION SELECT password FROM users -- `;

describe('long values that a batch repeats', () => {
  const once = screen({ log: { 'msg[10]': record } }).steps;

  it('are screened once where they stand alike', () => {
    const { steps, found } = screen({ log: { 'msg[10]': record, 'msg[11]': record } });
    assert.deepEqual(found, []);
    assert.ok(steps < 1.5 * once, `${steps} steps, alone ${once}`);
  });

  it('are screened in each place that is another', () => {
    const values = { log: { 'msg[10]': record, note: record }, 'msg[10]': record };
    assert.ok(screen(values).steps > 2.5 * once);
  });

  it('are found in each place where they are an attack', () => {
    const { found } = screen({ 'msg[1]': attack, 'msg[2]': attack, list: [attack, attack] });
    assert.deepEqual(found.sort(), ['/list/0', '/list/1', '/msg[1]', '/msg[2]']);
  });
});
