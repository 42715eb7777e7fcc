import { Agent } from 'node:http';
import { withoutId } from '../chaos/verdicts.ts';
import { escaped } from '../differential/engine/wire-request.ts';
import { json } from '../differential/generator/json.ts';
import { attacks, name, percentEncoded, text } from '../differential/generator/texts.ts';
import { ask, type ControlAnswer } from '../lib/ask.ts';
import { adversarialBody, readAdversaries } from '../lib/inputs.ts';
import { Random } from '../lib/random.ts';
import { inTurn } from './in-turn.ts';
import { type FuzzRun, Report } from './report.ts';

const connections = 32;
const msMax = 60_000;
/** Every so many bodies one is sent again, three times, in another order. */
const keptEvery = 16;
const keptMax = 4_000;
const statuses: ReadonlySet<number> = new Set([200, 400, 403, 413, 422, 429, 503]);

interface Kept {
  readonly body: Buffer;
  readonly said: string;
}

/**
 * Bodies to `/control`: each answer is right in form, belongs to its request alone, and is the same
 * when the same body is sent again.
 */
export async function fuzzContent({ port, key, requests, seed }: FuzzRun): Promise<Report> {
  const report = new Report('content');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const kept: Kept[] = [];
  const send = async (body: Buffer, id: string): Promise<ControlAnswer | undefined> => {
    try {
      const answer = await ask({ port, key, agent, id, body, msMax });
      report.count(String(answer.status));
      checkAnswer(report, { body, id, answer });
      return answer;
    } catch (error) {
      report.fail(`no answer: ${(error as Error).message}`, escaped(body));
      return undefined;
    }
  };
  const bodies = new Bodies(seed);
  await inTurn(requests, connections, async (number) => {
    const body = bodies.next(tagOf(seed, number));
    const answer = await send(body, tagOf(seed, number));
    const isKept = number % keptEvery === 0 && kept.length < keptMax && answer?.status !== 503;
    if (isKept && answer !== undefined) kept.push({ body, said: saidOf(answer) });
  });
  const again = new Random(seed).shuffled([...kept, ...kept, ...kept]);
  await inTurn(again.length, connections, async (number) => {
    const one = again[number];
    if (one === undefined) return;
    const answer = await send(one.body, tagOf(seed, requests + number));
    report.count('sent again');
    if (answer === undefined || answer.status === 503) return;
    const said = saidOf(answer);
    if (said !== one.said) report.fail('another verdict for the same body', escaped(one.body));
  });
  agent.destroy();
  return report;
}

/** Text that stands nowhere by chance. */
function tagOf(seed: number, number: number): string {
  return `tq${seed.toString(36)}n${number}e`;
}

const tags = /tq[0-9a-z]+n\d+e/g;

function saidOf({ status, body }: ControlAnswer): string {
  return `${status} ${withoutId(body)}`;
}

/** Reports what an answer should not be. */
export function checkAnswer(
  report: Report,
  {
    body,
    id,
    answer,
  }: { readonly body: Buffer; readonly id: string; readonly answer: ControlAnswer },
): void {
  const fail = (what: string) => report.fail(what, escaped(body));
  const { status, headers } = answer;
  if (!statuses.has(status)) fail(`answered ${status}`);
  if (headers['x-request-id'] !== id) fail('the answer to another request');
  const said = withoutId(answer.body);
  if (said.startsWith('not JSON')) fail('the answer is not JSON');
  const own = body.toString('latin1');
  for (const [tag] of answer.body.matchAll(tags)) {
    if (!own.includes(tag)) fail('text of another request');
  }
  const decision = /"decision":"(\w+)"/.exec(said)?.[1];
  if (status === 200 && decision !== 'allow') fail(`200 with ${decision}`);
  if (status === 403 && decision !== 'block') fail(`403 with ${decision}`);
  if (status === 503 && headers['retry-after'] === undefined) fail('503 without Retry-After');
}

/** Bodies by a seed. */
class Bodies {
  readonly #random: Random;
  readonly #adversaries = readAdversaries();
  #last: Buffer = Buffer.from('{}');

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(tag: string): Buffer {
    this.#last = this.#make(tag);
    return this.#last;
  }

  #make(tag: string): Buffer {
    const random = this.#random;
    const named = (value: unknown) => Buffer.from(JSON.stringify({ [tag]: value }));
    switch (random.below(9)) {
      case 0:
        return Buffer.from(json(random));
      case 1:
        return named(random.pick(attacks));
      case 2:
        return named(`${tag}${encoded(random.pick(attacks), random)}`);
      case 3:
        return named(random.times(1 + random.below(20), () => [name(random), text(random)]));
      case 4:
        return named(bytes(random, 400).toString('latin1'));
      case 5:
        return bytes(random, 600);
      case 6:
        return Buffer.from(
          adversarialBody(random.pick(this.#adversaries), random.below(20_000) + 9),
        );
      case 7:
        return changed(this.#last, random);
      default:
        return named(encoded(encoded(text(random), random), random));
    }
  }
}

function bytes(random: Random, most: number): Buffer {
  return Buffer.from(random.times(random.below(most), () => random.below(256)));
}

function changed(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1);
  const until = Math.min(body.length, at + random.below(4));
  return Buffer.concat([body.subarray(0, at), bytes(random, 4), body.subarray(until)]);
}

function encoded(value: string, random: Random): string {
  return random.pick([
    () => percentEncoded(value, random),
    () => Buffer.from(value).toString('base64'),
    () => value.replace(/[^\w]/g, (character) => `&#${character.codePointAt(0)};`),
    () => value.replace(/[^\w]/g, (character) => `\\u${hex(character)}`),
  ])();
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
