/**
 * Asks real interpreters which attacks work, and Sallyport which of these it finds:
 *
 *   npm run bench:redteam -- [--only A,B] [--attacks N] [--seed S] [--jobs N] [--record] [--list]
 *   npm run bench:redteam -- --benign N [--seed S] [--record]
 *   npm run bench:redteam -- --range [--tools A,B] [--record]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageInfo } from '../../src/config/package-info.ts';
import { createScreener } from '../../src/screener.ts';
import { runCommand } from '../lib/command.ts';
import { missingTools } from '../lib/installed.ts';
import { readCircumstances } from '../lib/record.ts';
import { origins } from './benign/index.ts';
import type { Oracle } from './contract.ts';
import { screenBenign } from './judge/benign.ts';
import { lineOf, pageOf, type RedteamRecord } from './judge/report.ts';
import { type JobReport, runJobs } from './judge/run-jobs.ts';
import { type Options, readOptions, usage } from './options.ts';
import { oracles } from './oracle/index.ts';
import type { AttackReport } from './range/measure.ts';
import { lineOf as attackLine } from './range/range-page.ts';
import { runRange } from './range/run-range.ts';

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const options = readOptions(args);
  if (options.help) {
    console.log(usage);
    return;
  }
  const chosen = chosenOracles(options);
  if (options.list) {
    for (const { name, category, tools } of chosen) {
      console.log([name, category, tools.join(', ')].join('\t'));
    }
    return;
  }
  const { root } = packageInfo();
  const circumstances = readCircumstances(root, 'sources', args);
  const began = performance.now();
  const results = await resultsOf(chosen, options);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const record: RedteamRecord = {
    version: 1,
    circumstances: { ...circumstances, seconds },
    ...results,
  };
  if (options.out === undefined) console.log(pageOf(record));
  else console.log(`wrote ${write(record, resolve(root, options.out)).join(' and ')}`);
}

type Results = Pick<RedteamRecord, 'campaigns' | 'benign' | 'tools'>;

function resultsOf(chosen: readonly Oracle[], options: Options): Promise<Results> {
  if (options.range) return runTools(options);
  return options.benign > 0 ? runBenign(chosen, options) : runAttacks(chosen, options);
}

async function runTools({ tools, toolSeconds: seconds, jobs, smoke }: Options): Promise<Results> {
  const report = (result: AttackReport | Error | string) => {
    if (result instanceof Error) process.exitCode = 2;
    if (typeof result === 'string') console.log(result);
    else console.log(result instanceof Error ? result.message : attackLine(result));
  };
  const reports = await runRange({ tools, seconds, jobs, isSmoke: smoke }, report);
  return { campaigns: [], tools: reports };
}

async function runAttacks(chosen: readonly Oracle[], options: Options): Promise<Results> {
  console.log(`seed ${options.seed}, ${options.attacks} attacks that work for each oracle`);
  const report = (result: JobReport | Error) => {
    if (result instanceof Error) process.exitCode = 2;
    console.log(result instanceof Error ? result.message : lineOf(result));
  };
  return { campaigns: await runJobs(installedOf(chosen), options, report) };
}

async function runBenign(chosen: readonly Oracle[], options: Options): Promise<Results> {
  const { seed, benign: texts } = options;
  console.log(`seed ${seed}, ${texts} benign texts of each origin`);
  const there = origins.filter((origin) => {
    const missing = origin.missing();
    if (missing.length > 0) console.log(`${origin.name}: left out, needs ${missing.join(', ')}`);
    return missing.length === 0;
  });
  const benign = await screenBenign(there, installedOf(chosen), createScreener(), {
    seed,
    texts,
    report: console.log,
  });
  return { campaigns: [], benign };
}

function chosenOracles({ only }: Options): readonly Oracle[] {
  if (only === undefined) return oracles;
  return only.flatMap((text) => {
    const found = oracles.filter(({ name, category }) => name === text || category === text);
    if (found.length > 0) return found;
    throw new Error(`--only ${text}: no oracle and no category of one; --list shows them.`);
  });
}

function installedOf(chosen: readonly Oracle[]): readonly Oracle[] {
  return chosen.filter((oracle) => {
    const missing = missingTools(oracle);
    if (missing.length > 0) console.log(`${oracle.name}: left out, needs ${missing.join(', ')}`);
    return missing.length === 0;
  });
}

function write(record: RedteamRecord, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const { startedAt, commit, isDirty } = record.circumstances;
  const kind = record.tools ? 'redteam-range' : record.benign ? 'redteam-benign' : 'redteam';
  const base = `${kind}-${startedAt.slice(0, 10)}-${commit}${isDirty ? '-changed' : ''}`;
  const paths = ['json', 'md'].map((ending) => join(folder, `${base}.${ending}`));
  const [json = '', page = ''] = paths;
  writeFileSync(json, `${JSON.stringify(record, undefined, 1)}\n`);
  writeFileSync(page, pageOf(record));
  return paths;
}

runCommand(main);
