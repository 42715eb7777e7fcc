import { createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

/** A server that is asked like a Sallyport and answers as a test wants. Ended after the test. */
export async function falseSallyport(
  t: TestContext,
  onRequest: (socket: Socket, text: string) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      onRequest(socket, text.slice(0, head + 4 + length));
      text = text.slice(head + 4 + length);
    });
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/**
 * An address where nobody listens: the port of tcpmux, which the system hands out to nobody. A port
 * that was free a moment ago may be another test's by now.
 */
export const deadAddress = 'http://127.0.0.1:1';

export function httpAnswer(status: number, body: string, type = 'application/json'): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

const allow = '{"id":"0190","decision":"allow","score":0,"findings":[]}';

/** What no Sallyport answers, by name. None of it may allow, block or crash. */
export const garbage: Readonly<Record<string, (socket: Socket) => void>> = {
  'a web page': (socket) => socket.write(httpAnswer(200, '<h1>Welcome</h1>', 'text/html')),
  'another 403': (socket) => socket.write(httpAnswer(403, '<h1>Forbidden</h1>', 'text/html')),
  '403 for an allow': (socket) => socket.write(httpAnswer(403, allow)),
  '200 for a block': (socket) => socket.write(httpAnswer(200, allow.replace('allow', 'block'))),
  'an id that is none': (socket) => socket.write(httpAnswer(200, allow.replace('0190', '<b>'))),
  'half of the JSON': (socket) => socket.write(httpAnswer(200, allow.slice(0, 20))),
  'JSON that is no object': (socket) => socket.write(httpAnswer(200, 'null')),
  'an empty body': (socket) => socket.write(httpAnswer(200, '')),
  'no content': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  'a redirect': (socket) =>
    socket.write('HTTP/1.1 302 Found\r\nlocation: /control\r\ncontent-length: 0\r\n\r\n'),
  'an error of its own': (socket) => socket.write(httpAnswer(500, '{"detail":"defect"}')),
  'no HTTP': (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'a broken head': (socket) => socket.write('HTTP/1.1 two hundred\r\n\r\n'),
  'an answer that breaks off': (socket) => socket.end(httpAnswer(200, allow).slice(0, -9)),
  'a reset': (socket) => socket.resetAndDestroy(),
  'nothing but an end': (socket) => socket.end(),
  'an endless answer': (socket) => void writeOn(socket),
  'a doubled answer': (socket) => socket.write(httpAnswer(500, '{}') + httpAnswer(200, allow)),
};

async function writeOn(socket: Socket): Promise<void> {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
  while (!socket.destroyed) {
    if (!socket.write(' '.repeat(65_536))) await delay(1);
  }
}
