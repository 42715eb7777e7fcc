import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownTarget } from '../lib/plan.ts';
import { type Started, startProcess } from '../lib/server.ts';

/** Starts the route that screens nothing. */
export async function startBare(): Promise<Started> {
  const { root, ending, nodeFlags } = ownTarget();
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const program = join(root, `bench/http/bare-server${ending}`);
  const started = await startProcess(process.execPath, [...nodeFlags, program], {
    folder,
    addressIn: (output) => (output.startsWith('http') ? new URL(output.trim()) : undefined),
  });
  return {
    ...started,
    key: 'none',
    statuses: { allow: 200, block: 200 },
    stop: async () => {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
