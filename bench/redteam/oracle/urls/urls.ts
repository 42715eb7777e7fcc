import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { python } from '../../../lib/installed.ts';
import type { Context, Effect, Oracle } from '../../contract.ts';
import { LineProcess } from '../line-process.ts';
import { type UrlContext, urlContexts } from './contexts.ts';
import { isInside } from './inside.ts';

/** An oracle whose contexts are addresses. */
export interface UrlOracle extends Oracle {
  readonly contexts: readonly UrlContext[];
}

/** A client: the hosts that it goes to, `file:` for a local file; undefined where it refuses. */
interface Client {
  hostsOf(url: string): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

function urlOracle(
  name: string,
  tools: readonly string[],
  startClient: () => Promise<Client>,
): UrlOracle {
  return {
    name,
    category: 'ssrf',
    language: 'url',
    tools,
    contexts: urlContexts,
    start: async () => {
      const client = await startClient();
      const judge = async (context: Context, [value = '']: readonly string[]): Promise<Effect> => {
        const url = (context as UrlContext).url(value);
        const hosts = url === undefined ? undefined : await client.hostsOf(url);
        if (hosts === undefined) return 'error';
        return hosts.some((host) => host === 'file:' || isInside(host)) ? 'effective' : 'inert';
      };
      return {
        judge,
        // Nothing is fetched: this is what it would have brought.
        reply: async (context, values) => {
          const effect = await judge(context, values);
          return { effect, text: effect === 'effective' ? 'inner secret' : 'No answer' };
        },
        close: () => client.close(),
      };
    },
  };
}

/** WHATWG's URL, by which `fetch` of Node and of browsers goes. */
export const nodeUrl: UrlOracle = urlOracle('node fetch', [], async () => ({
  hostsOf: async (text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) ? [url.hostname] : undefined;
  },
  close: async () => undefined,
}));

/** The first request of a program may load what it needs. */
const answerMs = 5000;
const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/** `urls.py`: `urllib`, with the connection as the place where it is stopped. */
export const pythonUrl: UrlOracle = urlOracle('python urllib', [python], async () => {
  const args = ['-I', fileOf('urls.py')];
  return clientOf(await LineProcess.started({ command: python, args, answerMs }));
});

/** `urls.php`: libcurl, behind a proxy that is asked for each host. */
export const curlUrl: UrlOracle = urlOracle('curl', ['php', 'curl'], async () => {
  const proxy = await startProxy();
  const args = [fileOf('urls.php'), String(proxy.port)];
  const client = clientOf(await LineProcess.started({ command: 'php', args, answerMs }));
  const ask = async (url: string): Promise<readonly string[] | undefined> => {
    proxy.hosts.length = 0;
    const hosts = await client.hostsOf(url);
    return hosts === undefined ? undefined : [...hosts, ...proxy.hosts];
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    // One after the other: the proxy does not know who asks.
    hostsOf: (url) => {
      const hosts = last.then(() => ask(url));
      last = hosts;
      return hosts;
    },
    close: async () => {
      await client.close();
      proxy.server.close();
    },
  };
});

/** `urls.go`: `net/http`, with the dialler as the place where it is stopped. */
export const goUrl: UrlOracle = urlOracle('go net/http', ['go'], async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-urls-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // The program may be another user than we are.
  chmodSync(folder, 0o755);
  const command = join(folder, 'urls');
  try {
    await promisify(execFile)('go', ['build', '-o', command, fileOf('urls.go')]);
    const client = clientOf(await LineProcess.started({ command, args: [], answerMs }));
    return { ...client, close: () => client.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
});

function clientOf(running: LineProcess): Client {
  return {
    hostsOf: async (url) => {
      const answer = JSON.parse((await running.ask({ url })) ?? 'null') as string[] | null;
      return answer ?? undefined;
    },
    close: () => running.close(),
  };
}

/** Notes the host of each request and answers that it does not work. */
async function startProxy(): Promise<{ server: Server; port: number; hosts: string[] }> {
  const hosts: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const host = /^Host: *(\[[^\]]*\]|[^:\r\n]*)/im.exec(chunk.toString('latin1'))?.[1];
      if (host !== undefined) hosts.push(host);
      socket.end('HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, hosts };
}
