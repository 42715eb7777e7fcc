import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageOf } from '../../bench/differential/engine/report.ts';
import { runJobs } from '../../bench/differential/engine/run-jobs.ts';
import { nodeReaders, outsideReaders } from '../../bench/differential/readers/index.ts';
import { missingTools } from '../../bench/lib/installed.ts';
import { requireInstalled } from '../support/require-tool.ts';

/** The same requests in each run. `npm run bench:differential` has others each time. */
const seeds = [1];

describe('what an application reads is what is screened', { concurrency: 2 }, () => {
  for (const reader of nodeReaders) {
    it(`by ${reader.name}`, () => agree(reader, 400));
  }

  for (const reader of outsideReaders) {
    it(`by ${reader.name}`, async (t) => {
      const missing = missingTools(reader);
      if (!requireInstalled(t, missing.join(', '), missing.length === 0)) return;
      await agree(reader, 120);
    });
  }
});

async function agree(reader: (typeof nodeReaders)[number], requests: number): Promise<void> {
  for (const seed of seeds) {
    const options = { seed, requests, jobs: 1, onIncomplete: undefined };
    const results = await runJobs([reader], options, (line) =>
      console.log(`seed ${seed}: ${line}`),
    );
    const [result] = results;
    assert.equal(result?.report.disagreeing, 0, `seed ${seed}\n${pageOf(results, options)}`);
    assert.equal(result.report.crashes, 0, `seed ${seed}: an error that nothing caught`);
    assert.ok(result.report.reached > requests / 4, 'too few requests came as far as the handler');
  }
}
