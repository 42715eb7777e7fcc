import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { check } from '../../bench/differential/engine/check.ts';
import { isRefused, type RunningReader } from '../../bench/differential/engine/reader.ts';
import { readWire, unescaped } from '../../bench/differential/engine/wire-request.ts';
import { readers } from '../../bench/differential/readers/index.ts';
import { missingTools } from '../../bench/lib/installed.ts';
import { createScreener } from '../../src/screener.ts';
import { requireInstalled } from '../support/require-tool.ts';

/** A request on which a reader and Sallyport once differed. */
interface Row {
  readonly name: string;
  /** Raw bytes, escaped. */
  readonly request: string;
  /** A reader that must come as far as its handler, or be refused by Sallyport. */
  readonly reader: string;
}

const file = new URL('../fixtures/differential/found.jsonl', import.meta.url);
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Row);

const screener = createScreener();

describe('requests on which a reader once differed', () => {
  it('name readers that exist', () => {
    const names = new Set(readers.map(({ name }) => name));
    assert.deepEqual(
      rows.filter(({ reader }) => !names.has(reader)),
      [],
    );
  });

  for (const reader of readers) {
    describe(reader.name, () => {
      let running: RunningReader | undefined;
      before(async () => {
        if (missingTools(reader).length > 0) return;
        running = await reader.start({ onIncomplete: undefined });
      });
      after(() => running?.close());

      it('reads none of them otherwise than Sallyport', async (t) => {
        const missing = missingTools(reader).join(', ');
        if (!requireInstalled(t, missing, missing === '') || running === undefined) return;
        for (const row of rows) await holds(running, row, reader.name);
      });
    });
  }
});

async function holds(running: RunningReader, row: Row, reader: string): Promise<void> {
  const request = readWire(unescaped(row.request));
  const observation = await running.send(request);
  const disagreements = await check(request, observation, screener);
  assert.deepEqual(disagreements, [], `${row.name}: ${row.request}`);
  if (reader !== row.reader) return;
  assert.ok(
    observation.seen.length > 0 || isRefused(observation),
    `${row.name}: ${reader} answers ${observation.status} before its handler: it shows nothing`,
  );
}
