import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Ask, SimulatedPool, type Told } from './simulated-pool.ts';

const heavy: Ask = { owner: 'flood', bytes: 24_000, costMs: 5.5, patienceMs: 150 };
const light: Ask = { owner: 'seldom', bytes: 45, costMs: 0.05, patienceMs: 150 };
const runMs = 4_000;
/** By then it is known what requests cost. */
const learntMs = 1_000;

/** What was told from `learntMs` on. */
class Scenario {
  readonly told: Told[] = [];
  readonly pool: SimulatedPool;

  constructor(threads: number, handOverMs?: number) {
    this.pool = new SimulatedPool(threads, handOverMs);
  }

  /** So many requests a second, whatever becomes of them. */
  open(ask: Ask, perSecond: number): void {
    this.pool.ask(ask, this.#note);
    this.pool.at(this.pool.now + 1_000 / perSecond, () => this.open(ask, perSecond));
  }

  /** Callers that each ask again a tenth of a millisecond after their answer. */
  closed(ask: Ask, callers: number): void {
    for (let index = 0; index < callers; index += 1) this.#again(ask);
  }

  run(): this {
    this.pool.run(runMs);
    return this;
  }

  of(ask: Ask, outcome: Told['outcome']): readonly Told[] {
    return this.told.filter((one) => one.ask === ask && one.outcome === outcome);
  }

  p99(ask: Ask): number {
    const took = this.of(ask, 'good').map(({ tookMs }) => tookMs);
    return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
  }

  /** Thread time of what was answered in time, as a share of all thread time. */
  workedShare(ask: Ask): number {
    return (this.of(ask, 'good').length * ask.costMs) / (runMs - learntMs);
  }

  #again(ask: Ask): void {
    this.pool.ask(ask, (told) => {
      this.#note(told);
      this.pool.at(this.pool.now + 0.1, () => this.#again(ask));
    });
  }

  readonly #note = (told: Told): void => {
    if (this.pool.now >= learntMs) this.told.push(told);
  };
}

describe('a pool that is asked for more than it can do', () => {
  for (const factor of [2, 5, 10]) {
    it(`does as much as ever at ${factor} times what it can do, and refuses the rest`, () => {
      const scenario = new Scenario(2);
      scenario.open(heavy, (factor * 2 * 1_000) / heavy.costMs);
      scenario.run();
      const share = scenario.workedShare(heavy) / 2;
      assert.ok(share >= 0.95, `${share} of both threads`);
      assert.deepEqual(scenario.of(heavy, 'late'), []);
    });
  }

  it('keeps a thread busy though the front end takes long to hand it its next batch', () => {
    for (const ask of [{ ...heavy, bytes: 1_000, costMs: 0.15 }, light]) {
      const scenario = new Scenario(1, 3);
      scenario.open(ask, 2_000 / ask.costMs);
      scenario.run();
      const share = scenario.workedShare(ask);
      assert.ok(share >= 0.85, `${share} of the thread with ${ask.bytes} bytes`);
      assert.deepEqual(scenario.of(ask, 'late'), []);
    }
  });

  for (const threads of [2, 4]) {
    it(`has no light request wait for heavy ones of another key, of ${threads} threads`, () => {
      const alone = new Scenario(threads);
      alone.closed(light, 1);
      const beside = new Scenario(threads);
      beside.open(heavy, (10 * threads * 1_000) / heavy.costMs);
      beside.closed(light, 1);
      assert.equal(beside.run().p99(light), alone.run().p99(light));
      assert.deepEqual([beside.of(light, 'late'), beside.of(light, 'refused')], [[], []]);
      const share = beside.workedShare(heavy);
      assert.ok(share > 0.95 * (threads - 1), `all but one are busy with the others: ${share}`);
    });
  }

  it('has a light request wait for one heavy one where there is one thread', () => {
    const scenario = new Scenario(1);
    scenario.open(heavy, 1_820);
    scenario.closed(light, 1);
    const p99 = scenario.run().p99(light);
    assert.ok(p99 < heavy.costMs + 0.2, `${p99} ms`);
    assert.deepEqual([scenario.of(light, 'late'), scenario.of(light, 'refused')], [[], []]);
  });

  it('has a request wait for a short batch of another key', () => {
    const scenario = new Scenario(1);
    const medium = { ...heavy, bytes: 3_000, costMs: 1 };
    scenario.open(medium, 5_000);
    scenario.closed(light, 1);
    const p99 = scenario.run().p99(light);
    assert.ok(p99 < 2.3, `${p99} ms`);
    assert.ok(scenario.workedShare(medium) > 0.9);
  });

  it('shares one thread between many light requests and heavy ones of another key', () => {
    const scenario = new Scenario(1);
    scenario.open(heavy, 1_820);
    scenario.closed(light, 32);
    scenario.run();
    const [ofHeavy, ofLight] = [scenario.workedShare(heavy), scenario.workedShare(light)];
    assert.ok(ofHeavy > 0.4 && ofLight > 0.15, `${ofHeavy} and ${ofLight}`);
    assert.ok(scenario.p99(light) < heavy.costMs + 4, `${scenario.p99(light)} ms`);
  });

  it('refuses no light request for one that is at work for long on another thread', () => {
    const { patienceMs } = light;
    const long: Ask = { owner: 'long', bytes: 700_000, costMs: 20 * patienceMs, patienceMs: 9_999 };
    const scenario = new Scenario(2);
    scenario.open(light, 15_000);
    scenario.pool.at(learntMs / 2, () => scenario.closed(long, 1));
    scenario.run();
    assert.equal(scenario.of(light, 'refused').length, 0);
    assert.ok(scenario.of(light, 'good').length > 15 * (runMs - learntMs) - 99);
  });
});
