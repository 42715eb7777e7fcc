import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { createPasswords } from '../../src/access/password.ts';
import { createSecondFactors } from '../../src/access/second-factors.ts';
import { createSqlAdminStore } from '../../src/access/sql-admin-store.ts';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { runCli } from '../support/cli.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { tempDir } from '../support/temp-dir.ts';
import { totpCode } from '../support/totp.ts';
import { cliOver } from './stored.ts';

test('an administrator is removed, and the command line is on record', async (t) => {
  const dataDir = tempDir();
  const opened = await openDatabase({ dataDir, busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  const store = createSqlAdminStore(opened.database);
  await store.insertFirst({ name: 'ada', passwordHash: 'x', role: 'administrator' }, 1);
  const session = {
    digest: 'd',
    name: 'ada',
    createdAt: 1,
    seenAt: 1,
    address: '',
    agent: '',
    method: 'password' as const,
    providerSession: '',
  };
  await store.insertSession(session);
  const admins = (name: string) =>
    runCli(['admins', 'remove', name, '--data-dir', dataDir], { cwd: dataDir });
  const unknown = await admins('eve');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /there are: ada/);
  const removed = await admins('ada');
  assert.equal(removed.code, 0, removed.err);
  assert.match(removed.err, /prints the link/);
  assert.equal(await store.any(), false);
  assert.equal(await store.findSession('d'), undefined);

  const key = ['keys', 'create', '--name', 'shop', '--data-dir', dataDir];
  assert.equal((await runCli(key, { cwd: dataDir })).code, 0);
  const { entries } = await createSqlAuditStore(opened.database).list({ limit: 10 });
  assert.deepEqual(
    entries.map(({ actor, action }) => `${actor} ${action}`),
    ['cli key.create', 'cli administrator.remove'],
  );
});

describeOnEachDatabase('administrators of the command line', (make) => {
  it('are added, listed and given a new password', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick, database } = over;
    const store = createSqlAdminStore(database);
    const passwords = createPasswords();
    const isPasswordOf = async (name: string, password: string) =>
      passwords.matches(password, (await store.find(name))?.passwordHash);

    const added = await cli(['admins', 'add', ' ada ']);
    assert.equal(added.code, 0, added.err);
    const password = added.out.trimEnd();
    assert.match(added.out, /^\w{24}\n$/, 'the password stands alone on standard output');
    assert.ok(!added.err.includes(password));
    assert.ok(await isPasswordOf('ada', password));
    const again = await quick(['admins', 'add', 'ada']);
    assert.deepEqual([again.code, again.out], [1, '']);

    await store.insertSession({
      digest: 'd',
      name: 'ada',
      createdAt: 1,
      seenAt: 1,
      address: '',
      agent: '',
      method: 'password',
      providerSession: '',
    });
    const reset = await cli(['admins', 'reset', 'ada']);
    assert.equal(reset.code, 0, reset.err);
    assert.notEqual(reset.out, added.out);
    assert.ok(await isPasswordOf('ada', reset.out.trimEnd()));
    assert.ok(!(await isPasswordOf('ada', password)));
    assert.equal(await store.findSession('d'), undefined, 'sessions end');
    const given = await cli(['admins', 'reset', 'ada', '--password-stdin'], 'a chosen password\n');
    assert.deepEqual([given.code, given.out], [0, '']);
    assert.ok(await isPasswordOf('ada', 'a chosen password'));
    const short = await quick(['admins', 'reset', 'ada', '--password-stdin'], 'short\n');
    assert.deepEqual([short.code, short.out], [2, '']);
    const unknown = await quick(['admins', 'reset', 'eve']);
    assert.deepEqual([unknown.code, unknown.out], [1, '']);
    assert.match(unknown.err, /there are: ada/);

    const list = JSON.parse((await quick(['admins', 'list', '--json'])).out);
    assert.deepEqual(
      list.map(({ name }: { readonly name: string }) => name),
      ['ada'],
    );
    const { entries } = await createSqlAuditStore(database).list({ limit: 10 });
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['administrator.reset', 'administrator.reset', 'administrator.create'],
    );
    const audit = JSON.stringify(entries);
    assert.ok(!audit.includes(password) && !audit.includes(reset.out.trimEnd()));
  });

  it('lose a second factor that they cannot show any more, and their sessions', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick, database } = over;
    const store = createSqlAdminStore(database);
    assert.equal((await cli(['admins', 'add', 'ada'])).code, 0);
    const reset = () => quick(['admins', 'reset-second-factor', 'ada']);
    const none = await reset();
    assert.equal(none.code, 1);
    assert.match(none.err, /ada has no second factor/);
    const clock = Date.now;
    const factors = createSecondFactors({ store, pepper: Buffer.alloc(32, 1), clock });
    const { secret = '' } = (await factors.begin('ada')) ?? {};
    const codes = await factors.confirm('ada', totpCode(secret), '');
    assert.equal(codes.length, 10);
    const times = { createdAt: clock(), seenAt: clock() };
    await store.insertSession({
      digest: 'd',
      name: 'ada',
      address: '',
      agent: '',
      method: 'password',
      providerSession: '',
      ...times,
    });
    const listed = JSON.parse((await quick(['admins', 'list', '--json'])).out);
    assert.equal(listed[0].secondFactor, true);
    assert.match((await quick(['admins', 'list'])).out, /SECOND FACTOR .*\n.* yes /);
    const done = await reset();
    assert.equal(done.code, 0, done.err);
    assert.equal(await factors.prove('ada', String(codes[0]), false), 'none');
    assert.equal(await store.findSession('d'), undefined);
    assert.match((await quick(['admins', 'reset-second-factor', 'eve'])).err, /there are: ada/);
    const { entries } = await createSqlAuditStore(database).list({ limit: 1 });
    assert.equal(entries[0]?.action, 'administrator.second-factor-reset');
  });

  it('lose a linked account of the identity provider by what shuts an intruder out', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, database } = over;
    const store = createSqlAdminStore(database);
    assert.equal((await quick(['admins', 'add', 'ada'])).code, 0);
    const account = { issuer: 'https://id.example', subject: '1', label: 'eve@example.com' };
    const link = async () => {
      assert.ok(await store.link('ada', account, { at: Date.now(), keepSession: '' }));
      assert.match(
        (await quick(['admins', 'list'])).out,
        /LINKED ACCOUNT\n.* eve@example\.com \(https:\/\/id\.example\)\n/,
      );
    };
    const isUnlinked = async () => {
      assert.equal(await store.findIdentity(account), undefined);
      assert.equal(JSON.parse((await quick(['admins', 'list', '--json'])).out)[0].account, null);
    };
    await link();
    assert.equal((await quick(['admins', 'reset', 'ada'])).code, 0);
    await isUnlinked();
    await link();
    assert.equal((await quick(['admins', 'unlink', 'ada'])).code, 0);
    await isUnlinked();
    assert.match((await quick(['admins', 'unlink', 'ada'])).err, /ada has no linked account/);
    assert.match((await quick(['admins', 'unlink', 'eve'])).err, /there are: ada/);
    const { entries } = await createSqlAuditStore(database).list({ limit: 1 });
    assert.equal(entries[0]?.action, 'administrator.unlink');
    await link();
    assert.ok(await store.beginSecondFactor('ada', 'sealed', Date.now()));
    const given = { sealed: 'sealed', step: 1, at: Date.now(), digests: ['d'], keepSession: '' };
    assert.ok(await store.confirmSecondFactor('ada', given));
    assert.equal((await quick(['admins', 'reset-second-factor', 'ada'])).code, 0);
    await isUnlinked();
  });

  it('are invited, given roles, disabled and enabled', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick, database } = over;
    const store = createSqlAdminStore(database);
    const wrong = await quick(['admins', 'add', 'ada', '--role', 'owner']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /viewer, editor/);
    assert.equal((await cli(['admins', 'add', 'ada'])).code, 0);
    assert.equal((await cli(['admins', 'add', 'eve', '--role', 'viewer'])).code, 0);
    const invite = ['admins', 'invite', 'grace', '--role', 'editor', '--url'];
    const link = await quick([...invite, 'https://sallyport.example/']);
    assert.match(
      link.out,
      /^https:\/\/sallyport\.example\/dashboard\/#join=[\w-]{43}&name=grace\n$/,
    );
    const token = new URLSearchParams(link.out.trim().split('#')[1]).get('join') ?? '';
    assert.ok(!JSON.stringify(await store.invitations(Date.now())).includes(token));
    assert.equal((await quick([...invite, 'sallyport'])).code, 2);
    assert.equal((await quick(['admins', 'invite', 'ada'])).code, 1);

    const last = await quick(['admins', 'role', 'ada', 'editor']);
    assert.equal(last.code, 1);
    assert.match(last.err, /Give another person/);
    assert.equal((await quick(['admins', 'disable', 'ada'])).code, 1);
    assert.equal((await quick(['admins', 'role', 'eve', 'administrator'])).code, 0);
    assert.equal((await quick(['admins', 'disable', 'ada'])).code, 0);
    assert.equal((await store.find('ada'))?.isDisabled, true);
    assert.equal((await quick(['admins', 'enable', 'ada'])).code, 0);
    assert.equal((await store.find('ada'))?.isDisabled, false);
    assert.equal((await quick(['admins', 'role', 'nobody', 'viewer'])).code, 1);
    const { entries } = await createSqlAuditStore(database).list({ limit: 2 });
    assert.deepEqual(entries[0]?.changes, [{ field: 'disabled', from: true, to: false }]);
    assert.match(
      (await quick(['admins', 'list'])).out,
      /ada +administrator .*\n *eve +administrator/,
    );
  });
});
