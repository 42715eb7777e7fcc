import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGuide } from './code-blocks.ts';

const records = 'bench/record';
const speed = '## Speed, beside nginx with ModSecurity and the Core Rule Set';

test('the figures of the README are those of the records', () => {
  const [readme, page] = [readGuide('README.md'), readGuide(`${records}/README.md`)];
  const ratios = rowsBelow(page, speed).map(([, , , ratio]) => Number(ratio));
  const [least, most] = quoted(readme, /\*\*(\d+) to (\d+) times the throughput\*\*/);
  assert.deepEqual([Number(least), Number(most)], [Math.min(...ratios), Math.max(...ratios)]);
  const found = quoted(
    readme,
    /\*\*(\S+ %) of (\S+) attacks blocked, (\S+ %) false positives\*\* on (\S+) benign values/,
  );
  const recorded = quoted(
    flat(page),
    /: (\S+ %) of (\S+) attacks .*? \d+ of (\S+) benign values \((\S+ %)\)/,
  );
  assert.deepEqual(found, [recorded[0], recorded[1], recorded[3], recorded[2]]);
  const second = quoted(readme, /not tuned on: (\S+ %) and (\S+ %)/);
  const secondRecorded = quoted(
    flat(page),
    /: (\S+ %) of \S+ attacks, each a whole request .*? \d+ of \S+ benign requests \((\S+ %)\)/,
  );
  assert.deepEqual(second, secondRecorded);
  const { attacks, benign } = detectionOf(`${records}/detection-2026-11-22-second.md`);
  assert.deepEqual(second, [
    `${asWritten('92.5', attacks.byLevel[1])} %`,
    `${asWritten('0.30', benign.byLevel[1])} %`,
  ]);
  const [times, measured] = [
    quoted(readme, /\*\*(\S+) ms median, (\S+) ms p99\*\*/),
    quoted(flat(page), /about (\S+) ms at half of the load \(median,.{0,20} p99 (\S+) ms,/),
  ];
  assert.deepEqual(times, measured);
});

test('the figures of detection in the guides are those of the record that they name', () => {
  const guide = readGuide('src/policies/README.md');
  const levels = rowsBelow(guide, '### Which sensitivity');
  const { attacks, benign, leastCategory, categories } = detectionOf(recordOf(guide, 'md'));
  assert.deepEqual(
    levels.map(([level = '']) => level.slice(0, 1)),
    ['1', '2', '3', '4'],
  );
  for (const [index, [, , found = '', alarms = '']] of levels.entries()) {
    assert.equal(found, `${asWritten(found, attacks.byLevel[index])} %`);
    assert.equal(alarms, `${asWritten(alarms, benign.byLevel[index])} %`);
  }

  const page = flat(readGuide(`${records}/README.md`));
  assert.equal(recordOf(page, 'md'), recordOf(guide, 'md'), 'two records are quoted');
  const [found = '', items, kinds, floor = ''] = quoted(
    page,
    /(\S+) % of (\S+) attacks in (\d+) categories are blocked, no category below (\S+) %/,
  );
  const [wrong, texts, alarms = ''] = quoted(page, /(\S+) of (\S+) benign values \((\S+) %\)/);
  assert.equal(found, asWritten(found, attacks.byLevel[1]));
  assert.deepEqual(
    [items, kinds, wrong, texts],
    [grouped(attacks.items), String(categories), grouped(benign.wrong), grouped(benign.items)],
  );
  assert.equal(alarms, asWritten(alarms, benign.byLevel[1]));
  assert.ok(Number(floor) <= leastCategory && leastCategory < Number(floor) + 1, floor);
});

test('the figures of speed are those of the run that they name', () => {
  const page = readGuide(`${records}/README.md`);
  const median = mediansOf(recordOf(page, 'json'));
  const rows = rowsBelow(page, speed);
  const inputs = ['login', 'form-1k', 'article-16k'];
  assert.equal(rows.length, inputs.length);
  for (const [index, input] of inputs.entries()) {
    const expected = ['screened', 'nginx + ModSecurity + CRS', 'screened/peer'].map((name) =>
      grouped(Math.round(median(name, input))),
    );
    assert.deepEqual(rows[index]?.slice(1), expected, input);
  }

  const half = 'at 50 % of saturation';
  const times = quoted(
    flat(page),
    /about (\S+) ms at half of the load \(median,.{0,20} p99 (\S+) ms, where .{0,40} has (\S+) ms/,
  );
  const measured = [
    median('login p50', half),
    median('login p99', half),
    median('login p99', 'bare route at the rate of 50 %'),
  ];
  assert.deepEqual(
    times,
    times.map((text, index) => asWritten(text, measured[index])),
  );
  const dearer = quoted(flat(page), /is (\S+) times as fast for a log-in and (\S+) times for 16/);
  const costs = ['login', 'article-16k'].map(
    (input) => median('bare', input) / median('screened', input),
  );
  assert.deepEqual(
    dearer,
    dearer.map((text, index) => asWritten(text, costs[index])),
  );
});

/** The record that a guide links to, as a path. */
function recordOf(guide: string, ending: 'md' | 'json'): string {
  const pattern = new RegExp(`\\]\\([^)]*?((?:detection-)?\\d{4}-\\d\\d-\\d\\d[^)/]*\\.${ending})`);
  const [name = ''] = quoted(guide, pattern);
  return `${records}/${name}`;
}

interface Total {
  readonly items: number;
  readonly wrong: number;
  readonly byLevel: readonly number[];
}

function detectionOf(path: string) {
  const rows = new Map<string, Total>();
  for (const line of readGuide(path).split('\n')) {
    const [name = '', items, wrong, ...byLevel] = cellsOf(line);
    if (Number(items) > 0) {
      rows.set(name, {
        items: Number(items),
        wrong: Number(wrong),
        byLevel: byLevel.map(Number),
      });
    }
  }
  const [attacks, benign] = [rows.get('all attacks'), rows.get('benign')];
  assert.ok(attacks !== undefined && benign !== undefined, path);
  const categories = [...rows].filter(([name]) => /^[a-z]+$/.test(name) && name !== 'benign');
  const shares = categories.map(([, { byLevel }]) => byLevel[1] ?? 0);
  return { attacks, benign, categories: shares.length, leastCategory: Math.min(...shares) };
}

interface Run {
  readonly parts: {
    readonly http: {
      readonly measures: readonly {
        readonly name: string;
        readonly input: string;
        readonly median: number;
      }[];
    };
  };
}

function mediansOf(path: string): (name: string, input: string) => number {
  const { parts }: Run = JSON.parse(readGuide(path));
  return (name, input) => {
    const found = parts.http.measures.find((one) => one.name === name && one.input === input);
    assert.ok(found !== undefined, `${name}, ${input}`);
    return found.median;
  };
}

/** The rows of the first table below a heading. */
function rowsBelow(guide: string, heading: string): string[][] {
  const [, text = ''] = guide.split(`${heading}\n`);
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  assert.ok(first >= 0, heading);
  const table = lines.slice(first);
  const end = table.findIndex((line) => !line.startsWith('|'));
  return table.slice(2, end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').map((cell) => cell.trim());
  return cells.slice(1, -1);
}

function quoted(text: string, pattern: RegExp): string[] {
  const found = pattern.exec(text);
  assert.ok(found !== null, `${pattern} is no longer in the guide: correct this test`);
  return found.slice(1);
}

/** A measured number with as many decimals as the guide gives. */
function asWritten(text: string, measured: number | undefined): string {
  const [, decimals = ''] = /\.(\d+)/.exec(text) ?? [];
  return (measured ?? Number.NaN).toFixed(decimals.length);
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
