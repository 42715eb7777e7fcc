import { type BatchMessage, type BatchReply, screenBatchWith } from '../../src/pool/codec.ts';
import { fixtureScreen } from './fixture-screen.ts';

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * A worker that does what a marker in a body asks for, and otherwise screens with `fixtureScreen`.
 * The markers stand for the ways in which a defect can show.
 */
export function screenBatch(message: BatchMessage): BatchReply {
  return screenBatchWith((request, policy) => {
    const { body } = request;
    if (body.includes('@exit')) process.exit(3);
    if (body.includes('@memory')) exhaustMemory();
    if (body.includes('@hang')) for (;;) Atomics.wait(never, 0, 0, 1_000);
    if (body.includes('@spin')) for (;;);
    if (body.includes('@throw')) throw new Error('thrown for one request');
    const pause = /@pause(\d+)/.exec(body);
    if (pause !== null) Atomics.wait(never, 0, 0, Number(pause[1]));
    return fixtureScreen(request, policy);
  }, message);
}

function exhaustMemory(): never {
  const hoard: number[][] = [];
  for (;;) hoard.push(new Array<number>(1_000_000).fill(0.5));
}
