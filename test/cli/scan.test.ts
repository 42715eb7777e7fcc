import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonSplitter } from '../../src/cli/scan/split-json.ts';
import { runCli } from '../support/cli.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { tempDir } from '../support/temp-dir.ts';
import { runInProcess } from './in-process.ts';

const attack = "' or 1=1 --";

test('a harmless text is allowed by scan, from standard input and from a file', async () => {
  const cwd = tempDir();
  const body = JSON.stringify({ username: 'alice', password: 'correct horse' });
  writeFileSync(join(cwd, 'body.json'), body);
  const piped = await runCli(['scan'], { cwd, input: body });
  const fromFile = await runCli(['scan', 'body.json'], { cwd });
  assert.deepEqual([piped.code, piped.err], [0, '']);
  assert.deepEqual(fromFile, piped);
  assert.equal(JSON.parse(piped.out).decision, 'allow');
});

test('a threat is blocked by scan and explained', async () => {
  const cwd = tempDir();
  const blocked = await runCli(['scan', '-'], { cwd, input: '{"a":{"$where":"x"}}' });
  assert.equal(blocked.code, 1, blocked.err);
  const verdict = JSON.parse(blocked.out);
  assert.equal(verdict.decision, 'block');
  assert.equal(verdict.findings[0].pointer, '/a/$where');
  const human = await runCli(['scan', '--human'], { cwd, input: '{"a":{"$where":"x"}}' });
  assert.equal(human.code, 1);
  assert.match(human.out, /^BLOCK {2}score \d+, threshold 70\n\nNoSQL injection in \/a\/\$where/);
  const off = await runCli(['scan', '--categories-off', 'nosqli'], {
    cwd,
    input: '{"a":{"$where":"x"}}',
  });
  assert.equal(off.code, 0, off.err);
});

test('scan refuses what it cannot screen and says why', async () => {
  const cwd = tempDir();
  const cases: readonly [string, RegExp][] = [
    ['plain text', /not JSON/],
    [`{"a":"${'x'.repeat(1_048_576)}"}`, /1 MiB/],
  ];
  for (const [input, reason] of cases) {
    const refused = await runCli(['scan'], { cwd, input });
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, reason);
  }
  const text = await runCli(['scan', '--text'], { cwd, input: 'plain text' });
  assert.equal(text.code, 0, text.err);
  const missing = await runCli(['scan', 'missing.json'], { cwd });
  assert.equal(missing.code, 2);
  assert.match(missing.err, /missing\.json: cannot be read \(ENOENT\)/);
});

test('many values are screened one by one, and what cannot be is skipped', async () => {
  const cwd = folderOfInputs();
  const { code, out, err } = await runCli(['scan', '.'], { cwd });
  assert.equal(code, 1, err);
  const told = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const brief = told.map(({ source, line, item, decision, error }) => {
    return `${source} ${line ?? `#${item}`} ${decision ?? error.split('.')[0]}`;
  });
  assert.deepEqual(brief, [
    'array.json #1 allow',
    'array.json #2 allow',
    'array.json #3 block',
    'array.json #4 allow',
    'lines.ndjson 1 allow',
    'lines.ndjson 3 Body is not JSON',
    'lines.ndjson 4 allow',
    'lines.ndjson 5 Not screened: 2,000,009 bytes',
    'lines.ndjson 6 block',
    'sub/follow.dat #1 allow',
    'sub/follow.dat #2 block',
    'sub/words.txt 1 allow',
    'sub/words.txt 3 block',
  ]);
  assert.equal(told[2].findings[0].pointer, '/value/0');
  assert.match(err, /array\.json +4 +3 +1 +0\n/);
  assert.match(err, /lines\.ndjson +5 +2 +1 +2\n/);
  assert.match(err, /total +13 +7 +4 +2\n\n +4 × sqli\.tautology\n$/);

  const human = await runCli(['scan', '--human', 'sub', 'lines.ndjson'], { cwd });
  const blocks = human.out.split('\n').filter((line) => line.startsWith('BLOCK'));
  assert.deepEqual(
    blocks.map((line) => line.split(/ {2}/)[1]),
    ['sub/follow.dat#2', 'sub/words.txt:3', 'lines.ndjson:6'],
  );
  assert.match(human.out, /ERROR {2}lines\.ndjson:5 .*2,000,009 bytes/);
  assert.match(human.out, /total +9 +4 +3 +2\n/);
});

test('the exit code of a scan says what came of it', async () => {
  const cwd = folderOfInputs();
  const cases: readonly (readonly [readonly string[], number])[] = [
    [['sub/words.txt', '--format', 'text'], 1],
    [['array.json', '--categories-off', 'sqli'], 0],
    [['lines.ndjson', '--categories-off', 'sqli'], 2],
    [['missing.json', 'array.json'], 1],
    [['s*/*.txt'], 1],
    [['none*'], 2],
    [['empty'], 2],
    [['array.json', '--format', 'xml'], 2],
  ];
  writeFileSync(join(cwd, 'empty'), '');
  for (const [args, code] of cases) {
    const there = args.map((arg) => (/^(?:--|sqli|text|xml)/.test(arg) ? arg : join(cwd, arg)));
    const finished = await runInProcess(['scan', ...there]);
    assert.equal(finished.code, code, `${args.join(' ')}: ${finished.err}`);
  }
});

test('a scan on a terminal is for people, with colours and progress, and NO_COLOR holds', async (t) => {
  const cwd = folderOfInputs();
  const shown = await onTerminal(t, ['scan', 'sub'], { cwd });
  if (shown === undefined) return;
  assert.match(shown, /\u001b\[31mBLOCK\u001b\[39m {2}sub\/follow\.dat#2/);
  assert.match(shown, /\d screened, \d blocked/);
  const plain = await onTerminal(t, ['scan', 'sub'], { cwd, environment: { NO_COLOR: '1' } });
  assert.match(plain ?? '', /BLOCK {2}sub\/follow\.dat#2/);
  assert.ok(!plain?.includes('\u001b[31m'));
  const json = await onTerminal(t, ['scan', 'sub', '--json'], { cwd });
  assert.match(json ?? '', /\{"source":"sub\/follow\.dat"/);
});

test('JSON is cut into the same values however it arrives', () => {
  const value = fc.jsonValue();
  const spaces = fc.constantFrom('', ' ', '\n', '\r\n\t');
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      spaces,
      fc.boolean(),
      fc.nat(7),
      (values, space, isArray, step) => {
        const texts = values.map((one) => JSON.stringify(isArray ? one : { a: one }));
        const joined = isArray
          ? `${space}[${space}${texts.join(`${space},${space}`)}${space}]${space}`
          : texts.join(space);
        const bytes = Buffer.from(joined);
        const splitter = new JsonSplitter();
        const pieces = [];
        for (let at = 0; at < bytes.length; at += step + 1) {
          pieces.push(...splitter.push(bytes.subarray(at, at + step + 1)));
        }
        pieces.push(...splitter.end());
        const cut = pieces.map((piece) => (piece.kind === 'bytes' ? piece.bytes.toString() : ''));
        assert.deepEqual(cut, texts);
      },
    ),
  );
});

/** One input of each format, with a value that is blocked in each. */
function folderOfInputs(): string {
  const cwd = tempDir();
  mkdirSync(join(cwd, 'sub'));
  const [whole, long] = [1_048_576 - 8, 2_000_000].map((length) => `{"a":"${'x'.repeat(length)}"}`);
  writeFileSync(
    join(cwd, 'array.json'),
    `[{"a":1}, "b",\n [${JSON.stringify(attack)}], {"c":"]},["}]\n`,
  );
  const lines = ['{"a":"b"}', '', '{"a":', whole, long, JSON.stringify({ q: attack })];
  writeFileSync(join(cwd, 'lines.ndjson'), `\uFEFF${lines.join('\r\n')}\n`);
  writeFileSync(join(cwd, 'sub/follow.dat'), `{\n "a": 1\n}\n{"b":\n${JSON.stringify(attack)}}`);
  writeFileSync(join(cwd, 'sub/words.txt'), `it's fine\n\nit is ${attack}`);
  writeFileSync(join(cwd, '.hidden'), 'not looked at');
  return cwd;
}
