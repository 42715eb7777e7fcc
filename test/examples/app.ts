import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from '../support/cli.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

/** Where the examples lie. */
export const folder = fileURLToPath(new URL('.', import.meta.url));

/** What a request to an application is made of, byte by byte. */
export interface AppRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** An application of one of the examples, in a process of its own. */
export interface App {
  /** All that it said. */
  readonly log: () => string;
  send(request: AppRequest): Promise<{ readonly status: number; readonly text: string }>;
}

/** Starts an application on a free port and waits until it answers. Ended after the test. */
export async function startApp(
  t: TestContext,
  command: (port: number) => readonly [program: string, ...args: string[]],
  environment: Readonly<Record<string, string>>,
): Promise<App> {
  const port = await freePort();
  const [program, ...args] = command(port);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment, PORT: String(port) },
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const log = () => `${out()}${err()}`;
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const send = (asked: AppRequest) => sendTo(port, asked);
  await until(`${program} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${log()}`);
    return send({}).then(
      () => true,
      () => false,
    );
  });
  return { log, send };
}

/** `fetch` would change targets and header names on their way. */
function sendTo(port: number, asked: AppRequest): ReturnType<App['send']> {
  const { method = 'GET', target = '/', headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const hasLength = body !== undefined && headers['transfer-encoding'] === undefined;
    const length = hasLength ? { 'content-length': Buffer.byteLength(body) } : {};
    const sent = request(
      { host: '127.0.0.1', port, method, path: target, headers: { ...length, ...headers } },
      async (response) => {
        const text = collect(response);
        await once(response, 'end');
        resolve({ status: response.statusCode ?? 0, text: text() });
      },
    );
    sent.on('error', reject);
    sent.setNoDelay(true);
    sent.end(body);
  });
}
