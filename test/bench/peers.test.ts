import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateOf, runLoad } from '../../bench/http/load.ts';
import { findPeer, startPeer } from '../../bench/http/nginx.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a peer that is not installed is named by what is missing', () => {
  const root = tempDir();
  assert.deepEqual(findPeer({ root, crs: undefined }), { missing: `${root}/usr/sbin/nginx` });
});

test('the peer screens: it blocks an attack, and answers under load', async (t) => {
  const files = findPeer({ root: '/', crs: undefined });
  if ('missing' in files) {
    const packages = 'nginx libnginx-mod-http-modsecurity modsecurity-crs';
    assert.notEqual(process.env['SALLYPORT_TEST_ALL'], '1', `install ${packages}`);
    return t.skip(`${files.missing} is not installed`);
  }
  const peer = await startPeer(files, 1);
  t.after(() => peer.stop());
  const mix = [{ body: 'login', share: 1 }];
  const load = await runLoad(peer, { mix, connections: 2, warmUpMs: 50, ms: 200 });
  assert.ok(rateOf(load) > 0);
});
