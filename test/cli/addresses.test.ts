import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { cliOver } from './stored.ts';

describeOnEachDatabase('address lists of the command line', (make) => {
  it('are filled, shown and emptied, and the audit says so', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, database } = over;
    const none = await quick(['addresses', 'list']);
    assert.match(none.err, /Nothing is listed/);
    const deny = ['addresses', 'deny', '203.0.113.7', '2001:db8::/32'];
    assert.match((await quick(deny)).err, /--reason is missing/);
    const wrong = await quick(['addresses', 'deny', '10.0.0.1/8', '--reason', 'x']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /10\.0\.0\.1\/8: has bits beyond its prefix; write 10\.0\.0\.0\/8/);
    const done = await quick([...deny, '--reason', 'scans', '--expires', '24h']);
    assert.equal(done.code, 0, done.err);
    const [id = '', ...others] = done.out.trim().split('\n');
    assert.equal(others.length, 1);
    await quick(['addresses', 'allow', '192.0.2.1', '--reason', 'our scanner']);
    const shown = JSON.parse((await quick(['addresses', 'list', '--json'])).out);
    assert.equal(shown.length, 3);
    assert.match((await quick(['addresses', 'list'])).out, /192\.0\.2\.1 +allow +all +never +cli/);
    assert.equal((await quick(['addresses', 'remove', id])).code, 0);
    assert.equal((await quick(['addresses', 'remove', id])).code, 1);
    const { entries } = await createSqlAuditStore(database).list({ limit: 10 });
    const counts = Object.groupBy(entries, ({ action }) => action);
    assert.equal(counts['address.deny']?.length, 2);
    assert.equal(counts['address.allow']?.length, 1);
    assert.equal(counts['address.remove']?.length, 1);
  });
});
