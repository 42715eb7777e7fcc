import { Socket } from 'node:net';
import { Client } from 'pg';
import type { ChangeFeed } from './change-feed.ts';

/** The channel that the trigger on the counters notifies (migration 0003-notify). */
const feedChannel = 'sallyport';

const retryMs = 500;
const retryMsMax = 10_000;
const connectMsMax = 3_000;
/** From then on the system asks once a second whether the other side is there. */
const quietMsMax = 10_000;
/** A server that has fallen silent does not say goodbye. */
const goodbyeMsMax = 1_000;

/** Listens to PostgreSQL, and connects again whenever the connection is lost. */
export function followPostgres(url: string): ChangeFeed {
  const feed = new PostgresFeed(url);
  feed.start();
  return feed;
}

class PostgresFeed implements ChangeFeed {
  readonly #url: string;
  readonly #listeners: ((topic: string | undefined) => void)[] = [];
  #client: Client | undefined;
  #socket: Socket | undefined;
  #isLive = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #waitMs = retryMs;

  constructor(url: string) {
    this.#url = url;
  }

  start(): void {
    void this.#connect();
  }

  isLive(): boolean {
    return this.#isLive;
  }

  onChange(listener: (topic: string | undefined) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isLive = false;
    clearTimeout(this.#retry);
    const late = setTimeout(() => this.#socket?.destroy(), goodbyeMsMax);
    await this.#client?.end().catch(() => undefined);
    clearTimeout(late);
  }

  async #connect(): Promise<void> {
    const socket = new Socket();
    this.#socket = socket;
    const client = new Client({
      stream: () => socket,
      connectionString: this.#url,
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: quietMsMax,
      application_name: 'sallyport feed',
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => this.#tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${feedChannel}`);
      this.#isLive = !this.#isClosed;
      this.#waitMs = retryMs;
      // Notifications while the connection was down are lost.
      this.#tell(undefined);
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#isLive = false;
    void client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void this.#connect(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, retryMsMax);
  }

  #tell(topic: string | undefined): void {
    for (const listener of this.#listeners) listener(topic);
  }
}
