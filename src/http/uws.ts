import { createRequire } from 'node:module';
import { limits } from '../contract/limits.ts';

/** Text or bytes, as uWebSockets.js takes them. */
export type UwsText = string | Uint8Array;

/**
 * The part of a uWebSockets.js response that we use. Dead after `end`, after `close` and after an
 * abort.
 */
export interface UwsResponse {
  writeStatus(status: UwsText): UwsResponse;
  writeHeader(name: UwsText, value: UwsText): UwsResponse;
  /** Sends a part of the body, chunked. False when it had to be buffered. */
  write(chunk: UwsText): boolean;
  /**
   * Calls when the connection takes more, with the number of body bytes that went out so far. The
   * handler gives false when it could not write all that it wanted to.
   */
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  /** Ends the answer with its whole body, or its rest, of which it takes what the socket does. */
  tryEnd(body: Uint8Array, totalBytes: number): readonly [ok: boolean, hasResponded: boolean];
  getWriteOffset(): number;
  /** Four bytes, sixteen, or none on a Unix socket. */
  getRemoteAddress(): ArrayBuffer;
  end(body?: UwsText, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  close(): UwsResponse;
  cork(write: () => void): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  pause(): void;
  resume(): void;
}

/** The part of a uWebSockets.js request that we use. Dead when the handler returns. */
export interface UwsRequest {
  getHeader(lowerCaseName: string): string;
  /** Each header line, its name in lower case. */
  forEach(line: (name: string, value: string) => void): void;
  getCaseSensitiveMethod(): string;
  /** The path, without the query. */
  getUrl(): string;
  /** The query, without its question mark. */
  /** Undefined where the target has no question mark. */
  getQuery(): string | undefined;
}

export type UwsHandler = (res: UwsResponse, req: UwsRequest) => void;

/** A listening socket; `false` where listening failed. */
export type UwsListenSocket = object | false;

export interface UwsApp {
  any(pattern: string, handler: UwsHandler): UwsApp;
  post(pattern: string, handler: UwsHandler): UwsApp;
  listen(
    host: string,
    port: number,
    options: number,
    onListen: (socket: UwsListenSocket) => void,
  ): UwsApp;
  listen_unix(onListen: (socket: UwsListenSocket) => void, path: string): UwsApp;
  /** Calls with 1 for each connection that opens, and with -1 for each that closes. */
  filter(handler: (res: UwsResponse, change: number) => void): UwsApp;
  close(): UwsApp;
}

export interface UwsModule {
  App(): UwsApp;
  SSLApp(options: { readonly cert_file_name: string; readonly key_file_name: string }): UwsApp;
  /** A switch that the typings do not name; `silent` ends the banner in each answer. */
  _cfg?(word: string): void;
  us_listen_socket_close(socket: object): void;
  us_socket_local_port(socket: object): number;
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}

/**
 * The package whose native part fits a Node version: the older one also runs where glibc is old.
 */
export function uwsPackageFor(nodeVersion: string): string {
  return Number.parseInt(nodeVersion, 10) >= 24 ? 'uwebsockets-node24' : 'uWebSockets.js';
}

/** Loads uWebSockets.js. The first call of a process decides the size of request heads. */
export function loadUws(): UwsModule {
  // The native part reads this variable once, when it loads; there is no call for it.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(limits.headBytesMax);
  const name = uwsPackageFor(process.versions.node);
  try {
    const uws = createRequire(import.meta.url)(name) as UwsModule;
    // No `uWebSockets: 20` in each answer: it names the server to attack.
    uws._cfg?.('silent');
    return uws;
  } catch (cause) {
    throw new Error(
      `The native part of uWebSockets.js (package ${name}) does not load under ` +
        `Node ${process.versions.node} on ${process.platform}-${process.arch}. ` +
        'npm installs the part for the Node that it runs under: run `npm ci` again with the Node ' +
        'that starts Sallyport. Node 22 needs glibc 2.27 or later, Node 24 and later 2.38; ' +
        'musl (Alpine) has no build.',
      { cause },
    );
  }
}
