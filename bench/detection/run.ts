/**
 * Detection and false positives over labelled corpora: the engine that the workers run, in this
 * process.
 *
 *   npm run bench:detection -- [--corpus DIR] [--category C] [--source S] [--file F] [--limit N]
 *                              [--misses OUT.jsonl] [--record OUT.md]
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createEngine } from '../../src/core/engine.ts';
import { evaluate, type Report, type Row, totalMalicious, type Wrong } from './evaluate.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string', default: '../shared/corpora' },
    category: { type: 'string' },
    source: { type: 'string' },
    file: { type: 'string' },
    limit: { type: 'string', default: '0' },
    misses: { type: 'string' },
    record: { type: 'string' },
  },
});

async function main(): Promise<void> {
  if (!existsSync(options.corpus)) {
    console.log(`no corpora at ${options.corpus}: nothing measured; name them with --corpus DIR`);
    return;
  }
  const { category, source, file } = options;
  const selection = { category, source, file, limit: Number(options.limit) };
  const report = await evaluate(createEngine(), options.corpus, selection);
  const sources = table('source', report.sources);
  const categories = table('category', report.categories);
  console.log(`${sources}\n\n${categories}`);
  if (options.misses !== undefined) writeFileSync(options.misses, lines(report.wrong));
  if (options.record !== undefined) writeFileSync(options.record, recordOf(report));
}

/** A Markdown table: blocked per cent at sensitivity 1 to 4, and the wrong ones at the default. */
function table(title: string, rows: ReadonlyMap<string, Row>): string {
  const head = ['items', 'wrong', 'level 1 %', 'level 2 %', 'level 3 %', 'level 4 %'];
  const body = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, row]) => line(name, row));
  const rule = `|${'-'.repeat(46)}|${'-----------:|'.repeat(head.length)}`;
  return [`| ${title.padEnd(44)} |${head.map(cell).join('|')}|`, rule, ...body].join('\n');
}

function line(name: string, row: Row): string {
  const isBenign = name === 'benign' || name.startsWith('benign') || name.includes('white');
  const wrong = isBenign ? row.blocked[1] : row.items - row.blocked[1];
  const rates = row.blocked.map((blocked) => ((100 * blocked) / row.items).toFixed(3));
  return `| ${name.padEnd(44)} |${[row.items, wrong, ...rates].map(cell).join('|')}|`;
}

function cell(value: string | number): string {
  return `${String(value).padStart(10)} `;
}

/** One JSON object a line for each miss and each false alarm. */
function lines(wrong: readonly Wrong[]): string {
  return wrong
    .map(({ file, item, findings }) => {
      const shown = findings.map((one) => [
        one.rule,
        one.score,
        one.pointer,
        one.decoded.join('>'),
        one.evidence,
      ]);
      return `${JSON.stringify({ file, ...item, findings: shown })}\n`;
    })
    .join('');
}

function recordOf(report: Report): string {
  const total = new Map([
    ['all attacks', totalMalicious(report)],
    ['benign', report.categories.get('benign') ?? { items: 0, blocked: [0, 0, 0, 0] as const }],
  ]) as ReadonlyMap<string, Row>;
  return [
    '# Detection',
    '',
    'Per cent of items blocked, by sensitivity; level 2 is the default. Written by `npm run bench:detection`.',
    '',
    table('total', total),
    '',
    table('category', report.categories),
    '',
    table('source', report.sources),
    '',
  ].join('\n');
}

await main();
