import type { Screener } from '../../../src/clients/outcome.ts';

/** What Sallyport says of a request with these fields. */
export interface Verdict {
  readonly isBlocked: boolean;
  /** 0 to 100. */
  readonly score: number;
  /** The rule of the best finding; empty without one. */
  readonly rule: string;
}

/** Asks for a verdict at the default policy. */
export async function verdictOf(
  screener: Screener,
  names: readonly string[],
  values: readonly string[],
): Promise<Verdict> {
  return verdictOfText(screener, jsonOf(names, values));
}

/** Of several requests that one attack sends, the verdict on what passes best. */
export async function verdictOfRequests(
  screener: Screener,
  requests: readonly (readonly string[])[],
): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const texts of requests) {
    // A request of several texts is blocked for each of them.
    const all = await Promise.all(texts.map((text) => verdictOfText(screener, text)));
    verdicts.push(all.reduce((one, other) => (isWorse(other, one) ? other : one)));
  }
  return verdicts.reduce((one, other) => (isWorse(one, other) ? other : one));
}

function isWorse(one: Verdict, other: Verdict): boolean {
  if (one.isBlocked !== other.isBlocked) return one.isBlocked;
  return one.score > other.score;
}

async function verdictOfText(screener: Screener, text: string): Promise<Verdict> {
  const outcome = await screener.screen(text);
  if (outcome.kind === 'failed') return { isBlocked: true, score: 100, rule: outcome.failure.code };
  const { score, findings } = outcome.answer;
  return { isBlocked: outcome.kind === 'blocked', score, rule: findings[0]?.rule ?? '' };
}

/** As text, since an object literal has no own `__proto__`; a name that comes again stays. */
function jsonOf(names: readonly string[], values: readonly string[]): string {
  const members = names.map((name, index) => {
    return `${JSON.stringify(name)}:${JSON.stringify(values[index] ?? '')}`;
  });
  return `{${members.join(',')}}`;
}
