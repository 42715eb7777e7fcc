import type { TestContext } from 'node:test';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** A Sallyport in a process of its own, and a key that it knows. Ended after the test. */
export async function realSallyport(
  t: TestContext,
  args: readonly string[] = [],
): Promise<{ readonly url: string; readonly key: string; readonly kill: () => Promise<void> }> {
  const served = await startServing(t, tempDir(t), ['serve', ...args]);
  const made = await runCli(['keys', 'create', '--name', 'app', '--data-dir', 'd'], served);
  const key = made.out.trimEnd();
  await until('the key is known', async () => {
    const answer = await fetch(`${served.address}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: '{}',
    });
    return answer.status === 200;
  });
  const kill = async () => {
    served.child.kill('SIGKILL');
    await served.ended;
  };
  return { url: served.address, key, kill };
}
