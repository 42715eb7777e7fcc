import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it, test } from 'node:test';
import { FailureTable } from '../../src/access/failure-table.ts';
import { createPasswords } from '../../src/access/password.ts';
import { createSignInLimits, delayAfter } from '../../src/access/sign-in-limits.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { totpCode } from '../support/totp.ts';
import { here, hour, openGate, password, setUp } from './gate-fixture.ts';

describeOnEachDatabase('the gate', (make) => {
  it('puts no second factor in force by many tries, nor an hour after it was begun', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate, time, session } = parts;
    const asker = { session, name: 'ada', address: here.address };
    const begin = async () => {
      const begun = await gate.secondFactor.begin({ ...asker, password });
      return begun.kind === 'begun' ? begun.secret : '';
    };
    const secret = await begin();
    const confirm = async (steps: number, own = secret) =>
      gate.secondFactor.confirm({ ...asker, code: totpCode(own, steps, time.now) });
    const tries = await Promise.all(Array.from({ length: 7 }, () => confirm(9)));
    assert.deepEqual(tries.map(({ kind }) => kind).toSorted(), [
      ...Array<string>(2).fill('limited'),
      ...Array<string>(5).fill('wrong-code'),
    ]);
    assert.equal((await confirm(0)).kind, 'limited');
    time.now += hour;
    assert.equal((await confirm(0)).kind, 'not-begun');
    assert.deepEqual(await gate.secondFactor.state('ada'), { isOn: false, recoveryCodes: 0 });
    assert.equal((await confirm(0, await begin())).kind, 'confirmed');
  });

  it('takes few wrong codes of a name from all addresses, but from a known device and recovery codes', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate, time, session, store } = parts;
    // Nodes and restarts share the count.
    const nodes = [gate, await parts.open()];
    const first = await gate.signIn({ name: 'ada', password, ...here });
    assert.equal(first.kind, 'signed-in');
    const device = first.kind === 'signed-in' ? first.device : '';
    const asker = { session, name: 'ada', address: here.address };
    const begun = await gate.secondFactor.begin({ ...asker, password });
    const secret = begun.kind === 'begun' ? begun.secret : '';
    const code = (steps = 0) => totpCode(secret, steps, time.now);
    const confirmed = await gate.secondFactor.confirm({ ...asker, code: code() });
    assert.equal(confirmed.kind, 'confirmed');
    const [recovery = ''] = confirmed.kind === 'confirmed' ? confirmed.recoveryCodes : [];
    let address = 0;
    const attempt = async (given: object) => {
      address += 1;
      const from = { ...here, address: `10.1.0.${address}` };
      const node = nodes[address % 2] ?? gate;
      return (await node.signIn({ name: 'ada', password, ...from, ...given })).kind;
    };
    time.now += 30_000;
    for (let n = 0; n < 5; n += 1) {
      assert.equal(await attempt({ code: code(9) }), 'wrong-code');
    }
    assert.equal(await attempt({ code: code() }), 'limited');
    assert.equal(await attempt({}), 'code-needed');
    assert.equal(await attempt({ code: recovery }), 'signed-in');
    assert.equal(await attempt({ code: code(), device }), 'signed-in');
    assert.equal(await attempt({ code: code(1) }), 'limited', 'that forgives others nothing');
    time.now += hour;
    assert.equal(await attempt({ code: code() }), 'signed-in', 'forgotten');
    const bound = { now: time.now, periodMs: hour, max: 5 };
    const many = Array.from({ length: 8 }, () => store.countCode('ada', bound));
    assert.equal((await Promise.all(many)).filter(Boolean).length, 5, 'however many at once');
    assert.equal(await store.countCode('grace', bound), false);
  });

  it('a start without administrators has a token, a later one has none', async (t) => {
    const parts = await openGate(make, t);
    if (parts === undefined) return;
    const { open, gate } = parts;
    const [other, stranger] = [await open(), await open('theirs')];
    assert.notEqual(gate.setUpToken, other.setUpToken, 'each start has its own');
    const wish = { name: 'ada', password, ...here };
    for (const token of ['', 'x', stranger.setUpToken ?? '', `${other.setUpToken}AAAA`]) {
      assert.equal((await gate.setUp({ ...wish, token })).kind, 'wrong-token', token);
    }
    const both = await Promise.all(
      [gate, other].map((one) => one.setUp({ ...wish, token: one.setUpToken ?? '' })),
    );
    assert.deepEqual(both.map(({ kind }) => kind).toSorted(), ['set-up', 'set-up-already']);
    assert.equal((await open()).setUpToken, undefined);
  });

  it('a process takes the token of another one for a day', async (t) => {
    const parts = await openGate(make, t);
    if (parts === undefined) return;
    const { open, gate, time } = parts;
    const other = await open();
    const wish = { name: 'ada', password, ...here };
    time.now += 24 * hour;
    const late = await gate.setUp({ ...wish, token: other.setUpToken ?? '' });
    assert.equal(late.kind, 'wrong-token');
    time.now -= 1;
    const another = await open();
    const young = await another.setUp({ ...wish, token: gate.setUpToken ?? '' });
    assert.equal(young.kind, 'set-up');
  });

  it('a process takes its own token as long as it runs', async (t) => {
    const parts = await openGate(make, t);
    if (parts === undefined) return;
    parts.time.now += 72 * hour;
    const token = parts.gate.setUpToken ?? '';
    assert.equal(
      (await parts.gate.setUp({ token, name: 'ada', password, ...here })).kind,
      'set-up',
    );
  });

  it('who has not the password is refused, and is given no session', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate } = parts;
    const wrong = await gate.signIn({ name: 'ada', password: `${password}!`, ...here });
    const unknown = await gate.signIn({ name: 'bob', password, ...here });
    const note = (name: string) => ({ kind: 'refused', note: { name, failures: 1 } });
    assert.deepEqual([wrong, unknown], [note('ada'), note('')]);
    assert.equal((await gate.signIn({ name: 'ada', password, ...here })).kind, 'signed-in');
  });

  it('a session ends after two idle hours and after twelve in all', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate, time, session } = parts;
    time.now += 2 * hour - 1;
    assert.ok(await gate.sessionOf(session, here));
    time.now += 2 * hour;
    assert.equal(await gate.sessionOf(session, here), undefined);

    const again = await gate.signIn({ name: 'ada', password, ...here });
    assert.ok(again.kind === 'signed-in');
    for (let hours = 1; hours < 12; hours += 1) {
      time.now += hour;
      assert.ok(await gate.sessionOf(again.session, here), `after ${hours} hours`);
    }
    time.now += hour;
    assert.equal(await gate.sessionOf(again.session, here), undefined);
  });

  it('a session that is used counts as idle from then on, to the minute', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate, time, session } = parts;
    time.now += 60_000;
    assert.ok(await gate.sessionOf(session, here));
    time.now += 2 * hour - 1;
    assert.ok(await gate.sessionOf(session, here));
  });

  it('neither password nor session is stored', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { database, session } = parts;
    const admins = await database.selectFrom('admin').selectAll().execute();
    const sessions = await database.selectFrom('admin_session').selectAll().execute();
    assert.match(admins[0]?.password_hash ?? '', /^scrypt\$32768\$8\$1\$/);
    const digest = createHash('sha256').update(session).digest('hex');
    assert.equal(sessions[0]?.digest, digest);
    const all = JSON.stringify([admins, sessions]);
    for (const secret of [password, session]) assert.ok(!all.includes(secret));
  });

  it('of two who remove each other at once one stays', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { gate, people } = parts;
    const grace = { name: 'grace', role: 'administrator' } as const;
    assert.deepEqual(await gate.add({ ...grace, password }), grace);
    const outcomes = await Promise.all(['ada', 'grace'].map((name) => people.remove(name)));
    assert.deepEqual(outcomes.toSorted(), ['is-last', 'removed']);
    assert.equal((await people.list()).length, 1);
    assert.equal(await people.remove('nobody'), 'unknown');
  });

  it('sessions that ended are removed at the next sign-in', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { database, gate, time } = parts;
    time.now += 13 * hour;
    await gate.signIn({ name: 'ada', password, ...here });
    const rows = await database.selectFrom('admin_session').selectAll().execute();
    assert.equal(rows.length, 1);
  });
});

test('a password is checked whatever its composition, and a wrong one is refused', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('caf\u00e9 au lait, bien s\u00fbr');
  assert.equal(await passwords.matches('cafe\u0301 au lait, bien su\u0302r', hash), true);
  assert.equal(await passwords.matches('cafe au lait, bien sur', hash), false);
  assert.equal(await passwords.matches('anything', undefined), false);
  assert.equal(await passwords.matches('anything', 'damaged'), false);
});

test('too many checks at once are turned away', async () => {
  const passwords = createPasswords();
  const all = await Promise.all(
    Array.from({ length: 24 }, () => passwords.matches('x', undefined)),
  );
  assert.equal(all.filter((one) => one === undefined).length, 6);
  assert.equal(await passwords.matches('x', undefined), false, 'and there is room again');
});

test('a known device is checked before strangers, however many of them wait', async () => {
  const passwords = createPasswords();
  const order: string[] = [];
  const strangers = Array.from({ length: 18 }, async () => {
    await passwords.matches('x', undefined);
    order.push('stranger');
  });
  assert.equal(await passwords.matches('x', undefined), undefined, 'there is no room for more');
  const hash = await passwords.hash(password);
  const isRight = await passwords.matches(password, hash, true);
  order.push('known');
  await Promise.all(strangers);
  assert.equal(isRight, true);
  assert.ok(order.indexOf('known') < 10, order.join(' '));
});

test('a name is locked at one network only, and forgotten after a quarter of an hour', async () => {
  const time = { now: 1_000_000 };
  const limits = createSignInLimits(() => time.now);
  const from = (address: string, name = 'ada') => limits.attempt({ name, address });
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await from(`2001:db8::${count}:1:2:3`)).kind, 'allowed');
  }
  const locked = await from('2001:db8::ffff');
  assert.deepEqual(locked, { kind: 'limited', retryAfterSeconds: 900 });
  assert.equal((await from('2001:db8:0:1::1')).kind, 'allowed', 'from elsewhere');
  assert.equal((await from('2001:db8::1', 'grace')).kind, 'allowed', 'another name');
  time.now += 900_000;
  assert.equal((await from('2001:db8::1')).kind, 'allowed');
});

test('failures beyond the free ones cost twice the time each, up to five seconds', () => {
  const delays = [0, 5, 6, 7, 8, 9, 10, 11, 12, 4_000].map((count) => delayAfter(count, 5));
  assert.deepEqual(delays, [0, 0, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
});

test('a success forgives what the name failed at from there, and nothing else', async () => {
  const limits = createSignInLimits(() => 0);
  for (let round = 0; round < 8; round += 1) {
    for (let count = 0; count < 4; count += 1) {
      await limits.attempt({ name: 'ada', ...here });
    }
    const attempt = await limits.attempt({ name: 'ada', ...here });
    assert.ok(attempt.kind === 'allowed', `round ${round}`);
    attempt.succeeded();
  }
  for (let count = 0; count < 5; count += 1) {
    await limits.attempt({ name: 'eve', ...here });
  }
  const attempt = await limits.attempt({ name: 'ada', ...here });
  assert.ok(attempt.kind === 'allowed');
  attempt.succeeded();
  assert.equal((await limits.attempt({ name: 'eve', ...here })).kind, 'limited');
});

test('an attempt whose password was not looked at does not count', async () => {
  const limits = createSignInLimits(() => 0);
  for (const device of [undefined, 'a device']) {
    for (let count = 0; count < 40; count += 1) {
      const attempt = await limits.attempt({ name: 'ada', address: '10.0.0.1', device });
      assert.ok(attempt.kind === 'allowed', String(count));
      attempt.withdrawn();
    }
  }
});

test('a device has five failures of its own, whatever others have', async () => {
  const limits = createSignInLimits(() => 0);
  const stranger = { name: 'ada', ...here };
  for (let count = 0; count < 5; count += 1) await limits.attempt(stranger);
  const known = { ...stranger, device: 'a device' };
  for (let count = 0; count < 5; count += 1) {
    const attempt = await limits.attempt(known);
    assert.ok(attempt.kind === 'allowed' && attempt.isKnown, String(count));
  }
  assert.equal((await limits.attempt(known)).kind, 'limited');
  assert.equal((await limits.attempt({ ...known, device: 'another' })).kind, 'allowed');
});

test('a flood of names takes no more room than is meant for it', async () => {
  const limits = createSignInLimits(() => 0);
  for (let count = 0; count < 20; count += 1) {
    await limits.attempt({ name: `free ${count}`, ...here });
  }
  const flood = Array.from({ length: 400 }, (_, count) =>
    limits.attempt({ name: `name ${count}`, ...here }),
  );
  const kinds = (await Promise.all(flood)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'limited').length, 400 - 256);
});

test('failures are kept for as many names as there is room, the latest ones', () => {
  const table = new FailureTable(() => 0);
  table.add('first', 3);
  table.add('second', 3);
  table.add('first', 1);
  for (let count = 0; count < 19_999; count += 1) table.add(`name ${count}`, 1);
  assert.equal(table.of('second'), 0);
  assert.equal(table.of('first'), 4);
});
