import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../lib/free-port.ts';
import { ownTarget } from '../lib/plan.ts';
import { type Started, startProcess } from '../lib/server.ts';

/** Starts front ends that share one port, each a process with threads of its own. */
export async function startFronts(fronts: number, threadsEach: number): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const started: Awaited<ReturnType<typeof startFront>>[] = [];
  const stop = async () => {
    for (const one of started) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Port 0 is never shared, so one is chosen beforehand.
    const port = await freePort();
    for (let i = 0; i < fronts; i += 1) {
      started.push(await startFront(folder, port, threadsEach));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const [first] = started;
  if (first === undefined) throw new RangeError('At least one front end is needed.');
  return {
    ...first,
    key,
    pids: started.flatMap(({ pids }) => pids),
    statuses: { allow: 200, block: 403 },
    stop,
  };
}

const key = 'bench';

function startFront(folder: string, port: number, threads: number) {
  const { root, ending, nodeFlags } = ownTarget();
  const program = join(root, `bench/scaling/front-server${ending}`);
  const settings = ['--port', String(port), '--workers', String(threads), '--key', key];
  return startProcess(process.execPath, [...nodeFlags, program, ...settings], {
    folder,
    addressIn: (output) => (output.startsWith('http') ? new URL(output.trim()) : undefined),
  });
}
