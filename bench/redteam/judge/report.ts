import type { Circumstances } from '../../lib/record.ts';
import type { AttackReport } from '../range/measure.ts';
import { rangePage } from '../range/range-page.ts';
import type { BenignReport } from './benign.ts';
import { benignPage } from './benign-page.ts';
import { depthMax, type Tally } from './campaign.ts';
import { familySection, headOf } from './page.ts';
import type { JobReport } from './run-jobs.ts';
import type { SearchReport } from './search.ts';

/** A run over several interpreters, as it is kept. */
export interface RedteamRecord {
  readonly version: 1;
  readonly circumstances: Circumstances;
  readonly campaigns: readonly JobReport[];
  /** In place of campaigns: what is blocked of benign texts. */
  readonly benign?: readonly BenignReport[];
  /** In place of campaigns: what tools did to the range. */
  readonly tools?: readonly AttackReport[];
}

/** One line of what came of a campaign, for the terminal. */
export function lineOf(report: JobReport): string {
  const rates = report.depths.map(rateOf).join('  ');
  const { judgements, seconds, search } = report;
  const speed = Math.round(judgements / Math.max(seconds, 0.001));
  const searched =
    search === undefined
      ? ''
      : `, search brought ${search.passed} of ${search.started} past (${budgetOf(search)})`;
  return `${report.oracle.padEnd(18)} ${String(report.depths[0]?.effective ?? 0).padStart(6)} work, passed ${rates}${searched}, ${speed} judgements/s`;
}

/** The record as Markdown: rates by category and by interpreter, families with their examples. */
export function pageOf(record: RedteamRecord): string {
  const { circumstances, campaigns, benign, tools } = record;
  if (tools !== undefined) return rangePage(circumstances, tools);
  if (benign !== undefined) return benignPage(circumstances, benign);
  const total = sum(campaigns.flatMap(({ depths }) => depths));
  return [
    ...headOf('Red team', circumstances),
    `${total.effective} attacks that work by a real interpreter, of which ${total.passed} passed the default policy.`,
    '',
    'Passed of effective, by the number of rewritings.',
    '',
    ...table('category', byCategory(campaigns)),
    '',
    ...table(
      'oracle',
      campaigns.map(({ oracle, depths }) => ({ name: oracle, depths })),
    ),
    '',
    ...searchTable(campaigns),
    '## Families that pass, the heaviest first',
    ...campaigns.flatMap(familiesOf),
    '',
  ].join('\n');
}

/** What a walk downhill brought past, of the plain attacks that were blocked. */
function searchTable(campaigns: readonly JobReport[]): string[] {
  const rows = campaigns.flatMap(({ oracle, search }) => {
    if (search === undefined) return [];
    const { started, passed, tries, families } = search;
    const cells = [oracle, budgetOf(search), tries, started, passed, families.length];
    return [`| ${cells.join(' | ')} |`];
  });
  if (rows.length === 0) return [];
  const head = '| search | budget | tries | blocked attacks | brought past | families |';
  return [head, '|---|---:|---:|---:|---:|---:|', ...rows, ''];
}

function budgetOf({ budget }: SearchReport): string {
  return 'seconds' in budget ? `${budget.seconds} s` : `${budget.tries} tries each`;
}

interface Row {
  readonly name: string;
  readonly depths: readonly Tally[];
}

function byCategory(campaigns: readonly JobReport[]): Row[] {
  const names = [...new Set(campaigns.map(({ category }) => category))].sort();
  return names.map((name) => {
    const own = campaigns.filter(({ category }) => category === name);
    const depths = Array.from({ length: depthMax + 1 }, (_, depth) =>
      sum(own.flatMap((one) => one.depths[depth] ?? [])),
    );
    return { name, depths };
  });
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (all, { effective, passed }) => ({
      effective: all.effective + effective,
      passed: all.passed + passed,
    }),
    { effective: 0, passed: 0 },
  );
}

function table(head: string, rows: readonly Row[]): string[] {
  return [
    `| ${head} | effective | 0 | 1 | 2 | 3 |`,
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map(({ name, depths }) => {
      return `| ${name} | ${sum(depths).effective} | ${depths.map(rateOf).join(' | ')} |`;
    }),
  ];
}

function rateOf({ effective, passed }: Tally): string {
  return effective === 0 ? '–' : `${((passed / effective) * 100).toFixed(1)} %`;
}

function familiesOf({ oracle, families, familyCount, search }: JobReport): string[] {
  return [
    ...familySection(oracle, families, familyCount),
    ...familySection(`${oracle}, by search`, search?.families ?? []),
  ];
}
