import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startHttpServer } from '../../src/http/uws-server.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';
import { uncountedGrant } from '../../test/support/key-grant.ts';
import { quietLog } from '../lib/log.ts';

// One of several front ends on the same port (SO_REUSEPORT): the HTTP server and the pool of the
// service, with one key that is good. Ends with SIGTERM.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    key: { type: 'string', default: 'none' },
  },
});

const grant = uncountedGrant('bench000');
const scanner = createPooledScanner({ threads: Number(values.workers), log: quietLog });
while (!scanner.isReady()) await delay(5);
const server = await startHttpServer({
  host: '127.0.0.1',
  port: Number(values.port),
  sharePort: true,
  scanner,
  keys: {
    verify: (key) => (key === values.key ? grant : undefined),
    lookUp: () => undefined,
    isVoid: () => false,
    isReady: () => true,
  },
  log: quietLog,
  decisions: {
    answered: () => undefined,
    keyRefused: () => undefined,
    listed: () => undefined,
    screenedInPart: () => undefined,
    blocked: () => undefined,
  },
});
process.once('SIGTERM', async () => {
  await server.stop();
  await scanner.close();
  process.exit(0);
});
console.log(server.address);
