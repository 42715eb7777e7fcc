import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { cliOver } from './stored.ts';

const first = { document: defaultPolicy, at: 1, by: 'ada', comment: '' };

describeOnEachDatabase('policies of the command line', (make) => {
  it('go to a file and back as a new version, with a diff', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick, database, dataDir } = over;
    const store = createSqlPolicyStore(database);
    await store.insert({ ...first, id: 'default', name: 'Default' });
    const file = join(dataDir, 'p.json');
    const apply = (...args: string[]) => quick(['policies', 'apply', file, ...args]);
    const edit = (change: object, rest: object = {}) => {
      const text = JSON.parse(readFileSync(file, 'utf8'));
      const document = { ...text.document, ...change };
      writeFileSync(file, JSON.stringify({ ...text, document, ...rest }));
    };
    assert.equal((await cli(['policies', 'export', 'Default', '--output', file])).code, 0);
    const printed = await quick(['policies', 'export', 'default']);
    assert.equal(printed.out, readFileSync(file, 'utf8'));
    const yes = ['--yes', '--comment', 'because'];
    const same = await apply(...yes);
    assert.deepEqual([same.code, same.out], [0, '']);
    assert.match(same.err, /Nothing to change/);

    edit({ sensitivity: 3, trustedOrigins: ['https://a.example'] });
    const dry = await apply('--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(
      dry.out,
      /^~ \/sensitivity {2}2 → 3\n\+ \/trustedOrigins\/0 {2}"https:\/\/a\.example"\n$/,
    );
    for (const args of [['--yes'], ['--comment', 'x'], [...yes, '--base', 'x']]) {
      assert.equal((await apply(...args)).code, 2, args.join(' '));
    }
    assert.equal((await store.find('default'))?.version, 1, 'nothing was stored yet');
    const done = await cli(['policies', 'apply', file, ...yes]);
    assert.deepEqual([done.code, done.out], [0, dry.out], done.err);
    const found = await store.find('default');
    assert.deepEqual([found?.version, found?.comment, found?.changedBy], [2, 'because', 'cli']);

    edit({ mode: 'monitor' });
    const stale = await apply(...yes);
    assert.equal(stale.code, 1);
    assert.match(stale.err, /Version 2 is the newest, .* version 1: export it again/);
    assert.equal((await apply(...yes, '--base', 'latest')).code, 0);
    edit({ mode: 'off' }, { version: 3, name: 'Renamed' });
    assert.equal((await apply(...yes)).code, 0);
    edit({ sensitivity: 9 }, { version: 4 });
    const wrong = await apply(...yes);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /\/document\/sensitivity must be one of 1, 2, 3, 4/);
    edit({ sensitivity: 2, exclusions: [{ pointer: 'x' }] });
    assert.equal((await apply(...yes)).code, 2);

    const list = JSON.parse((await quick(['policies', 'list', '--json'])).out);
    assert.deepEqual(
      list.map(({ id, name, version, mode, sensitivity }: Record<string, unknown>) => {
        return [id, name, version, mode, sensitivity];
      }),
      [['default', 'Renamed', 4, 'off', 3]],
    );
    const { entries } = await createSqlAuditStore(database).list({ limit: 10 });
    assert.deepEqual(
      entries.map(({ actor, action }) => `${actor} ${action}`),
      ['cli policy.change', 'cli policy.change', 'cli policy.change'],
    );
  });

  it('are refused where they exclude everything by mistake', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, database, dataDir } = over;
    await createSqlPolicyStore(database).insert({ ...first, id: 'default', name: 'Default' });
    const why = { reason: 'a trial', author: 'ada', createdAt: '2030-01-01T00:00:00Z' };
    const exclusions = [{ id: 'w', pointer: '/**', rule: 'sqli.tautology', ...why }];
    const file = join(dataDir, 'p.json');
    const document = { ...defaultPolicy, exclusions };
    writeFileSync(
      file,
      JSON.stringify({ policy: 'default', name: 'Default', version: 1, document }),
    );
    const args = ['policies', 'apply', file, '--yes', '--comment', 'because'];
    const wide = await quick(args);
    assert.equal(wide.code, 2);
    assert.match(wide.err, /\/exclusions\/0\/pointer names no field.*--accept-wide/);
    assert.equal((await quick([...args, '--dry-run'])).code, 2, 'as the real run');
    assert.equal((await quick([...args, '--accept-wide'])).code, 0);
  });

  it('are stored when the question of a terminal is answered with yes', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { database, dataDir, options } = over;
    const store = createSqlPolicyStore(database);
    await store.insert({ ...first, id: 'default', name: 'Default' });
    const document = { ...defaultPolicy, mode: 'monitor' };
    const text = JSON.stringify({ policy: 'default', version: 1, document });
    writeFileSync(join(dataDir, 'p.json'), text);
    const args = ['policies', 'apply', 'p.json', '--comment', 'watch'];
    for (const [input, version] of [
      ['n\n', 1],
      ['y\n', 2],
    ] as const) {
      const shown = await onTerminal(t, args, { ...options, input });
      if (shown === undefined) return;
      assert.match(shown, /Store this as version 2 of Default\? \[y\/N\]/);
      assert.equal((await store.find('default'))?.version, version, shown);
    }
  });

  it('are made from a file where that is asked for, also from standard input', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick } = over;
    const text = JSON.stringify({ policy: 'shop', document: { mode: 'monitor' } });
    const args = ['policies', 'apply', '-', '--yes', '--comment', 'new'];
    const unknown = await quick(args, text);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /no policy shop.*--create/);
    const made = await cli([...args, '--create'], text);
    assert.equal(made.code, 0, made.err);
    const exported = JSON.parse((await quick(['policies', 'export', 'shop'])).out);
    assert.deepEqual(
      [exported.name, exported.version, exported.document.mode, exported.document.sensitivity],
      ['shop', 1, 'monitor', 2],
    );
    for (const wrong of ['', '[]', '{"policy":"shop"}', '{"policy":"a","document":{},"x":1}']) {
      assert.equal((await quick(args, wrong)).code, 2, wrong);
    }
  });
});
