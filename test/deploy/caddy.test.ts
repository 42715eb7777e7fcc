import { test } from 'node:test';
import { startCaddy } from './proxies.ts';
import { judgeProxy } from './proxy-suite.ts';

test('Caddy screens heads', async (t) => {
  await judgeProxy(t, startCaddy, { bodyBytesMax: 0, awayStatus: 502 });
});
