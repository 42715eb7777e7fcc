import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { createSqlLearntStore } from '../../src/policies/learnt-store.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { packed } from '../../src/shape/learn/report.ts';
import { learnRequests, shopTraffic } from '../shape/learn/traffic.ts';
import { shopDocument } from '../shape/shop.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { cliOver } from './stored.ts';

describeOnEachDatabase('shapes of the command line', (make) => {
  it('are read, stored as a version, shown and removed', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { cli, quick, database, dataDir } = over;
    const store = createSqlPolicyStore(database);
    await store.insert({
      document: defaultPolicy,
      at: 1,
      by: 'ada',
      comment: '',
      id: 'default',
      name: 'Default',
    });
    const file = join(dataDir, 'api.yaml');
    writeFileSync(file, shopDocument);
    const checked = await quick(['shape', 'check', file]);
    assert.equal(checked.code, 0, checked.err);
    assert.match(checked.out, /^ {2}POST {2}\/v1\/orders {2,}application\/json$/m);
    assert.equal((await quick(['shape', 'show'])).code, 1);

    const done = await cli(['shape', 'import', file, '--closed', '--comment', 'the shop']);
    assert.equal(done.code, 0, done.err);
    assert.match(done.err, /Version 2 of Default declares this shape/);
    assert.equal((await store.find('default'))?.comment, 'the shop');
    const shown = await quick(['shape', 'show', '--json']);
    assert.equal(JSON.parse(shown.out).title, 'Shop');
    const again = await quick(['shape', 'import', '-', '--candidate'], shown.out);
    assert.match(again.err, /The candidate of Default/);
    assert.equal((await store.find('default'))?.version, 2);

    writeFileSync(file, shopDocument.replace("pattern: '^[a-z]+$'", "pattern: '(?=a)b'"));
    const wrong = await quick(['shape', 'import', file]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /- \/paths\/.*pattern cannot be run in linear time: look-around/);
    const lenient = await quick(['shape', 'check', file, '--lenient']);
    assert.equal(lenient.code, 0);
    assert.match(lenient.err, /note: .*left out/);

    const removed = await quick(['shape', 'remove']);
    assert.match(removed.err, /Version 3 of Default declares no shape/);
    assert.equal((await quick(['shape', 'remove'])).code, 1);
    assert.equal((await quick(['shape', 'check', join(dataDir, 'gone')])).code, 2);
  });
});

describeOnEachDatabase('the learnt shape of the command line', (make) => {
  it('is turned on, shown, exported, imported and forgotten', async (t) => {
    const over = await cliOver(make, t);
    if (over === undefined) return;
    const { quick, database } = over;
    const store = createSqlPolicyStore(database);
    const first = { document: defaultPolicy, at: 1, by: 'ada', comment: '' };
    await store.insert({ ...first, id: 'default', name: 'Default' });
    const on = await quick(['shape', 'learn']);
    assert.match(on.err, /Version 2 of Default learns the shape/);
    assert.equal(Object((await store.find('default'))?.document)['learnShape'], true);
    const early = await quick(['shape', 'learnt', '--format', 'openapi']);
    assert.equal(early.code, 1);
    assert.match(early.err, /Too little was learnt.*send more traffic\. .*every 30 seconds/);

    const document = packed(await learnRequests(shopTraffic(2_000)));
    await createSqlLearntStore(database).put('default', { revision: 0, document }, 1);
    const shown = await quick(['shape', 'learnt']);
    assert.match(shown.out, /^2000 requests learnt from \(100 %\), 4 routes/);
    assert.match(shown.out, /GET \/v1\/orders\/\{orderId\} +path\.orderId +uuid +seen 500 times/);
    const openapi = await quick(['shape', 'learnt', '--format', 'openapi']);
    const imported = await quick(['shape', 'import', '-'], openapi.out);
    assert.equal(imported.code, 0, imported.err);
    const shape = await quick(['shape', 'learnt', '--format', 'shape']);
    assert.deepEqual(
      JSON.parse((await quick(['shape', 'show', '--json'])).out),
      JSON.parse(shape.out),
    );
    assert.equal((await quick(['shape', 'learnt', '--format', 'xml'])).code, 2);
    assert.match((await quick(['shape', 'learn', '--reset'])).err, /forgotten/);
    assert.match((await quick(['shape', 'learnt'])).out, /^0 requests/);
    assert.match((await quick(['shape', 'learn', '--off'])).err, /learns no more/);
  });
});
