// Starts a server, asks it once over a connection that stays open, stops it, and ends by itself.
import { startHttpServer } from '../../src/http/uws-server.ts';
import { connect } from './raw-client.ts';
import { FakeKeys, FakeLog, FakeScanner } from './test-server.ts';

const server = await startHttpServer({
  host: '127.0.0.1',
  port: 0,
  scanner: new FakeScanner(),
  keys: new FakeKeys(),
  log: new FakeLog(),
  decisions: {
    answered: () => undefined,
    keyRefused: () => undefined,
    listed: () => undefined,
    screenedInPart: () => undefined,
    blocked: () => undefined,
  },
});
const client = await connect(server.address);
client.send('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
const { status } = await client.answer();
await server.stop();
console.log(`${status} stopped`);
