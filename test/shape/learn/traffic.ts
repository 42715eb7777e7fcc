import type { ClientRequest, RequestBody } from '../../../src/client-request/request-members.ts';
import { membersOf } from '../../../src/client-request/request-members.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Shape } from '../../../src/contract/shape.ts';
import type { Field } from '../../../src/core/extract/field.ts';
import { readJson } from '../../../src/core/extract/json-reader.ts';
import {
  DeclaredTable,
  emptyPair,
  type LearntPair,
  learn,
} from '../../../src/shape/learn/learner.ts';

export const noon = Date.UTC(2026, 0, 1, 12);

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly route?: string;
  readonly body?: RequestBody | object;
  readonly headers?: ClientRequest['headers'];
}

/** The text that our clients write for a request. */
export async function textOfRequest({
  method,
  url,
  route,
  body,
  headers = {},
}: Sent): Promise<string> {
  const given = body === undefined ? { kind: 'none' as const } : body;
  const isJson = !('kind' in given);
  const all = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers };
  const request = { address: '', method, url, route, headers: all };
  const parts = isJson ? { kind: 'parsed' as const, value: given } : given;
  const { texts } = await membersOf(request, parts as RequestBody);
  return texts[0] ?? '{}';
}

/** What is learnt of requests, one a second. */
export function learnTexts(
  texts: readonly string[],
  options: { readonly declared?: Shape; readonly into?: LearntPair; readonly at?: number } = {},
): LearntPair {
  const pair = options.into ?? emptyPair();
  const known = emptyPair().passed;
  const table = options.declared === undefined ? undefined : new DeclaredTable(options.declared);
  texts.forEach((body, index) => {
    const fields: Field[] = [];
    readJson(body, fields);
    const now = (options.at ?? noon) + 1_000 * index;
    const request = { body, context: noContext };
    learn(request, fields, { into: pair.passed, known, table, now, salt: 7 });
  });
  return pair;
}

export async function learnRequests(
  requests: readonly Sent[],
  options: Parameters<typeof learnTexts>[1] = {},
): Promise<LearntPair> {
  return learnTexts(await Promise.all(requests.map(textOfRequest)), options);
}

const states = ['new', 'paid', 'sent'];
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
export const uuidOf = (number: number): string =>
  `${hex(number * 2_654_435_761, 8).slice(0, 8)}-1234-4abc-8def-${hex(number, 12)}`;

/** One request of the traffic of a small shop. */
export function shopRequest(number: number): Sent {
  switch (number % 4) {
    case 0:
      return {
        method: 'GET',
        url: `/v1/orders?page=${1 + (number % 7)}&sort=${number % 8 ? 'price' : 'name'}`,
      };
    case 1:
      return { method: 'GET', url: `/v1/orders/${uuidOf(number)}` };
    case 2:
      return {
        method: 'POST',
        url: '/v1/orders',
        body: {
          id: uuidOf(number),
          state: states[number % 3],
          password: `hunter${number * 7_919}x`,
          note: `Please ring twice, then wait: ${'x'.repeat(number % 40)}`,
          items: [{ sku: `ABC-${number}`, qty: 1 + (number % 5), gift: number % 8 === 2 }],
          ...(number % 12 === 2 ? { coupon: `SPRING-${number % 100}` } : {}),
        },
      };
    default:
      return { method: 'DELETE', url: `/v1/users/${1_000 + number}/sessions` };
  }
}

export const shopTraffic = (count: number, from = 0): Sent[] =>
  Array.from({ length: count }, (_, at) => shopRequest(from + at));
