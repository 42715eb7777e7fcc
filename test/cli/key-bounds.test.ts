import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { cliOver } from './stored.ts';

describeOnEachDatabase('bounds of keys at the command line', (make) => {
  it('are given, shown and changed, and the audit says so', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, database } = over;
    const store = createSqlKeyStore(database);
    const create = ['keys', 'create', '--name', 'proxy'];
    const some = ['--scope', 'forward', '--network', '10.0.0.0/8', '--network', '2001:DB8::/32'];
    const made = await quick([...create, ...some]);
    assert.equal(made.code, 0, made.err);
    const [key] = await store.list();
    assert.deepEqual(key?.scopes, ['forward']);
    assert.deepEqual(key?.networks, ['10.0.0.0/8', '2001:db8::/32']);
    const id = key?.id ?? '';
    const list = await quick(['keys', 'list']);
    assert.match(list.out, /proxy +live +active +\S+ +forward +10\.0\.0\.0\/8 and 1 more/);
    const [json] = JSON.parse((await quick(['keys', 'list', '--json'])).out);
    assert.deepEqual(
      [json.scopes, json.networks, json.lastClient],
      [key?.scopes, key?.networks, null],
    );

    const change = ['keys', 'update', id, '--scope', 'manage,screen', '--network', 'any'];
    const changed = await quick([...change, '--expires', '90d', '--name', 'shop']);
    assert.equal(changed.code, 0, changed.err);
    const after = await store.find(id);
    assert.deepEqual([after?.scopes, after?.networks], [['screen', 'manage'], []]);
    assert.equal(after?.name, 'shop');
    assert.ok(after?.expiresAt !== undefined);
    await quick(['keys', 'update', id, '--expires', 'never']);
    assert.equal((await store.find(id))?.expiresAt, undefined);
    const { entries } = await createSqlAuditStore(database).list({ limit: 10 });
    const [never, bounds] = entries;
    assert.equal(never?.summary, `changed expiry of the key ${id} (shop)`);
    assert.deepEqual(
      bounds?.changes?.filter(({ field }) => field !== 'expiry'),
      [
        { field: 'name', from: 'proxy', to: 'shop' },
        { field: 'scopes', from: 'forward', to: 'screen, manage' },
        { field: 'networks', from: '10.0.0.0/8, 2001:db8::/32', to: 'everywhere' },
      ],
    );
    assert.equal(entries.filter(({ action }) => action === 'key.change').length, 2);
  });

  it('are refused with what is right', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick } = over;
    const create = ['keys', 'create', '--name', 'x'];
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[...create, '--scope', 'fly'], /--scope takes screen, forward, manage, not fly/],
      [[...create, '--scope', 'screen,'], /not nothing/],
      [[...create, '--network', '10.0.0.1/8'], /write 10\.0\.0\.0\/8/],
      [[...create, '--admin', '--scope', 'screen'], /--admin key has none/],
      [['keys', 'update', 'aaaaaaaa'], /name what changes/],
      [['keys', 'update', 'aaaaaaaa', '--expires', '2001-01-01'], /revoke the key instead/],
    ];
    for (const [args, message] of wrong) {
      const { code, err } = await quick(args);
      assert.equal(code, 2, err);
      assert.match(err, message);
    }
    await quick(create);
    const unknown = await quick(['keys', 'update', 'aaaaaaaa', '--name', 'y']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /There is no key aaaaaaaa/);
  });
});
