import { test } from 'node:test';
import { startNginxAuthRequest } from './proxies.ts';
import { judgeProxy } from './proxy-suite.ts';

test('nginx without a module screens heads', async (t) => {
  await judgeProxy(t, startNginxAuthRequest, { bodyBytesMax: 0, awayStatus: 500 });
});
