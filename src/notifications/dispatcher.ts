import { randomUUID } from 'node:crypto';
import type { EventSummary } from '../contract/event.ts';
import type { Channel } from '../contract/notification.ts';
import type { Log } from '../contract/ports.ts';
import type { ChangeFeed } from '../storage/change-feed.ts';
import { Follower } from '../storage/follower.ts';
import { inTime } from '../storage/in-time.ts';
import type { ChannelStore } from './channel-store.ts';
import { compose, gapMs } from './compose.ts';
import type { MessageStore } from './message-store.ts';
import { noticeOf } from './notice.ts';
import type { Send } from './send.ts';
import { Tallies } from './tallies.ts';

/** A process that died holds a channel for so long. Clocks of nodes may differ by less. */
const leaseMs = 60_000;
const stepMsDefault = 1_000;
/** Messages of a channel that are sent in one go. */
const sendsMax = 5;
const closeMsMax = 3_000;
/** How often a digest is checked, and the longest pause of any channel between two checks. */
const pauseMsMax = gapMs;
/** A check reads all tallies that wait, up to thousands, and is followed by this pause for each. */
const pauseMsEach = 1;

/** What the dispatcher is made of. */
export interface DispatcherParts {
  readonly channels: ChannelStore;
  readonly messages: MessageStore;
  readonly feed: ChangeFeed;
  readonly send: Send;
  readonly policyNameOf: (id: string) => string;
  readonly publicUrl: string | undefined;
  readonly log: Log;
  readonly clock: () => number;
  /** Milliseconds between two checks for work. */
  readonly stepMs?: number;
}

/** Notifies the receivers of what was stored. */
export interface Dispatcher {
  /** Called with each event that was stored. Never waits and never throws. */
  stored(event: EventSummary): void;
  /** Puts in force what was changed here. */
  refresh(): Promise<void>;
  /** Messages since the start. */
  stats(): { readonly sent: number; readonly dropped: number };
  /** Stores what is counted; what is being sent is finished, for a bounded time. */
  close(): Promise<void>;
}

/** Starts to follow the channels and to send. Works as soon as the database does. */
export async function startDispatcher(parts: DispatcherParts): Promise<Dispatcher> {
  const dispatcher = new FollowingDispatcher(parts);
  await dispatcher.start();
  return dispatcher;
}

class FollowingDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #follower: Follower;
  readonly #holder = randomUUID();
  readonly #tallies: Tallies;
  readonly #closing = new AbortController();
  /** When channels are to be checked again, by their ids. */
  readonly #nextCheckAt = new Map<string, number>();
  #channels: readonly Channel[] = [];
  #revision = -1;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #fails = false;
  #sent = 0;
  #dropped = 0;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#tallies = new Tallies(parts.policyNameOf);
    const { feed, log } = parts;
    this.#follower = new Follower({
      topic: 'notifications',
      feed,
      read: () => this.#read(),
      failed: (err) => log.warn({ err }, 'notification channels cannot be read; those known stay'),
      recovered: () => log.info({}, 'notification channels can be read again'),
    });
  }

  async start(): Promise<void> {
    await this.#follower.start(() => undefined);
    const { stepMs = stepMsDefault } = this.#parts;
    this.#timer = setInterval(() => this.#step(), stepMs).unref();
  }

  stored(event: EventSummary): void {
    if (this.#channels.length > 0) this.#tallies.add(event, this.#channels);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  stats() {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await inTime(this.#running, closeMsMax);
    await inTime(this.#finish(), closeMsMax);
    await this.#follower.close();
  }

  async #finish(): Promise<void> {
    try {
      await this.#store();
      // A message that is still being sent keeps its channel: another process would send it again.
      if (this.#running === undefined) await this.#parts.messages.release(this.#holder);
    } catch (err) {
      this.#parts.log.warn({ err }, 'what channels were to be notified of could not be stored');
    }
  }

  async #read(): Promise<void> {
    const { channels } = this.#parts;
    const revision = await channels.revision();
    if (revision === this.#revision) return;
    this.#channels = await channels.list();
    this.#revision = revision;
  }

  #step(): void {
    if (this.#running !== undefined || this.#channels.length === 0) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    const { log, messages, clock } = this.#parts;
    try {
      await this.#store();
      const busy = await messages.busyChannels(clock());
      const channels = this.#channels.filter(({ id, isPaused }) => !isPaused && busy.has(id));
      // A receiver that is slow holds up no other.
      await Promise.all(channels.map((channel) => this.#serve(channel)));
      if (this.#fails) log.info({}, 'notifications work again');
      this.#fails = false;
    } catch (err) {
      if (!this.#fails) log.warn({ err }, 'notifications wait for the database');
      this.#fails = true;
    }
  }

  /** Adds what was counted here to what other nodes have counted. */
  async #store(): Promise<void> {
    if (this.#tallies.size === 0) return;
    const taken = this.#tallies.take();
    try {
      await this.#parts.messages.addTallies(taken);
    } catch (error) {
      this.#tallies.putBack(taken);
      throw error;
    }
  }

  /** One process alone makes and sends the messages of a channel. */
  async #serve(channel: Channel): Promise<void> {
    if (!(await this.#hold(channel))) return;
    await this.#compose(channel);
    for (let sends = 0; sends < sendsMax && !this.#closing.signal.aborted; sends += 1) {
      if (!(await this.#hold(channel)) || !(await this.#sendNext(channel))) return;
    }
  }

  #hold({ id: channelId }: Channel): Promise<boolean> {
    const now = this.#parts.clock();
    const claim = { channelId, holder: this.#holder, until: now + leaseMs };
    return this.#parts.messages.claim(claim, now);
  }

  async #compose(channel: Channel): Promise<void> {
    const { clock, messages, publicUrl, log } = this.#parts;
    const now = clock();
    const waitMs = (this.#nextCheckAt.get(channel.id) ?? 0) - now;
    // A clock that was put back is not waited for.
    if (waitMs > 0 && waitMs <= pauseMsMax) return;
    let pauseMs = 0;
    const dropped = await messages.compose(channel.id, now, ({ tallies, state }) => {
      const made = compose({ channel, tallies, state, now });
      const { message } = made;
      // After a message there is none for a while.
      const isLong = channel.digestMinutes > 0 || message !== undefined;
      pauseMs = isLong ? pauseMsMax : Math.min(pauseMsMax, pauseMsEach * tallies.length);
      return {
        taken: message?.tallies ?? [],
        forgotten: made.forgotten,
        state: made.state,
        notice:
          message &&
          ((taken) => {
            const { kind, reached } = message;
            return noticeOf({ channel, kind, reached, tallies: taken, publicUrl });
          }),
      };
    });
    this.#nextCheckAt.set(channel.id, now + pauseMs);
    if (dropped === 0) return;
    this.#dropped += dropped;
    log.warn({ channel: channel.name, dropped }, 'notifications were dropped: too many wait');
  }

  /** Whether there was one to send. */
  async #sendNext(channel: Channel): Promise<boolean> {
    const { clock, messages, send, log } = this.#parts;
    const message = await messages.due(channel.id, clock());
    if (message === undefined) return false;
    const sending = await send(channel, message.notice);
    const state = await messages.settle(message, sending, clock());
    const facts = { channel: channel.name, reason: sending.answer };
    if (state === 'sent') this.#sent += 1;
    if (state === 'failed') this.#dropped += 1;
    if (state === 'failed') log.warn(facts, 'a notification could not be sent and is given up');
    return sending.kind === 'sent';
  }
}
