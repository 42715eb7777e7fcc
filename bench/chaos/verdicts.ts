import type { ControlAnswer } from '../lib/ask.ts';

/** What became of a request. */
export const outcomes = ['good', 'refused', 'unreachable', 'lost', 'wrong'] as const;
export type Outcome = (typeof outcomes)[number];

/** The first answer to each body; all later ones must be the same. */
export type Wanted = Map<string, string>;

interface Asked {
  readonly id: string;
  readonly text: string;
  readonly expect: 'allow' | 'block';
}

/** What an answer makes of its request. */
export function verdictOf(
  wanted: Wanted,
  { id, text, expect }: Asked,
  { status, headers, body }: ControlAnswer,
): { readonly outcome: Outcome; readonly detail: string } {
  const wrong = (detail: string) => ({ outcome: 'wrong', detail }) as const;
  if (headers['x-request-id'] !== id) {
    return wrong(`asked as ${id}, answered as ${headers['x-request-id']}`);
  }
  if (status === 503 || status === 429) {
    if (headers['retry-after'] === undefined) return wrong(`${status} without Retry-After`);
    return { outcome: 'refused', detail: String(status) };
  }
  const right = expect === 'allow' ? 200 : 403;
  if (status !== right) return wrong(`${status} instead of ${right}: ${body}`);
  const verdict = withoutId(body);
  const first = wanted.get(text);
  if (first === undefined) wanted.set(text, verdict);
  else if (first !== verdict) return wrong(`the verdict drifts: ${first}, then ${verdict}`);
  return { outcome: 'good', detail: '' };
}

/** What an answer says. A verdict has a fresh id each time, and nothing else that may change. */
export function withoutId(body: string): string {
  try {
    const { id: _, ...verdict } = JSON.parse(body) as Record<string, unknown>;
    return JSON.stringify(verdict);
  } catch {
    return `not JSON: ${body}`;
  }
}
