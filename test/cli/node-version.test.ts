import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeVersionAdvice } from '../../src/cli/node-version.ts';

test('a Node.js that is too old is named, with what to do', () => {
  for (const version of ['v18.20.0', 'v20.20.2', 'v22.15.1']) {
    assert.match(nodeVersionAdvice(version) ?? '', new RegExp(`needs Node.js 22.16.*${version}`));
  }
  for (const version of ['v22.16.0', 'v22.23.3', 'v24.0.0', process.version]) {
    assert.equal(nodeVersionAdvice(version), undefined);
  }
});
