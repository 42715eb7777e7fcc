import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPeople } from '../../src/access/people.ts';
import type { IdentityProvider } from '../../src/contract/single-sign-on.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { here, password, setUp } from './gate-fixture.ts';

const minute = 60_000;

const identity = { issuer: 'https://id.example', subject: '1', label: 'ada' };

/** Vouches for one person, whatever it is asked. */
const vouching: IdentityProvider = {
  dashboard: 'https://gate.example/dashboard',
  issuer: 'https://id.example/',
  givesRoles: false,
  begin: async () => 'https://id.example',
  finish: async () => ({ kind: 'identified', identity }),
  readLogout: async () => ({ kind: 'not-valid' }),
};

describeOnEachDatabase('single sign-on at the gate', (make) => {
  it('takes what was begun at a provider for ten minutes, under the same pepper', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { store, time, open } = parts;
    assert.ok(await store.link('ada', identity, { at: time.now, keepSession: '' }));
    assert.ok(
      !(await store.link('gone', { ...identity, subject: '2' }, { at: time.now, keepSession: '' })),
    );
    const { singleSignOn } = await open('ours', vouching);
    const begun = await singleSignOn?.begin();
    const flow = begun?.kind === 'begun' ? begun.flow : '';
    const given = { answer: '?code=1', flow, ...here };
    const kindOf = async (name: string) =>
      (await (await open(name, vouching)).singleSignOn?.finish(given))?.kind;
    time.now += 599_999;
    assert.equal(await kindOf('them'), 'refused');
    assert.equal(await kindOf('ours'), 'signed-in');
    time.now += 1;
    assert.equal(await kindOf('ours'), 'refused');
  });

  it('knows accounts of the provider that is set only', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    assert.ok(await parts.store.link('ada', identity, { at: 0, keepSession: '' }));
    for (const issuer of ['https://id.example/', 'https://other.example/']) {
      const { singleSignOn } = await parts.open('ours', { ...vouching, issuer });
      const isOurs = issuer === vouching.issuer;
      assert.equal((await singleSignOn?.account('ada')) === 'ada', isOurs);
      const people = createPeople(parts.store, () => parts.time.now, { issuer });
      const [listed] = await people.list();
      assert.deepEqual(
        listed?.account,
        isOurs ? { issuer: identity.issuer, label: 'ada' } : undefined,
      );
      const changed = await people.change('ada', { disabled: false });
      assert.equal(changed.kind === 'changed' && changed.after.account !== undefined, isOurs);
      assert.ok(changed.kind === 'changed' && changed.after.name === 'ada');
    }
    const [stored] = await createPeople(parts.store, () => parts.time.now).list();
    assert.equal(stored?.account, undefined, 'without a provider');
  });

  it('ends sessions after the time of the setting, and those by password after 12 hours', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { store, time } = parts;
    assert.ok(await store.link('ada', identity, { at: time.now, keepSession: '' }));
    const gate = await parts.open('ours', vouching, 480 * minute);
    const begun = await gate.singleSignOn?.begin();
    const flow = begun?.kind === 'begun' ? begun.flow : '';
    const outcome = await gate.singleSignOn?.finish({ answer: '', flow, ...here });
    const provided = outcome?.kind === 'signed-in' ? outcome.session : '';
    const people = createPeople(store, () => time.now, { providedSessionMs: 480 * minute });
    const state = async () => ({
      provided: (await gate.sessionOf(provided, here)) !== undefined,
      own: (await gate.sessionOf(parts.session, here)) !== undefined,
      listed: (await people.sessions()).length,
    });
    const at = async (minutes: number) => {
      // Never without use for two hours.
      for (const end = time.now + minutes * minute; time.now < end; ) {
        time.now = Math.min(end, time.now + 100 * minute);
        if (time.now < end) await state();
      }
      return state();
    };
    assert.deepEqual(await at(479), { provided: true, own: true, listed: 2 });
    assert.deepEqual(await at(1), { provided: false, own: true, listed: 1 });
    assert.deepEqual(await at(239), { provided: false, own: true, listed: 1 });
    assert.deepEqual(await at(1), { provided: false, own: false, listed: 0 });
    time.now += 1;
    // The next sign-in removes those that have ended.
    await gate.signIn({ name: 'ada', password, ...here });
    const rows = await parts.database.selectFrom('admin_session').select('digest').execute();
    assert.equal(rows.length, 1);
  });

  it('makes one account of two first sign-ins at once', async (t) => {
    const parts = await setUp(make, t);
    if (parts === undefined) return;
    const { singleSignOn } = await parts.open('ours', {
      ...vouching,
      givesRoles: true,
      finish: async () => ({
        kind: 'identified',
        identity: { ...identity, label: 'grace', role: 'viewer' },
      }),
    });
    const begun = await singleSignOn?.begin();
    const given = { answer: '', flow: begun?.kind === 'begun' ? begun.flow : '', ...here };
    const outcomes = await Promise.all([1, 2].map(() => singleSignOn?.finish(given)));
    const ways = outcomes.map((one) => one?.kind === 'signed-in' && one.by).toSorted();
    assert.deepEqual(ways, ['created', 'link']);
  });
});
