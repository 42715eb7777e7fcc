import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { describeScanner } from '../conformance/scanner.ts';
import { scanInput } from '../support/scan-input.ts';

describeScanner('inline scanner', () => createInlineScanner());

it('inline scanner: a defect of the core fails the request and does not throw', async () => {
  const scanner = createInlineScanner({
    engine: {
      screen: () => {
        throw new TypeError('broken');
      },
    },
  });
  const outcome = await scanner.scan(scanInput('{}'));
  assert.ok(outcome.kind === 'failed' && outcome.detail.includes('TypeError: broken'));
});
