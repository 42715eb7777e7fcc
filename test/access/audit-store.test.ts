import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';

describeOnEachDatabase('an audit store', (make) => {
  it('an entry is never changed or removed, whoever asks the database', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const audit = createSqlAuditStore(database);
    const act = { actor: 'ada', action: 'key.revoke', target: 'Abc12345', summary: 'revoked it' };
    await audit.append({ ...act, address: '127.0.0.1' }, 1_000);
    await audit.append(act, 2_000);
    const rewrite = database.updateTable('audit_entry').set({ actor: 'eve' });
    await assert.rejects(rewrite.execute(), /never changed/);
    await assert.rejects(database.deleteFrom('audit_entry').execute(), /never changed/);
    const { entries } = await audit.list({ limit: 10 });
    assert.deepEqual(
      entries.map(({ at, actor, address }) => [at, actor, address]),
      [
        ['1970-01-01T00:00:02.000Z', 'ada', undefined],
        ['1970-01-01T00:00:01.000Z', 'ada', '127.0.0.1'],
      ],
    );
  });
});
