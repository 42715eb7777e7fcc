import type { Outcome, Screener } from './outcome.ts';

/** What became of a request, and those of its texts that were not screened. */
export interface ScreenedTexts {
  readonly outcome: Outcome;
  readonly left: readonly string[];
}

/**
 * Screens the texts of one request, one after the other and all within the time for one call: side
 * by side they would make each other late. It ends with the first that is blocked or fails, so that
 * a long request counts as one failure.
 */
export async function screenAll(
  screener: Screener,
  texts: readonly string[],
  startedAt: number,
): Promise<ScreenedTexts> {
  let worst: Outcome | undefined;
  for (const [index, text] of texts.entries()) {
    const outcome = await screener.screen(text, {
      ...timeLeft(screener, startedAt),
      describesRequest: true,
    });
    if (outcome.kind !== 'allowed') return { outcome, left: texts.slice(index) };
    if (worst === undefined || outcome.answer.would === 'block') worst = outcome;
  }
  if (worst === undefined) throw new RangeError('A request has at least one text.');
  return { outcome: worst, left: [] };
}

function timeLeft({ timeoutMs }: Screener, startedAt: number): { readonly timeoutMs?: number } {
  if (timeoutMs === undefined) return {};
  return { timeoutMs: Math.max(0, timeoutMs - (performance.now() - startedAt)) };
}
