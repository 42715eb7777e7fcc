import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../../src/contract/event.ts';
import { csvOf } from '../../../src/http/api/routes/event-lines.ts';
import { storedEvent } from '../../support/stored-event.ts';

async function evidenceCell(evidence: string): Promise<string> {
  async function* events(): AsyncGenerator<StoredEvent> {
    yield storedEvent({ at: 0, number: 1 }, { evidence, pointer: '/q', keyId: 'K' });
  }
  let text = '';
  for await (const line of csvOf(events())) text += line;
  const [, row = ''] = text.split(/\r\n(?=1970)/);
  return row.slice(row.indexOf('/q,') + 3, row.indexOf(',K,'));
}

test('a cell is one cell, and never a formula of a spreadsheet', async () => {
  const cells = [
    ['plain text', 'plain text'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=HYPERLINK("https://evil.example")', '"\'=HYPERLINK(""https://evil.example"")"'],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ["' OR 1=1 --", "' OR 1=1 --"],
  ] as const;
  for (const [evidence, cell] of cells) assert.equal(await evidenceCell(evidence), cell);
});
