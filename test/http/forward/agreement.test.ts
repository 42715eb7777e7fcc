import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInlineScanner } from '../../../src/pool/inline-scanner.ts';
import { createScreener } from '../../../src/screener.ts';
import { frameworks } from '../../clients/apps.ts';
import { exchangeAll } from '../../clients/exchange.ts';
import { conformanceRows, type Row } from '../../clients/requests.ts';
import { serveForward } from './ask.ts';

/** The same request as a question of Envoy: all but the path is as it was. */
function asQuestion(row: Row): Row {
  const text = row.bytes.toString('latin1');
  const asked = text.replace(/^(\S+) (\S+) HTTP\/1\.1\r\n/, (_, method: string, target: string) => {
    return `${method} /forward${target} HTTP/1.1\r\nx-api-key: good-key\r\n`;
  });
  return { ...row, bytes: Buffer.from(asked, 'latin1') };
}

interface Found {
  readonly rule?: string;
  readonly pointer?: string;
}

const key = (findings: readonly Found[]) =>
  findings.map(({ rule, pointer }) => `${rule} ${pointer}`).sort();

test('a proxy and the middleware get the same verdict, for the same reasons', async (t) => {
  const rows = conformanceRows();
  const byMiddleware: string[][] = [];
  const screener = createScreener();
  const build = frameworks['node:http'];
  assert.ok(build !== undefined);
  const app = await build({
    screener,
    onBlock: ({ findings }) => byMiddleware.push(key(findings)),
  });
  t.after(() => app.close());
  const server = await serveForward(t, { scanner: createInlineScanner() });
  let blocks = 0;
  for (const row of rows) {
    const before = byMiddleware.length;
    const [here] = await exchangeAll(app.address, [row]);
    const [there] = await exchangeAll(server.server.address, [asQuestion(row)]);
    assert.equal(there?.status, here?.status, row.name);
    const expected = byMiddleware.slice(before).sort();
    const recorded = server.blocks.splice(0).map(({ verdict }) => key(verdict.findings));
    assert.deepEqual(recorded, expected, row.name);
    blocks += recorded.length;
  }
  assert.ok(blocks > 150, `${blocks}`);
});
