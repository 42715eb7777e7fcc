import { formatNumber } from './format.ts';
import { type Measure, reachesTarget } from './measure.ts';

/** The cells of one line of the report. */
export function rowOf(measure: Measure): readonly string[] {
  const { median, low, high, unit, mbPerSecond, note } = measure;
  const spread = median === 0 ? 0 : Math.max(high - median, median - low) / Math.abs(median);
  return [
    measure.name,
    measure.input,
    formatNumber(median),
    unit,
    measure.repeats === 1 ? '' : `±${Math.round(spread * 100)} %`,
    mbPerSecond === undefined ? '' : formatNumber(mbPerSecond),
    targetOf(measure),
    note ?? '',
  ];
}

/** The names of the columns. */
export const columns = [
  'what',
  'on',
  'median',
  'unit',
  'spread',
  'MB/s',
  'target',
  'note',
] as const;

/** Columns of numbers stand to the right. */
export const isNumeric: readonly boolean[] = [false, false, true, false, true, true, false, false];

function targetOf(measure: Measure): string {
  const { target } = measure;
  if (target === undefined) return '';
  const sign = target.kind === 'min' ? '≥' : '≤';
  const verdict = reachesTarget(measure) === true ? 'reached' : 'missed';
  return `${sign} ${formatNumber(target.value)} ${verdict}`;
}

/** The report of one part as text. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = [columns, ...measures.map(rowOf)];
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows
    .map((row) => row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function pad(cell: string, column: number, width: number): string {
  return isNumeric[column] === true ? cell.padStart(width) : cell.padEnd(width);
}
