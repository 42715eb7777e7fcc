import type { Circumstances } from '../../lib/record.ts';
import { familySection, headOf } from '../judge/page.ts';
import type { Attacked, AttackReport } from './measure.ts';

/** One line of what came of an attack, for the terminal. */
export function lineOf({ attack, target, bare, behind, replayed, seconds }: AttackReport): string {
  return [
    attack.padEnd(32),
    target.padEnd(36),
    `bare ${bare.effective} of ${bare.requests} effective, ${bare.findings.length} findings;`,
    `behind ${behind.effective} of ${behind.requests}, ${behind.findings.length} findings;`,
    `again ${replayed.effective} of ${replayed.requests}, ${seconds} s`,
  ].join(' ');
}

/** The record as Markdown: a table by tool, one by attack, what got through and was effective. */
export function rangePage(circumstances: Circumstances, reports: readonly AttackReport[]): string {
  const names = [...new Set(reports.map(({ attack }) => toolOf(attack)))];
  const byTool = names.map((name) => ({
    name,
    own: reports.filter(({ attack }) => toolOf(attack) === name),
  }));
  return [
    ...headOf('Tools against the range', circumstances),
    'Requests that reached a canary, of all requests; findings are what the tool says itself. *Again*: each request that was effective on the bare site, sent to the guarded one as it was.',
    '',
    ...head('tool', 'attacks'),
    ...byTool.map(({ name, own }) => row([name, String(own.length)], own)),
    '',
    ...head('attack', 'target'),
    ...reports.map((report) => row([report.attack, report.target], [report])),
    '',
    ...unscreenedLine(reports),
    '## Findings behind Sallyport',
    '',
    ...reports
      .filter(({ behind }) => behind.findings.length > 0)
      .map(({ attack, target, behind }) => `- ${attack}, ${target}: ${behind.findings.join('; ')}`),
    '',
    '## Effective requests that passed',
    ...reports.flatMap(({ attack, families }) => familySection(attack, families)),
    '',
  ].join('\n');
}

/** A machine that is too busy leaves requests unscreened: then the numbers behind are too good. */
function unscreenedLine(reports: readonly AttackReport[]): string[] {
  const count = sum(
    reports.flatMap(({ behind, replayed }) => [behind.unscreened, replayed.unscreened]),
  );
  return count === 0 ? [] : [`${count} requests were refused since the service took too long.`, ''];
}

function toolOf(attack: string): string {
  return attack.split('/')[0] ?? '';
}

function head(first: string, second: string): string[] {
  const names = [
    first,
    second,
    'bare',
    'findings',
    'behind',
    'findings',
    'again',
    'passed of effective',
  ];
  return [`| ${names.join(' | ')} |`, `|---|---|${'---:|'.repeat(names.length - 2)}`];
}

function row(names: readonly string[], reports: readonly AttackReport[]): string {
  const cells = [
    ...countsOf(reports.map(({ bare }) => bare)),
    ...countsOf(reports.map(({ behind }) => behind)),
    ratio(reports.map(({ replayed }) => replayed)),
    rate(reports),
  ];
  return `| ${[...names, ...cells].join(' | ')} |`;
}

function countsOf(all: readonly Attacked[]): string[] {
  return [ratio(all), String(sum(all.map(({ findings }) => findings.length)))];
}

function ratio(all: readonly Omit<Attacked, 'findings'>[]): string {
  const effective = sum(all.map((one) => one.effective));
  return `${effective} / ${sum(all.map(({ requests }) => requests))}`;
}

/** Of what was sent again. */
function rate(reports: readonly AttackReport[]): string {
  const all = reports.map(({ replayed }) => replayed);
  const requests = sum(all.map((one) => one.requests));
  if (requests === 0) return '–';
  return `${((sum(all.map(({ effective }) => effective)) / requests) * 100).toFixed(1)} %`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
