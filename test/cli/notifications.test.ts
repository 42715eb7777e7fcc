import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { startReceiver } from '../telemetry/exporters/receiver.ts';
import { cliOver } from './stored.ts';

describeOnEachDatabase('notifications of the command line', (make) => {
  it('get channels from a file, test them and remove them, and the audit says so', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, cli, database, dataDir } = over;
    assert.match((await quick(['migrate'])).err, /./);
    const none = await quick(['notifications', 'list']);
    assert.match(none.err, /There is no channel/, none.err);
    const receiver = await startReceiver(t, (nth) => ({ status: nth === 1 ? 200 : 404 }));
    const secret = 'known-to-the-team-only';
    const target = { url: receiver.url, secret };
    const file = join(dataDir, 'channel.json');
    const write = (channel: object) => writeFileSync(file, JSON.stringify(channel));

    writeFileSync(file, `{"secret": "${secret}"`);
    const torn = await quick(['notifications', 'add', file]);
    assert.deepEqual([torn.code, torn.err.includes(secret)], [2, false]);
    write({ name: 'on call', kind: 'webhook', target, hears: { severity: 'grave' } });
    const wrong = await quick(['notifications', 'add', file]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /\/hears\/severity must be one of/);
    write({ name: 'on call', kind: 'webhook', target: { url: 'http://169.254.169.254/' } });
    assert.match((await quick(['notifications', 'add', file])).err, /\/target\/url .*https:/);

    write({ name: 'on call', kind: 'webhook', target, hears: { severity: 'high' } });
    const added = await cli(['notifications', 'add', file]);
    assert.equal(added.code, 0, added.err);
    const id = added.out.trim();
    const again = await quick(
      ['notifications', 'add', '-'],
      JSON.stringify({ name: 'on call', kind: 'webhook', target }),
    );
    assert.equal(again.code, 1);
    assert.match(again.err, /of this name/);
    const [shown, ...others] = JSON.parse((await quick(['notifications', 'list', '--json'])).out);
    assert.deepEqual([shown.id, shown.hears.severity, others], [id, 'high', []]);
    assert.deepEqual(shown.target, { url: `${new URL(receiver.url).origin}/…`, hasSecret: true });
    const listed = (await quick(['notifications', 'list'])).out;
    assert.match(listed, /on call +webhook +http:\/\/\S+ +on +/);
    assert.ok(!listed.includes(secret));

    const sent = await quick(['notifications', 'test', 'on call']);
    assert.deepEqual([sent.code, sent.err], [0, 'on call: accepted\n']);
    assert.equal(receiver.received.length, 1);
    const refused = await quick(['notifications', 'test', id]);
    assert.deepEqual([refused.code, refused.err], [1, 'on call: not delivered: answered 404\n']);
    assert.match(
      (await quick(['notifications', 'test', 'x'])).err,
      /no channel x; there are .*on call/,
    );
    assert.equal((await quick(['notifications', 'remove', 'on call'])).code, 0);
    assert.equal((await quick(['notifications', 'remove', id])).code, 1);
    const { entries } = await createSqlAuditStore(database).list({ limit: 10 });
    assert.deepEqual(
      entries.map(({ actor, action }) => `${actor} ${action.split('.')[1]}`),
      ['cli remove', 'cli test', 'cli test', 'cli add'],
    );
  });
});
