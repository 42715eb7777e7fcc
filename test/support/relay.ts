import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { breakOff } from './break-off.ts';

/** Stands between a client and its server, and does to their connections what networks do. */
export interface Relay {
  /** The URL of the server, by way of the relay. */
  readonly url: string;
  /** Breaks the connections that are open. */
  cut(): void;
  /** Lets nothing more pass on the connections that are open, which stay open. */
  silence(): void;
}

/** Relays to a server on this machine until the test ends. */
export async function startRelay(t: TestContext, serverUrl: string): Promise<Relay> {
  const url = new URL(serverUrl);
  const server = { host: url.hostname, port: Number(url.port) };
  const pairs = new Set<readonly [Socket, Socket]>();
  const listener = createServer((near) => {
    const far = createConnection(server);
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const one of pair) one.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = () => {
    for (const [near] of pairs) breakOff(near);
  };
  t.after(async () => {
    const closed = once(listener, 'close');
    cut();
    listener.close();
    await closed;
  });
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
  };
}
