import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** One request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What is answered: a status, with headers and a text if any; undefined for nothing at all. */
export type Answering = (nth: number) =>
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string;
    }
  | undefined;

/** A real HTTP server that keeps what it is sent; gone after the test. */
export async function startReceiver(
  t: TestContext,
  answering: Answering = () => ({ status: 204 }),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    received.push({ path: request.url ?? '', headers: request.headers, body });
    const answer = answering(received.length);
    if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}
