import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 20;

/** Waits until a condition holds; fails with its name after `tries` pauses of 20 ms. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  tries = 3_000,
): Promise<void> {
  for (let i = 0; i < tries; i += 1) {
    if (await holds()) return;
    await delay(pauseMs);
  }
  throw new Error(`Waited in vain: ${what}`);
}
