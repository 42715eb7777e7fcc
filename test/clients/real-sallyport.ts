import type { TestContext } from 'node:test';
import { createClient } from '../../src/clients/client.ts';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** A Sallyport in a process of its own, and a key that it knows. Ended after the test. */
export async function realSallyport(
  t: TestContext,
  args: readonly string[] = [],
): Promise<{ readonly url: string; readonly key: string; readonly kill: () => Promise<void> }> {
  const served = await startServing(t, tempDir(), ['serve', ...args]);
  const made = await runCli(['keys', 'create', '--name', 'app', '--data-dir', 'd'], served);
  const key = made.out.trimEnd();
  const client = createClient({ url: served.address, key, failuresMax: 1e9 });
  t.after(() => client.close());
  await until('the key is known', async () => (await client.screen({})).kind === 'allowed');
  const kill = async () => {
    served.child.kill('SIGKILL');
    await served.ended;
  };
  return { url: served.address, key, kill };
}
