import { createScreener } from '../../src/screener.ts';
import { fuzz } from './engine/fuzz.ts';
import { readers } from './readers/index.ts';

// One reader in a process of its own: node job.ts READER REQUESTS SEED [allow|block]

const [name, requests, seed, choice] = process.argv.slice(2);
const reader = readers.find((one) => one.name === name);
if (reader === undefined) throw new Error(`${name} is no reader; --list shows the names.`);

let crashes = 0;
process.on('uncaughtException', (error) => {
  crashes += 1;
  if (crashes <= 3) console.error(`${name}: nothing caught`, error);
});

const onIncomplete = choice === 'allow' || choice === 'block' ? choice : undefined;
const running = await reader.start({ onIncomplete });
const screener = createScreener();
const began = performance.now();
const report = await fuzz(running, { seed: Number(seed), requests: Number(requests), screener });
const seconds = (performance.now() - began) / 1000;
await running.close();
process.stdout.write(JSON.stringify({ ...report, seconds, crashes }), () => process.exit());
