import { Agent, type IncomingMessage, request } from 'node:http';
import { Random } from '../differential/generator/random.ts';
import type { NamedBody } from '../lib/inputs.ts';
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
 * Requests at a steady rate, each with an id of its own, and each answer held against the first
 * one to the same body. A request that finds no free connection waits for one.
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
    this.#agent = new Agent({ keepAlive: true, maxSockets: line.connections });
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
    void this.#ask(id, text).then(
      ({ response, body }) => {
        const { outcome, detail } = verdictOf(this.#wanted, { id, text, expect }, response, body);
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

  #ask(id: string, text: string): Promise<{ response: IncomingMessage; body: string }> {
    return new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: this.#line.port(),
        path: '/control',
        method: 'POST',
        agent: this.#agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-api-key': this.#line.key,
          'x-request-id': id,
        },
        timeout: answerMsMax,
      });
      asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
      asked.once('error', reject);
      asked.once('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        response.once('error', reject);
        response.once('end', () => resolve({ response, body }));
      });
      asked.end(text);
    });
  }
}
