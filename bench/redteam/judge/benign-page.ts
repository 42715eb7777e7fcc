import type { Circumstances } from '../../lib/record.ts';
import { type BenignReport, perMillion } from './benign.ts';
import { familySection, headOf } from './page.ts';

/** The record of a run over benign texts as Markdown. */
export function benignPage(circumstances: Circumstances, reports: readonly BenignReport[]): string {
  return [
    ...headOf('Red team, benign texts', circumstances),
    'A suspected false positive is a benign text that the default policy blocks and no interpreter that was asked calls an attack.',
    '',
    '| origin | texts | blocked | suspected | asked | suspected per million |',
    '|---|---:|---:|---:|---:|---:|',
    ...reports.map((one) => {
      const { origin, texts, blocked, suspected, asked } = one;
      return `| ${[origin, texts, blocked, suspected, asked, perMillion(one)].join(' | ')} |`;
    }),
    '',
    '## Families of suspected false positives, the heaviest first',
    ...reports.flatMap(({ origin, families }) => familySection(origin, families)),
    '',
  ].join('\n');
}
