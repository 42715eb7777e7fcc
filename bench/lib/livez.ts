import { setTimeout as delay } from 'node:timers/promises';

const lateMs = 20_000;

/** The longest time that an answer of `/livez` took, asked again and again, milliseconds. */
export async function slowestLivez(
  { host, port }: { readonly host: string; readonly port: number },
  { pauseMs, until }: { readonly pauseMs: number; readonly until: AbortSignal },
): Promise<number> {
  const url = `http://${host}:${port}/livez`;
  let slowest = 0;
  // The first one opens the connection.
  await (await fetch(url)).text();
  while (!until.aborted) {
    const askedAt = performance.now();
    // One that is late is given up, and has taken that long at least.
    const answer = fetch(url, { signal: AbortSignal.timeout(lateMs) });
    await answer.then((got) => got.text()).catch(() => undefined);
    slowest = Math.max(slowest, performance.now() - askedAt);
    await delay(pauseMs);
  }
  return slowest;
}
