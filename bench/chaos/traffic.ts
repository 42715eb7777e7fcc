import { Agent } from 'node:http';
import { ask } from '../lib/ask.ts';
import type { NamedBody } from '../lib/inputs.ts';
import { Random } from '../lib/random.ts';
import { type Outcome, verdictOf, type Wanted } from './verdicts.ts';

/** A request and its end. */
export interface Ended {
  readonly sentAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** What was not right. */
  readonly detail: string;
}

/** Whom to ask. The port is asked for at each request. */
export interface Line {
  readonly port: () => number;
  readonly key: string;
  readonly connections: number;
}

/** An answer is waited for this long: longer than any fault lasts. */
const answerMsMax = 45_000;
const tickMs = 10;

/**
 * Requests at a steady rate, each with a fresh id. Each answer must be the same as the first one to
 * the same body. A request that finds no free connection waits for one.
 */
export class Traffic {
  readonly ended: Ended[] = [];
  readonly #line: Line;
  readonly #agent: Agent;
  readonly #wanted: Wanted;
  readonly #random: Random;
  readonly #bodies: readonly NamedBody[];
  #timer: NodeJS.Timeout | undefined;
  #underWay = 0;
  #sent = 0;

  constructor(line: Line, bodies: readonly NamedBody[], wanted: Wanted, seed: number) {
    this.#line = line;
    this.#bodies = bodies;
    this.#wanted = wanted;
    this.#random = new Random(seed);
    const maxSockets = line.connections;
    // In turn: one that is idle for ten seconds is closed, and may be so just as it is used.
    this.#agent = new Agent({ keepAlive: true, maxSockets, scheduling: 'fifo' });
  }

  start(perSecond: number): void {
    const startedAt = performance.now();
    let sent = 0;
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1_000) * perSecond;
      for (; sent < due; sent += 1) this.#send();
    }, tickMs);
  }

  /** Sends no more, and waits until all requests have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const giveUpAt = performance.now() + answerMsMax + 1_000;
    while (this.#underWay > 0 && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
    this.#agent.destroy();
  }

  #send(): void {
    // Waits for a connection count from here on, as they would for a caller.
    const sentAt = performance.now();
    const { name, expect, texts } = this.#random.pick(this.#bodies);
    const text = this.#random.pick(texts);
    const id = `${name}-${this.#line.key.slice(-6, -2)}-${this.#sent++}`;
    this.#underWay += 1;
    const { key } = this.#line;
    const port = this.#line.port();
    void ask({ port, key, agent: this.#agent, id, body: text, msMax: answerMsMax }).then(
      (answer) => {
        const { outcome, detail } = verdictOf(this.#wanted, { id, text, expect }, answer);
        this.#end({ sentAt, outcome, detail: `${name}: ${detail}` });
      },
      (error: Error & { code?: string }) => {
        const outcome = error.code === 'ECONNREFUSED' ? 'unreachable' : 'lost';
        this.#end({ sentAt, outcome, detail: `${name}: ${error.message}` });
      },
    );
  }

  #end(ended: Omit<Ended, 'endedAt'>): void {
    this.#underWay -= 1;
    this.ended.push({ ...ended, endedAt: performance.now() });
  }
}
