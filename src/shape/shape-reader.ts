import { Worker } from 'node:worker_threads';
import { limits } from '../contract/limits.ts';
import type { ShapeOutcome, ShapeReader } from '../contract/shape-reader.ts';
import type { ShapeTask } from './compile-check.ts';

/** Documents that wait; an administrator sends one at a time. */
const waitingMax = 8;

const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };

/**
 * Reads and compiles shapes, each on a thread that lives for it alone: one that takes too long or
 * too much memory is ended, and the administrator gets an error. No request waits for it.
 */
export function createShapeReader(
  options: { readonly workerFile?: URL; readonly msMax?: number } = {},
): ShapeReader & { close(): Promise<void> } {
  const { workerFile = defaultWorkerFile(), msMax = limits.shapeReadMsMax } = options;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let running: Worker | undefined;

  async function run(task: ShapeTask): Promise<ShapeOutcome> {
    if (waiting >= waitingMax) return fault('too many documents are being read; try again');
    waiting += 1;
    const turn = last.then(() => onThread(task));
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  }

  function onThread(task: ShapeTask): Promise<ShapeOutcome> {
    const worker = new Worker(workerFile, { workerData: task, resourceLimits });
    running = worker;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(fault(`takes longer than ${msMax / 1_000} s to read and compile; split it`));
      }, msMax);
      worker.on('message', (outcome: ShapeOutcome) => resolve(outcome));
      worker.on('error', () => resolve(fault('needs too much memory to be read; split it')));
      worker.on('exit', () => resolve(fault('could not be read; try again')));
      worker.once('exit', () => clearTimeout(timer));
    }).finally(() => worker.terminate()) as Promise<ShapeOutcome>;
  }

  return {
    read: (text, readOptions) => run({ kind: 'read', text, options: readOptions }),
    check: (shape) => run({ kind: 'check', shape }),
    close: async () => {
      await running?.terminate();
    },
  };
}

function fault(message: string): ShapeOutcome {
  return { kind: 'not-valid', problems: [{ pointer: '', message }] };
}

/** Beside this file in the same form: TypeScript in the sources, JavaScript when built. */
function defaultWorkerFile(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`../../workers/shape.${extension}`, import.meta.url);
}
