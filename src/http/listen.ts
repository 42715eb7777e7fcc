import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { UwsApp, UwsListenSocket, UwsModule } from './uws.ts';

/** Where a server listens. */
export interface Listening {
  readonly address: string;
  /** Stops listening; connections that are open stay open. */
  close(): void;
}

/** The system's bound (unix(7)) less a zero byte, a point and a process id. */
const socketPathBytesMax = 99;

/** Listens on TCP. Several processes may share a port only when all of them ask for it. */
export async function listenTcp(
  uws: UwsModule,
  app: UwsApp,
  target: {
    readonly host: string;
    readonly port: number;
    readonly scheme: 'http' | 'https';
    readonly sharePort: boolean;
  },
): Promise<Listening> {
  const { host, port } = target;
  const options = target.sharePort ? 0 : uws.LIBUS_LISTEN_EXCLUSIVE_PORT;
  const socket = await new Promise<UwsListenSocket>((resolve) => {
    app.listen(host, port, options, resolve);
  });
  if (socket === false) throw new Error(await tcpAdvice(host, port));
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    address: `${target.scheme}://${name}:${uws.us_socket_local_port(socket)}`,
    close: () => uws.us_listen_socket_close(socket),
  };
}

/**
 * Why a TCP address cannot be used, and what to do. The native call gives no reason, so try again.
 */
async function tcpAdvice(host: string, port: number): Promise<string> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
  const where = `Cannot listen on ${host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${where}: the port is taken. Stop the program that has it, or choose another with --port.`;
    case 'EACCES':
      return `${where}: no permission. Choose a port from 1024 up, or grant CAP_NET_BIND_SERVICE.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${where}: not an address of this machine. Choose one that is, or 0.0.0.0 for all.`;
    default:
      return `${where} (${code ?? 'reason unknown'}). Choose another host or port.`;
  }
}

/**
 * Listens on a Unix socket that its owner and group may use. Takes the place of a dead socket, and
 * that of a live one only where it may be shared: new connections then come here, and the process
 * that had the path keeps those that it has.
 */
export async function listenUnix(
  uws: UwsModule,
  app: UwsApp,
  target: { readonly path: string; readonly sharePort: boolean },
): Promise<Listening> {
  const { path } = target;
  if (Buffer.byteLength(path) > socketPathBytesMax) {
    throw new Error(
      `The socket path ${path} is longer than ${socketPathBytesMax} bytes. Choose a shorter one.`,
    );
  }
  // Put into place only when it can be used: no client meets a missing or closed socket.
  const aside = `${path}.${process.pid}`;
  await refuseTakenPath(path, target.sharePort);
  rmSync(aside, { force: true });
  const socket = await new Promise<UwsListenSocket>((resolve) => {
    app.listen_unix(resolve, aside);
  });
  if (socket === false) {
    throw new Error(
      `Cannot listen on the Unix socket ${path}. ` +
        'Check that its directory exists and may be written.',
    );
  }
  chmodSync(aside, 0o660);
  const { ino } = lstatSync(aside);
  renameSync(aside, path);
  return {
    address: `unix:${path}`,
    close: () => {
      uws.us_listen_socket_close(socket);
      // A successor may have put its own socket there by now.
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
    },
  };
}

async function refuseTakenPath(path: string, mayBeLive: boolean): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) {
    throw new Error(
      `${path} exists and is not a socket. Remove it, or choose another socket path.`,
    );
  }
  if (mayBeLive) return;
  const isLive = await new Promise<boolean>((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
  if (isLive) {
    throw new Error(
      `Another program listens on the Unix socket ${path}. Stop it, or choose another socket path.`,
    );
  }
}
