import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Breaker } from '../../src/clients/breaker.ts';

const options = { failuresMax: 3, pauseMs: 100 };

function opened(): Breaker {
  const breaker = new Breaker(options);
  for (let i = 0; i < 3; i += 1) breaker.failed('request', 1_000);
  return breaker;
}

describe('a circuit breaker', () => {
  it('opens at failures in a row only', () => {
    const breaker = new Breaker(options);
    for (let i = 0; i < 10; i += 1) {
      assert.equal(breaker.admit(i), 'request');
      breaker.failed('request', i);
      breaker.failed('request', i);
      breaker.succeeded('request');
    }
    assert.equal(breaker.state, 'closed');
    assert.equal(opened().state, 'open');
  });

  it('lets nobody pass for the pause, then one probe, and nobody beside it', () => {
    const breaker = opened();
    assert.equal(breaker.admit(1_099), undefined);
    assert.equal(breaker.admit(1_100), 'probe');
    assert.equal(breaker.admit(1_101), undefined);
    assert.equal(breaker.admit(9_999), undefined);
  });

  it('closes when the probe succeeds', () => {
    const breaker = opened();
    breaker.admit(1_100);
    breaker.succeeded('probe');
    assert.equal(breaker.admit(1_101), 'request');
    breaker.failed('request', 1_102);
    assert.equal(breaker.state, 'closed', 'failures are counted anew');
  });

  it('opens again for a whole pause when the probe fails', () => {
    const breaker = opened();
    breaker.admit(1_100);
    breaker.failed('probe', 1_150);
    assert.equal(breaker.admit(1_249), undefined);
    assert.equal(breaker.admit(1_250), 'probe');
  });

  it('is not moved by requests that began before it opened', () => {
    const breaker = opened();
    breaker.succeeded('request');
    assert.equal(breaker.state, 'open');
    breaker.admit(1_100);
    breaker.succeeded('request');
    breaker.failed('request', 1_105);
    assert.equal(breaker.state, 'probing');
    breaker.failed('probe', 1_110);
    breaker.failed('request', 1_200);
    assert.equal(breaker.admit(1_210), 'probe', 'the pause is counted from the probe');
  });
});
