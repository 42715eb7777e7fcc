import { createScreener } from '../../src/screener.ts';
import { answerJob } from '../lib/job.ts';
import { fuzz } from './engine/fuzz.ts';
import type { JobInput, JobReport } from './engine/run-jobs.ts';
import { readers } from './readers/index.ts';

// One reader in a separate process.
answerJob<JobInput, JobReport>(async ({ reader: name, requests, seed, onIncomplete }) => {
  const reader = readers.find((one) => one.name === name);
  if (reader === undefined) throw new Error(`${name} is no reader; --list shows the names.`);
  const running = await reader.start({ onIncomplete });
  let crashes = 0;
  process.on('uncaughtException', (error) => {
    crashes += 1;
    if (crashes <= 3) console.error(`${name}: nothing caught`, error);
  });
  const screener = createScreener();
  const began = performance.now();
  const report = await fuzz(running, { seed, requests, screener });
  const seconds = (performance.now() - began) / 1_000;
  await running.close();
  return { ...report, seconds, crashes };
});
