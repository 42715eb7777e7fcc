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
  const outcome = await screener.screen(jsonOf(names, values));
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
