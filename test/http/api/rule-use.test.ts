import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { startApiOn } from './api-server.ts';

describeOnEachDatabase('the use of rules', (make) => {
  it('counts events by rule, and names the policies that leave a rule out', async (t) => {
    const started = await startApiOn(make, t);
    if (started === undefined) return;
    const { api } = started;
    const { secret } = await api.newKey();
    for (let block = 0; block < 3; block += 1) await api.screen(secret, { q: "' OR 1=1 --" });
    await api.screen(secret, { q: 'tea' });
    const document = { categoriesOff: ['ldapi'] };
    const made = await api.call('/api/policies', { body: { name: 'till', document } });
    const path = `/api/policies/${made.body.policy.id}/exclusions`;
    const why = { reason: 'an editor', acceptWide: true };
    const wide = { pointer: '/**', rule: 'xss.script-call', ...why };
    const narrow = { pointer: '/html', rule: 'sqli.tautology', ...why };
    for (const exclusion of [wide, narrow]) {
      const reply = await api.call(path, { body: exclusion });
      assert.ok(reply.status < 300, JSON.stringify(reply.body));
    }
    const { status, body } = await api.call('/api/rules/use');
    assert.equal(status, 200);
    assert.deepEqual(body.events, [{ rule: 'sqli.tautology', count: 3 }]);
    assert.equal(body.estimated, false);
    const { rules } = (await api.call('/api/rules')).body;
    const off: { rule: string; policyName: string }[] = body.off;
    assert.deepEqual(
      off.map(({ rule }) => rule).sort(),
      rules
        .filter((one: { id: string; category: string }) => {
          return one.category === 'ldapi' || one.id === 'xss.script-call';
        })
        .map(({ id }: { id: string }) => id)
        .sort(),
    );
    assert.ok(off.every(({ policyName }) => policyName === 'till'));
  });
});
