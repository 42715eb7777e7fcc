import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { realSallyport } from '../clients/real-sallyport.ts';
import { blocksIn, readGuide } from '../guides/code-blocks.ts';
import { collect } from '../support/cli.ts';
import { requireTool } from '../support/require-tool.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('start.ts', import.meta.url));

test('the commands of the guide start the shop, and show it attacked and protected', async (t) => {
  if (!requireTool(t, 'curl')) return;
  const [commands] = blocksIn(readGuide('test/sample/README.md'));
  const [curl = ''] = /^curl .*$/m.exec(commands?.text ?? '') ?? [];
  const open = await startShop(t, {});
  assert.match(open, /UNPROTECTED/);
  const stolen = await run('sh', ['-c', addressed(curl, open)]);
  assert.match(stolen.stdout, /kept-from-everybody/);

  const { url, key } = await realSallyport(t);
  const guarded = await startShop(t, { SALLYPORT_KEY: key, SALLYPORT_URL: url });
  assert.match(guarded, new RegExp(`protected by ${url}`));
  await until('the attack is refused', async () => {
    // A machine that is busy lets requests pass after 150 ms.
    const { stdout } = await run('sh', ['-c', addressed(curl, guarded)]);
    return stdout.startsWith('Forbidden');
  });
});

/** Starts the shop on a free port; what it says of itself. */
async function startShop(t: TestContext, settings: Readonly<Record<string, string>>) {
  const { SALLYPORT_KEY: _, ...inherited } = process.env;
  const env = { ...inherited, ...settings, PORT: '0' };
  const child = spawn(process.execPath, [program], { env });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill();
    await ended;
  });
  const out = collect(child.stdout);
  await until('the shop serves', () => out().includes('Ctrl+C'));
  return out();
}

function addressed(command: string, said: string): string {
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\. Stop)/.exec(said) ?? [];
  return command.replace('http://127.0.0.1:3000', address);
}
