import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { GuardOptions } from '../../../src/clients/guard.ts';
import { Connection } from '../engine/connection.ts';
import type { Observation, Reader, RunningReader, StartOptions } from '../engine/reader.ts';
import { Recorder } from '../engine/recorder.ts';
import { Sightings } from '../engine/sightings.ts';
import { bytesOf, type WireRequest } from '../engine/wire-request.ts';
import { Http2Connection } from './http2-connection.ts';

/** Where handlers leave what they saw: one request is under way at a time. */
export interface Probe {
  sightings: Sightings;
}

/** An application that listens. */
export interface NodeApp {
  readonly port: number;
  close(): Promise<void>;
}

/** Builds an application with the real middleware in it. */
export type BuildApp = (options: GuardOptions, probe: Probe) => Promise<NodeApp>;

interface Wire {
  exchange(request: WireRequest): Promise<{ readonly status: number } | undefined>;
  close(): Promise<void>;
}

/** A reader in this process, behind a socket of its own. */
export function nodeReader(name: string, build: BuildApp, protocol: 1 | 2 = 1): Reader {
  return { name, tools: [], start: (options) => start(build, protocol, options) };
}

async function start(
  build: BuildApp,
  protocol: 1 | 2,
  { onIncomplete }: StartOptions,
): Promise<RunningReader> {
  const recorder = new Recorder();
  const probe: Probe = { sightings: new Sightings() };
  const settings = onIncomplete === undefined ? {} : { onIncomplete };
  const options = { screener: recorder, onError: () => undefined, ...settings };
  const app = await build(options, probe);
  const wire = protocol === 1 ? http1(app.port) : new Http2Connection(app.port);
  return {
    send: async (request): Promise<Observation> => {
      recorder.texts.length = 0;
      probe.sightings = new Sightings();
      const answer = await wire.exchange(request);
      const { all: seen } = probe.sightings;
      // What comes late belongs to no request.
      probe.sightings = new Sightings();
      return { status: answer?.status, texts: [...recorder.texts], seen };
    },
    close: async () => {
      await wire.close();
      await app.close();
    },
  };
}

function http1(port: number): Wire {
  const connection = new Connection(port);
  return {
    exchange: (request) =>
      connection.exchange(bytesOf(request), {
        isHead: request.method === 'HEAD',
        isLast: request.framing.kind === 'verbatim',
      }),
    close: () => connection.close(),
  };
}

/** Listens on a free port of the loopback. */
export async function listening(server: Server): Promise<NodeApp> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return appOn(server);
}

/** A server that listens already. */
export function appOn(server: Server): NodeApp {
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { port: portOf(server), close };
}

export function portOf(server: NetServer): number {
  return (server.address() as AddressInfo).port;
}
