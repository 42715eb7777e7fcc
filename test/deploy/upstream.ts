import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A request as the application got it. */
export interface Arrived {
  readonly method: string;
  /** As it stood in the request line. */
  readonly url: string;
  /** Lower-case name and value of each line. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** An application that notes what reaches it, and answers 200 with a mark. */
export interface Upstream {
  readonly address: string;
  /** What arrived since the last call. */
  take(): Arrived[];
}

/** RFC 6455, section 1.3. */
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export const reachedMark = 'reached the application';

export async function startUpstream(t: TestContext): Promise<Upstream> {
  const arrived: Arrived[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', rawHeaders } = req;
      arrived.push({ method, url, headers: pairs(rawHeaders), body: Buffer.concat(chunks) });
      res.statusCode = req.url === '/forbidden' ? 403 : 200;
      res.end(reachedMark);
    });
  });
  // Sends back what it gets once the protocol has changed.
  server.on('upgrade', (req, socket) => {
    const { method = '', url = '', rawHeaders } = req;
    arrived.push({ method, url, headers: pairs(rawHeaders), body: Buffer.alloc(0) });
    const accept = createHash('sha1').update(`${req.headers['sec-websocket-key']}${guid}`);
    const head = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'];
    head.push(`sec-websocket-accept: ${accept.digest('base64')}`);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.pipe(socket).on('error', () => socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, take: () => arrived.splice(0) };
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => {
    return [raw[index * 2]?.toLowerCase() ?? '', raw[index * 2 + 1] ?? ''] as const;
  });
}
