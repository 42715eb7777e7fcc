import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { defaultPolicy } from '../../../src/contract/policy.ts';
import { mapRequest } from '../../../src/pool/map-request.ts';
import { endWithUs } from '../../lib/children.ts';
import { Connection } from '../engine/connection.ts';
import type { Observation, Reader, RunningReader, Sighting } from '../engine/reader.ts';
import { bytesOf, type WireRequest } from '../engine/wire-request.ts';
import { portOf } from './node-reader.ts';

/** Where the programs lie. */
export const outside = fileURLToPath(new URL('../outside/', import.meta.url));

/** A program that listens on `port` and answers each request with what it saw, as JSON. */
export interface Program {
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A connection for each request. */
  readonly closesEach?: boolean;
}

/** A reader in a process of its own, behind a proxy that asks `/forward`. */
export function processReader(
  name: string,
  tools: readonly string[],
  program: Program | (() => Promise<Program>),
): Reader {
  return {
    name,
    tools,
    start: async ({ onIncomplete }) => {
      const made = typeof program === 'function' ? await program() : program;
      const { command, args, environment } = made;
      const port = await freePort();
      const env = { ...process.env, ...environment };
      const child = spawn(command, args(port), { cwd: outside, env, stdio: 'ignore' });
      endWithUs(child);
      await listensOn(port, child, name);
      const refusesIncomplete = (onIncomplete ?? defaultPolicy.onIncomplete) === 'block';
      return running(port, child, { refusesIncomplete, closesEach: made.closesEach === true });
    },
  };
}

function running(
  port: number,
  child: ChildProcess,
  how: { readonly refusesIncomplete: boolean; readonly closesEach: boolean },
): RunningReader {
  const connection = new Connection(port);
  return {
    send: async (given): Promise<Observation> => {
      const request = soundlyFramed(given);
      const { texts, isComplete } = await screened(request);
      if (!isComplete && how.refusesIncomplete) return { status: 403, texts, seen: [] };
      const isHead = request.method === 'HEAD';
      const answer = await connection.exchange(bytesOf(request), { isHead, isLast: false });
      if (how.closesEach) await connection.close();
      return { status: answer?.status, texts, seen: sightingsIn(answer?.body) };
    },
    close: async () => {
      await connection.close();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A proxy has read the body already, and says how long it is. */
function soundlyFramed(request: WireRequest): WireRequest {
  const isOdd = request.framing.kind === 'verbatim' || request.framing.kind === 'chunked';
  return isOdd ? { ...request, framing: { kind: 'length' } } : request;
}

/** What `/forward` hands to the screening. */
async function screened(
  request: WireRequest,
): Promise<{ readonly texts: readonly string[]; readonly isComplete: boolean }> {
  const headers: Record<string, string[]> = Object.create(null);
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    headers[lower] ??= [];
    headers[lower].push(value.trim());
  }
  const { method, target: url, body } = request;
  const mapped = await mapRequest({ method, url, headers, body, isBodyComplete: true });
  const texts = mapped.bodies.map((text) => Buffer.from(text).toString('utf8'));
  return { texts, isComplete: mapped.isComplete };
}

/** An error page of the framework is no sighting. */
function sightingsIn(body: Buffer | undefined): Sighting[] {
  if (body === undefined || body[0] !== 0x5b) return [];
  try {
    const pairs = JSON.parse(body.toString('utf8')) as [where: string, text: string][];
    return pairs.map(([where, text]) => ({ where, text }));
  } catch {
    return [];
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const startMsMax = 60_000;

async function listensOn(port: number, child: ChildProcess, name: string): Promise<void> {
  const until = Date.now() + startMsMax;
  const probe = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error(`${name} ended with ${child.exitCode}; run its program by hand to see why.`);
    }
    const connection = new Connection(port);
    const answer = await connection.exchange(probe, { isHead: false, isLast: false });
    await connection.close();
    if (answer !== undefined) return;
    if (Date.now() > until) throw new Error(`${name} does not answer on port ${port}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
