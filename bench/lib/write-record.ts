import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf } from './page.ts';
import type { BenchRecord } from './record.ts';

/** Writes the record and the page beside it; gives their paths. */
export function writeRecord(record: BenchRecord, folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const { startedAt, commit, isDirty } = record.circumstances;
  const day = startedAt.slice(0, 10);
  const base = freeName(folder, `${day}-${commit}${isDirty ? '-changed' : ''}`);
  const json = join(folder, `${base}.json`);
  const html = join(folder, `${base}.html`);
  writeFileSync(json, `${JSON.stringify(record, roundNumbers, 1)}\n`);
  writeFileSync(html, pageOf(record));
  return [json, html];
}

/** A second run of the same day and commit does not take the place of the first. */
function freeName(folder: string, base: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!existsSync(join(folder, `${name}.json`))) return name;
  }
}

/** Six digits are more than any of the numbers deserves. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(6))
    : value;
}
