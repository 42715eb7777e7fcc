import type { Policy } from '../../src/contract/policy.ts';
import { noContext, type ScreeningRequest } from '../../src/contract/request.ts';
import { answerJob } from '../lib/job.ts';
import { Random } from '../lib/random.ts';
import { manyOperations } from './operations.ts';
import { prose } from './prose.ts';
import { requestFor, textsOf, withContext } from './requests.ts';
import { screeningWith, shapeOfDocument } from './screening.ts';
import { Values } from './values.ts';

/** How requests come: written by our clients, of JSON or of forms, or JSON beside context headers. */
export type RequestKind = 'json' | 'form' | 'context';

export interface ShapeJob {
  readonly kind: RequestKind;
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

answerJob(async ({ kind, requests, rounds }: ShapeJob): Promise<ShapeAnswer> => {
  const media = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const shape = shapeOfDocument(JSON.stringify(manyOperations(media)));
  const routes = shape.routes ?? [];
  const random = new Random(1);
  const values = new Values(shape, random, prose);
  const all: ScreeningRequest[] = [];
  for (let at = 0; at < requests; at++) {
    const request = requestFor(random.pick(routes), values, random);
    if (kind === 'context') all.push(withContext(request));
    else for (const body of await textsOf(request)) all.push({ body, context: noContext });
  }
  const { engine, without, withShape } = screeningWith(shape);
  for (const request of all) {
    const result = engine.screen(request, withShape);
    if (result.kind !== 'verdict' || result.verdict.decision === 'block') {
      throw new Error(`is benign, and blocked: ${JSON.stringify(request)}`);
    }
  }
  const time = (policy: Policy): number => {
    // Of processor time other processes take less than of the clock.
    const before = process.cpuUsage();
    for (const request of all) engine.screen(request, policy);
    const { user, system } = process.cpuUsage(before);
    return Math.max(user + system, 1) / all.length;
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
