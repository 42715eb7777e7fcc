import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Random } from '../../bench/lib/random.ts';
import { origins } from '../../bench/redteam/benign/index.ts';
import { plainManual } from '../../bench/redteam/benign/manuals.ts';
import { filled, readMessages } from '../../bench/redteam/benign/messages.ts';
import type { BenignText, Origin } from '../../bench/redteam/benign/origin.ts';
import { commentOf } from '../../bench/redteam/benign/sources.ts';
import { perMillion, screenBenign, shrunk } from '../../bench/redteam/judge/benign.ts';
import { readOptions } from '../../bench/redteam/options.ts';
import { sqlite } from '../../bench/redteam/oracle/sql/sqlite.ts';
import { packageInfo } from '../../src/config/package-info.ts';
import { createScreener } from '../../src/screener.ts';

const screener = createScreener();
const { root } = packageInfo();

function take(origin: Origin, seed: number): readonly BenignText[] {
  const taken: BenignText[] = [];
  for (const one of origin.texts(new Random(seed))) {
    taken.push(one);
    if (taken.length === 60) break;
  }
  return taken;
}

describe('origins of benign texts', () => {
  it('have unique names', () => {
    assert.equal(new Set(origins.map(({ name }) => name)).size, origins.length);
  });

  for (const origin of origins) {
    it(`${origin.name}: a seed draws the same again, in fields of a request`, () => {
      const missing = origin.missing();
      const first = take(origin, 1);
      // A slim system has few files: what is there is drawn, and it ends.
      if (missing.length > 0) return;
      assert.equal(first.length, 60);
      assert.deepEqual(take(origin, 1), first);
      assert.notDeepEqual(take(origin, 2), first);
      for (const { name, text, kind } of first) {
        assert.match(name, /^(?:body|query|header)\../);
        assert.ok(text.length > 0 && text.length <= 6_000, `${name}: ${text.length}`);
        assert.ok(text.isWellFormed() && kind !== '', name);
      }
      assert.ok(new Set(first.map(({ text }) => text)).size > 20);
    });
  }
});

describe('readers of the origins', () => {
  it('reads a catalogue of messages, and nothing of what is none', () => {
    const catalogue = catalogueOf([
      ['', 'Content-Type: text/plain'],
      ['menu\u0004Open %s', 'Öffne %s'],
      ['%d file\0%d files', '%d Datei\0%d Dateien'],
    ]);
    assert.deepEqual(readMessages(catalogue), [
      { source: 'Open %s', translated: 'Öffne %s' },
      { source: '%d file', translated: '%d Datei' },
    ]);
    assert.deepEqual(readMessages(catalogue.subarray(0, 40)), []);
    assert.deepEqual(readMessages(Buffer.from('no catalogue, but long enough')), []);
    assert.match(filled(new Random(1), '%d of %2$s: 100%%'), /^[^%]+ of [^%]+: 100%%$/);
  });

  it('reads manuals as they look', () => {
    const page = '.\\" secret\n.SH NAME\nls \\- list\n.BR ls (1)\n\\fB\\-a\\fR, it\\(aqs\n.PP\nend';
    assert.equal(plainManual(page), "NAME\nls - list\nls(1)\n-a, it's\n\nend");
  });

  it('reads the comments of code', () => {
    assert.equal(commentOf('# one\nx = 1\n// two\n * three */'), 'one\ntwo\nthree');
  });
});

describe('the screening of benign texts', () => {
  it('suspects what is blocked and no attack, once each, and shrinks the example', async () => {
    const attack = "x' OR 1=1 -- ";
    const quoted = 'drop the beat; drop the mic; drop table reservations -- regards, Ann';
    assert.equal((await screener.screen({ 'body.comment': quoted })).kind, 'blocked');
    const origin: Origin = {
      name: 'made up',
      missing: () => [],
      *texts() {
        for (const text of ['Hello', attack, attack, quoted, quoted, 'Bye']) {
          yield { name: 'body.comment', text, kind: 'letter' };
        }
      },
    };
    const options = { texts: 100, seed: 1 };
    const [report] = await screenBenign([origin], [sqlite], screener, options);
    assert.ok(report !== undefined);
    const { families, ...counts } = report;
    const expected = { origin: 'made up', texts: 4, blocked: 2, suspected: 1, asked: 1 };
    assert.deepEqual(counts, expected);
    assert.equal(perMillion(report), 250_000);
    assert.equal(families.length, 1);
    const [family] = families;
    assert.match(family?.name ?? '', /^sqli\.\S+ × letter$/);
    const [example = ''] = family?.example.values ?? [];
    assert.ok(example.length < quoted.length && example.includes('drop'), example);
    // Without an interpreter of the category nothing speaks against it.
    const [alone] = await screenBenign([origin], [], screener, options);
    assert.deepEqual([alone?.suspected, alone?.asked], [2, 0]);
  });

  it('shrinks to what the same rule still blocks', async () => {
    const names = ['body.q'];
    const text = `some words before\n' UNION SELECT password FROM users -- \nand after`;
    const outcome = await screener.screen({ 'body.q': text });
    assert.equal(outcome.kind, 'blocked');
    const rule = outcome.kind === 'blocked' ? (outcome.answer.findings[0]?.rule ?? '') : '';
    const short = await shrunk(screener, { names, text, rule });
    assert.ok(short.length < text.length && !short.includes('before'), short);
    assert.equal((await screener.screen({ 'body.q': short })).kind, 'blocked');
  });

  it('is a mode of the command, with a table of the origins', async () => {
    assert.equal(readOptions(['--benign', '12']).benign, 12);
    assert.equal(readOptions([]).benign, 0);
    assert.throws(() => readOptions(['--benign', 'x']), /--benign x/);
    const args = ['bench/redteam/run.ts', '--benign', '2', '--only', 'jndi'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    assert.match(stdout, /^\| form data \| 2 \| /m);
    assert.match(stdout, /^\| analytics \| 2 \| /m);
  });
});

/** A catalogue of gettext, least significant byte first. */
function catalogueOf(messages: readonly (readonly [string, string])[]): Buffer {
  const [sourcesAt, translatedAt] = [28, 28 + messages.length * 8];
  const head = Buffer.alloc(translatedAt + messages.length * 8);
  [0x950412de, 0, messages.length, sourcesAt, translatedAt, 0, 0].forEach((value, index) => {
    head.writeUInt32LE(value, index * 4);
  });
  const texts: Buffer[] = [];
  let at = head.length;
  for (const [column, table] of [sourcesAt, translatedAt].entries()) {
    messages.forEach((pair, index) => {
      const text = Buffer.from(`${pair[column]}\0`);
      head.writeUInt32LE(text.length - 1, table + index * 8);
      head.writeUInt32LE(at, table + index * 8 + 4);
      texts.push(text);
      at += text.length;
    });
  }
  return Buffer.concat([head, ...texts]);
}
