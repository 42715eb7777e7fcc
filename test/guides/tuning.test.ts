import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requireTool } from '../support/require-tool.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { blocksIn, readGuide } from './code-blocks.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

/** `npx sallyport` is the program of this checkout, with the data of the server. */
const npx = `npx() {
  shift
  "${process.execPath}" "${program}" "$@" --data-dir d
}
`;

test('the commands of the tuning guide lead from monitor to block', async (t) => {
  if (!requireTool(t, 'curl')) return;
  const served = await startServing(t, tempDir(), ['serve']);
  const [, guide = ''] = readGuide('src/policies/README.md').split('## Tuning\n');
  const blocks = blocksIn(guide);
  const printed = blocks.find(({ language }) => language === '')?.text ?? '';
  const commands = blocks.filter(({ language }) => language === 'sh');
  const script = npx + commands.map(({ text }) => text).join('');
  const here = script.replaceAll('http://127.0.0.1:8080', served.address);
  const { stdout } = await run('sh', ['-euc', here], { cwd: served.cwd });
  const lines = stdout.trimEnd().split('\n');
  const [letPass = ''] = lines.splice(5, 1);
  assert.match(letPass, /on\w+=/, 'an attack that the exclusion would let pass');
  assert.deepEqual(lines, [
    ...['block', 'block', ...printed.trimEnd().split('\n'), '1'],
    ...['2', 'allow', 'block', '403'],
    ...['3', 'allow', '0'],
  ]);
});
