import {
  type BatchMessage,
  type BatchReply,
  type Explained,
  type ExplainMessage,
  ThreadDesk,
} from '../../src/pool/codec.ts';
import { fixtureScreen } from './fixture-screen.ts';

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * A worker that does what a marker in a body asks for, and otherwise screens with `fixtureScreen`.
 * The markers stand for the ways in which a defect can show.
 */
const desk = new ThreadDesk();

export function screenBatch(message: BatchMessage): BatchReply {
  return desk.screen((request, policy) => {
    misbehave(request.body);
    return fixtureScreen(request, policy);
  }, message);
}

export function explain(message: ExplainMessage): Explained {
  return desk.explain((request, policy) => {
    misbehave(request.body);
    const screened = fixtureScreen(request, policy);
    if (screened.kind !== 'verdict') return { kind: 'failed', detail: 'no verdict' };
    const verdict = { ...screened.verdict, findings: [] };
    return {
      kind: 'explained',
      explanation: { verdict, fields: [], steps: 0, truncated: false },
    };
  }, message);
}

function misbehave(body: string): void {
  if (body.includes('@exit')) process.exit(3);
  if (body.includes('@leave')) leaveWhenIdle();
  if (body.includes('@memory')) exhaustMemory();
  if (body.includes('@hang')) for (;;) Atomics.wait(never, 0, 0, 1_000);
  if (body.includes('@spin')) for (;;);
  if (body.includes('@throw')) throw new Error('thrown for one request');
  const work = /@work(\d+)/.exec(body);
  if (work !== null) workFor(Number(work[1]));
  const pause = /@pause(\d+)/.exec(body);
  if (pause !== null) Atomics.wait(never, 0, 0, Number(pause[1]));
}

/** Ends the thread when it waits for its next batch, as Piscina does in its worker. */
function leaveWhenIdle(): void {
  Atomics.wait = () => process.exit(4);
}

function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

function exhaustMemory(): never {
  const hoard: number[][] = [];
  for (;;) hoard.push(new Array<number>(1_000_000).fill(0.5));
}
