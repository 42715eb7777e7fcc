import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeComplaint } from '../../src/deploy/known-node.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A program that is no Node, in a folder below the test's own. */
function programIn(folder: string): string {
  const path = join(tempDir(), folder, 'node');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'not the Node that it says');
  return path;
}

test('a Node of npm that is another than it says is refused with both digests', () => {
  const path = programIn('node_modules/node/bin');
  const complaint = nodeComplaint({ path, version: 'v22.23.3', platform: 'linux-x64' }) ?? '';
  assert.match(complaint, /has the SHA-256 [0-9a-f]{64}, and v22\.23\.3 .* has fde6a4bf/);
  assert.match(complaint, /Install Node\.js 22\.16 or newer/);
});

test('a Node of npm that is not recorded is refused, one of the system is not', () => {
  const path = programIn('node_modules/node/bin');
  const unknown = { path, version: 'v22.23.3', platform: 'linux-arm64' };
  assert.match(nodeComplaint(unknown) ?? '', /none that we know/);
  const own = programIn('usr/bin');
  assert.equal(nodeComplaint({ ...unknown, path: own }), undefined);
});

test('the Node that runs this is taken where it is the recorded one', (t) => {
  const { execPath: path, version, arch } = process;
  if (version !== 'v22.23.3' || arch !== 'x64' || process.platform !== 'linux') {
    t.skip('another Node than the recorded one');
    return;
  }
  assert.equal(nodeComplaint({ path, version, platform: 'linux-x64' }), undefined);
});
