import { createScreener } from '../../src/screener.ts';
import { answerJob } from '../lib/job.ts';
import { grammarFor } from './grammar/index.ts';
import { campaign } from './judge/campaign.ts';
import { Judged } from './judge/judged.ts';
import type { JobInput, JobReport } from './judge/run-jobs.ts';
import { search } from './judge/search.ts';
import { oracles } from './oracle/index.ts';
import { rewritersFor } from './rewrite/index.ts';

// One interpreter in a separate process.
answerJob<JobInput, JobReport>(async ({ oracle: name, attacks, seed, search: budget }) => {
  const oracle = oracles.find((one) => one.name === name);
  if (oracle === undefined) throw new Error(`${name} is no oracle; --list shows the names.`);
  const grammar = grammarFor(oracle);
  const began = performance.now();
  const running = await oracle.start();
  const judged = new Judged(running, createScreener(), rewritersFor(oracle));
  const report = await campaign(oracle, grammar, judged, { seed, attacks });
  const found = budget && (await search(oracle, grammar, judged, { seed, budget }));
  await running.close();
  const seconds = (performance.now() - began) / 1_000;
  return { ...report, judgements: judged.judgements, search: found, seconds };
});
