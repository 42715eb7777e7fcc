import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unescaped } from '../../bench/differential/engine/wire-request.ts';
import { checkAnswers } from '../../bench/fuzz/raw.ts';
import { Report } from '../../bench/fuzz/report.ts';
import { answersIn, exchange } from '../../bench/fuzz/wire.ts';
import { runCli } from '../support/cli.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A row of the corpus. `KEY` in a request stands for a key that is valid. */
interface Row {
  readonly name: string;
  readonly request: string;
  /** Whether 200 may be an answer: all other requests hold an attack. */
  readonly isBenign?: boolean;
  readonly isHalfClosed?: boolean;
}

const corpus = new URL('../fixtures/hostile/requests.jsonl', import.meta.url);
const rows: readonly Row[] = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Longer than the server lets a connection be idle. */
const silentMs = 60_000;
const afterMs = 500;

test('hostile requests are answered rightly or closed, and nothing comes of them', async (t) => {
  assert.ok(rows.length > 80);
  const cwd = tempDir();
  const made = await runCli(['keys', 'create', '--name', 'a', '--data-dir', 'd'], { cwd });
  const key = made.out.trim();
  const { address, child, out } = await startServing(t, cwd, ['serve']);
  const port = Number(new URL(address).port);
  const complaints = await Promise.all(
    rows.map(async ({ name, request, isBenign = false, isHalfClosed = false }) => {
      const pieces = [unescaped(request.replaceAll('KEY', key))];
      const cameBack = await exchange(port, pieces, { silentMs, afterMs, isHalfClosed });
      const report = new Report(name);
      checkAnswers(report, { request: { pieces, status: undefined }, key, tag: '', cameBack });
      const statuses = answersIn(cameBack.bytes).answers.map(({ status }) => status);
      const wrong = [...report.failures];
      if (statuses.length === 0 && !cameBack.isClosed) wrong.push('no answer, and left open');
      if (statuses.includes(200) && !isBenign) wrong.push('200 for an attack');
      return wrong.map((what) => `${name}: ${what} (${statuses.join(', ')})`);
    }),
  );
  assert.deepEqual(complaints.flat(), []);

  const login = '{"username":"anna"}';
  const sound = await fetch(`${address}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: login,
  });
  assert.equal(sound.status, 200);
  assert.equal(child.exitCode, null);
  assert.match(out(), /"log\.level":"info"/);
  assert.doesNotMatch(out(), /"log\.level":"(?:error|fatal)"/);
});
