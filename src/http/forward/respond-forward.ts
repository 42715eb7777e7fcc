import { refusalOf } from '../../client-request/refusal.ts';
import type { RefusalReason } from '../../client-request/refusal-texts.ts';
import type { BodyFault, ErrorCode } from '../../contract/errors.ts';
import { type AnswerKind, answers } from '../../contract/live.ts';
import type { Policy } from '../../contract/policy.ts';
import type { ProxiedRequest } from '../../contract/ports.ts';
import { type Answer, type Header, writeAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { statusLine } from '../problem.ts';

type Client = Pick<ProxiedRequest, 'headers'>;
/** As what an answer is counted. */
type Counted = Pick<Answer, 'problem'> & { readonly kind: AnswerKind };

const ok = statusLine(200);
const forbidden = statusLine(403);

/** Answers that the request may go on. No proxy reads the body; users who try the route do. */
export function pass(exchange: Exchange, counted: Counted): void {
  const body = `{"id":"${exchange.decisionId}","decision":"allow"}`;
  writeAnswer(exchange, { status: ok, type: 'application/json', body, ...counted });
}

/**
 * Answers that the request must not go on, in words for the client: most proxies hand them on.
 */
export function refuse(
  exchange: Exchange,
  { headers }: Client,
  why: RefusalReason,
  counted: Counted,
): void {
  const client = { method: '', url: '', address: '', headers };
  const refusal = refusalOf(client, { why, status: 403 }, exchange.decisionId);
  // Every answer has the id, and its type, already.
  const { 'content-type': type = '', 'x-decision-id': _id, ...others } = refusal.headers;
  writeAnswer(exchange, {
    status: forbidden,
    type,
    body: refusal.body,
    headers: Object.entries(others) satisfies Header[],
    ...counted,
  });
}

/** The same for a request that was not screened: a key in monitor mode refuses nothing. */
export function refuseUnchecked(
  exchange: Exchange,
  client: Client,
  { mode }: Pick<Policy, 'mode'>,
  problem: ErrorCode,
): void {
  const counted = { kind: answers.refused, problem };
  if (mode === 'monitor') pass(exchange, counted);
  else refuse(exchange, client, unscreenable.has(problem) ? 'partial' : 'unchecked', counted);
}

/** To try again does not help these. */
const unscreenable: ReadonlySet<ErrorCode> = new Set([
  'body-not-utf8',
  'body-not-json',
  'body-not-object',
  'body-too-deep',
  'body-too-many-members',
] satisfies BodyFault[]);

/** From here on every problem of an exchange is an outage, for which a proxy gets 200 or 403. */
export function answerOutages(
  exchange: Exchange,
  client: Client,
  policy: Pick<Policy, 'mode' | 'onOutage'>,
): void {
  exchange.onProblem = (problem) => {
    if (policy.onOutage === 'allow') pass(exchange, { kind: answers.refused, problem });
    else refuseUnchecked(exchange, client, policy, problem);
  };
}
