import { escaped } from '../differential/engine/wire-request.ts';
import { Random } from '../lib/random.ts';
import { inTurn } from './in-turn.ts';
import { type RawRequest, rawRequest } from './raw-requests.ts';
import { type FuzzRun, Report } from './report.ts';
import { answersIn, type CameBack, exchange } from './wire.ts';

/** Statuses that the service gives to bytes from a stranger. 500 is not one of them. */
const known = [100, 200, 400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 426, 429, 431, 503];
const statuses: ReadonlySet<number> = new Set([...known, 505]);

/** Enough for an answer, also on a busy machine; bytes that were changed may ask for none. */
const soundMs = 20_000;
const changedMs = 300;
const afterMs = 30;
/** Every so many silent connections one is watched until the server closes it. */
const watchedEvery = 40;
/** Longer than the server lets a connection be idle, or wait for the rest of a request. */
const closedMsMax = 40_000;

/** Changed requests over sockets: each gets an answer that is right, or is closed; nothing hangs. */
export async function fuzzRaw({ port, key, requests, seed }: FuzzRun): Promise<Report> {
  const report = new Report('raw');
  const watched: Promise<void>[] = [];
  let silent = 0;
  await inTurn(requests, connections, async (number) => {
    const random = new Random(seed + number * 7_919);
    const tag = `rq${seed.toString(36)}n${number}e`;
    const request = rawRequest(random, { key, tag });
    const isSound = request.status !== undefined;
    const silentMs = isSound ? soundMs : changedMs;
    const cameBack = await exchange(port, request.pieces, { silentMs, afterMs });
    checkAnswers(report, { request, key, tag, cameBack });
    const isSilent = cameBack.bytes.length === 0 && !cameBack.isClosed;
    if (isSilent) report.count('silent');
    if (isSilent && silent++ % watchedEvery === 0) watched.push(watch(report, port, request));
  });
  await Promise.all(watched);
  return report;
}

const tags = /rq[0-9a-z]+n\d+e/g;

const connections = 24;

/** A request that has no answer is not left open for ever. */
async function watch(report: Report, port: number, { pieces }: RawRequest): Promise<void> {
  const patience = { silentMs: closedMsMax, afterMs: closedMsMax };
  const { isClosed } = await exchange(port, pieces, patience);
  report.count('watched until closed');
  if (!isClosed) report.fail('left open', escaped(Buffer.concat(pieces)));
}

/** Reports what should not have come back. */
export function checkAnswers(
  report: Report,
  sent: {
    readonly request: RawRequest;
    readonly key: string;
    readonly tag: string;
    readonly cameBack: CameBack;
  },
): void {
  const { request, key, tag, cameBack } = sent;
  const bytes = Buffer.concat(request.pieces);
  // The key goes with the service; a row of the corpus has its own.
  const fail = (what: string) => report.fail(what, escaped(bytes).replaceAll(key, 'KEY'));
  const { answers, rest } = answersIn(cameBack.bytes);
  if (rest !== '') fail('something that is no answer of HTTP/1.1');
  for (const { status, head, body } of answers) {
    report.count(String(status));
    if (!statuses.has(status)) fail(`answered ${status}`);
    for (const [other] of `${head}${body}`.matchAll(tags)) {
      if (!bytes.includes(other)) fail('text of another request');
    }
    const decides = body.includes('"decision"');
    if (decides && !bytes.includes(key)) fail('a verdict without a key');
    if (decides && status !== 200 && status !== 403) fail(`a verdict with ${status}`);
  }
  if (request.status === undefined) return;
  const [first, ...others] = answers;
  if (first === undefined) fail('a sound request has no answer');
  else if (first.status !== request.status) fail(`${first.status} instead of ${request.status}`);
  else if (!first.head.includes(tag)) fail('the answer to another request');
  if (others.length > 0) fail(`${answers.length} answers to one request`);
}
