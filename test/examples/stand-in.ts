import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

export type Answer = (socket: Socket) => void;

/** Something else at the address of a Sallyport, which answers as a test wants. */
export class StandIn {
  /** Connections so far. */
  connections = 0;
  answer: Answer = () => undefined;
  origin = '';

  /** Listens until the end of the test. */
  static async on(t: TestContext): Promise<StandIn> {
    const standIn = new StandIn();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      standIn.connections += 1;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (head < 0 || text.length < head + 4 + length) return;
        text = text.slice(head + 4 + length);
        standIn.answer(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port.');
    standIn.origin = `http://127.0.0.1:${address.port}`;
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return standIn;
  }
}

/** Sends so slowly that all of it takes long, though no single wait for a byte does. */
export async function drip(socket: Socket, text: string): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await delay(50);
  }
}
