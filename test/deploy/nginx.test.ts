import { test } from 'node:test';
import { startNginx } from './proxies.ts';
import { judgeProxy } from './proxy-suite.ts';

test('nginx with njs screens whole requests', async (t) => {
  await judgeProxy(t, startNginx, { bodyBytesMax: 1_048_576, awayStatus: 503 });
});
