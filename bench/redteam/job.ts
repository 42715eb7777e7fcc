import { createScreener } from '../../src/screener.ts';
import { grammars } from './grammar/index.ts';
import { campaign } from './judge/campaign.ts';
import { Judged } from './judge/judged.ts';
import { search } from './judge/search.ts';
import { oracles } from './oracle/index.ts';
import { rewriters } from './rewrite/index.ts';

// One interpreter in a separate process: node job.ts ORACLE ATTACKS SEED SECONDS-OF-SEARCH

const [name, attacks, seed, searchSeconds] = process.argv.slice(2);
const oracle = oracles.find((one) => one.name === name);
if (oracle === undefined) throw new Error(`${name} is no oracle; --list shows the names.`);
const grammar = grammars.find(({ language }) => language === oracle.language);
if (grammar === undefined) throw new Error(`${name}: no grammar makes ${oracle.language}.`);
const own = rewriters.filter(
  ({ language, dialects }) =>
    language === oracle.language && (dialects === undefined || dialects.includes(oracle.name)),
);

const began = performance.now();
const running = await oracle.start();
const judged = new Judged(running, createScreener(), own);
const report = await campaign(oracle, grammar, judged, {
  seed: Number(seed),
  attacks: Number(attacks),
});
const found =
  Number(searchSeconds) > 0
    ? await search(oracle, grammar, judged, { seed: Number(seed), seconds: Number(searchSeconds) })
    : undefined;
await running.close();
const seconds = (performance.now() - began) / 1000;
process.stdout.write(JSON.stringify({ ...report, search: found, seconds }), () => process.exit());
