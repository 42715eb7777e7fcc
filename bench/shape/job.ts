import type { Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { answerJob } from '../lib/job.ts';
import { Random } from '../lib/random.ts';
import { manyOperations } from './operations.ts';
import { prose } from './prose.ts';
import { requestFor, textsOf } from './requests.ts';
import { isBlocked, screeningWith, shapeOfDocument } from './screening.ts';
import { Values } from './values.ts';

export interface ShapeJob {
  readonly requests: number;
  readonly rounds: number;
}

/** Microseconds of processor time for one request, one pair for each round. */
export interface ShapeAnswer {
  readonly operations: number;
  readonly without: readonly number[];
  readonly withShape: readonly number[];
}

/** As in a service, the code of each of the 200 operations has run often before it is timed. */
const warmUpRounds = 20;

answerJob(async ({ requests, rounds }: ShapeJob): Promise<ShapeAnswer> => {
  const shape = shapeOfDocument(JSON.stringify(manyOperations()));
  const routes = shape.routes ?? [];
  const random = new Random(1);
  const values = new Values(shape, random, prose);
  const texts: string[] = [];
  for (let at = 0; at < requests; at++) {
    texts.push(...(await textsOf(requestFor(random.pick(routes), values, random))));
  }
  const { engine, without, withShape } = screeningWith(shape);
  for (const text of texts) {
    if (isBlocked(engine, [text], withShape)) throw new Error(`is benign, and blocked: ${text}`);
  }
  const time = (policy: Policy): number => {
    // Of processor time other processes take less than of the clock.
    const before = process.cpuUsage();
    for (const body of texts) engine.screen({ body, context: noContext }, policy);
    const { user, system } = process.cpuUsage(before);
    return Math.max(user + system, 1) / texts.length;
  };
  const answer = { operations: routes.length, without: [] as number[], withShape: [] as number[] };
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    // By turns, so that a disturbance of the machine hits both alike.
    const [one, other] = [time(without), time(withShape)];
    if (round < warmUpRounds) continue;
    answer.without.push(one);
    answer.withShape.push(other);
  }
  return answer;
});
