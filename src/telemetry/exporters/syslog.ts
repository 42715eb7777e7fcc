import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { StoredEvent } from '../../contract/event.ts';
import type { Log } from '../../contract/ports.ts';
import { Outbox } from './outbox.ts';
import { type SyslogSender, syslogMessage } from './syslog-message.ts';
import {
  type DatagramTarget,
  parseSyslogUrl,
  type StreamTarget,
  type SyslogTarget,
} from './syslog-url.ts';

export interface SyslogOptions {
  /** `udp://host:514`, `tcp://host:601`, `tls://host:6514` or `unix:/path`. */
  readonly url: string;
  readonly log: Log;
  readonly retryMs?: { readonly first: number; readonly last: number };
}

/** Sends messages to a receiver; rejects when it cannot. */
export interface Carrier {
  send(messages: readonly string[], signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Sends blocks to a syslog receiver, as RFC 5424 says. */
export function createSyslog(options: SyslogOptions): Outbox<StoredEvent> {
  const target = parseSyslogUrl(options.url);
  if (target === undefined)
    throw new Error(
      'The syslogUrl cannot be used. Write udp://host:514, tcp://host:601, tls://host:6514 or ' +
        'unix:/path; a facility is named as in ?facility=local4.',
    );
  const sender: SyslogSender = {
    hostname: hostname(),
    pid: process.pid,
    facility: target.facility,
  };
  return new SyslogOutbox(options, sender, openCarrier(target));
}

/** What carries messages to a receiver; it connects with the first of them. */
export function openCarrier(target: SyslogTarget): Carrier {
  return target.kind === 'udp' ? new Datagrams(target) : new Stream(target);
}

class SyslogOutbox extends Outbox<StoredEvent> {
  readonly #carrier: Carrier;

  constructor({ log, retryMs }: SyslogOptions, sender: SyslogSender, carrier: Carrier) {
    super({
      name: 'syslog',
      log,
      itemsMax: 2_000,
      batchMax: 100,
      gatherMs: 100,
      ...(retryMs === undefined ? {} : { retryMs }),
      send: async ({ items }, signal) => {
        await carrier.send(
          items.map((event) => syslogMessage(event, sender)),
          signal,
        );
        return { kind: 'sent' };
      },
    });
    this.#carrier = carrier;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#carrier.close();
  }
}

/** One datagram for each message (RFC 5426). There is no confirmation. */
class Datagrams implements Carrier {
  readonly #target: DatagramTarget;
  readonly #socket;

  constructor(target: DatagramTarget) {
    this.#target = target;
    this.#socket = createSocket(addressOf(target).includes(':') ? 'udp6' : 'udp4').unref();
    this.#socket.on('error', () => undefined);
  }

  async send(messages: readonly string[]): Promise<void> {
    const { port } = this.#target;
    const address = addressOf(this.#target);
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        this.#socket.send(message, port, address, (error) => (error ? reject(error) : resolve()));
      });
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** One connection for all messages, each with its length before it (RFC 6587, section 3.4.1). */
class Stream implements Carrier {
  readonly #target: StreamTarget;
  #socket: Socket | undefined;

  constructor(target: StreamTarget) {
    this.#target = target;
  }

  async send(messages: readonly string[], signal: AbortSignal): Promise<void> {
    const socket = await this.#connected(signal);
    const bytes = messages.map((one) => `${Buffer.byteLength(one)} ${one}`).join('');
    await new Promise<void>((resolve, reject) => {
      // A receiver that reads no more: the rest of its buffer is of no use.
      const onAbort = () => socket.destroy(new Error('took nothing in time'));
      const settle = (error?: Error | null) => {
        signal.removeEventListener('abort', onAbort);
        socket.off('close', onClose);
        if (error) reject(error);
        else resolve();
      };
      const onClose = () => settle(new Error('the connection ended'));
      signal.addEventListener('abort', onAbort, { once: true });
      socket.once('close', onClose);
      socket.write(bytes, settle);
    });
  }

  close(): void {
    this.#socket?.end();
  }

  async #connected(signal: AbortSignal): Promise<Socket> {
    if (this.#socket?.writable === true) return this.#socket;
    const socket = open(this.#target);
    const ready = this.#target.kind === 'tls' ? 'secureConnect' : 'connect';
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => socket.destroy(new Error('no connection in time'));
      signal.addEventListener('abort', onAbort, { once: true });
      socket.once('close', () => reject(new Error('the connection ended')));
      socket.once('error', reject);
      socket.once(ready, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
    socket.on('error', () => undefined);
    // What it may have to say is not for us, but its end must be seen.
    socket.resume();
    socket.unref();
    this.#socket = socket;
    return socket;
  }
}

function open(target: StreamTarget): Socket {
  if (target.kind === 'unix') return connectTcp(target.path);
  const { host: name, port } = target;
  const host = addressOf(target);
  if (target.kind === 'tcp') return connectTcp({ host, port });
  // An address is no server name (RFC 6066, section 3).
  return connectTls({ host, port, servername: isIP(name) === 0 ? name : '' });
}

function addressOf(target: DatagramTarget | Exclude<StreamTarget, { kind: 'unix' }>): string {
  return target.address ?? target.host;
}
