import { randomUUID } from 'node:crypto';
import { limits } from '../contract/limits.ts';
import type {
  Channel,
  ChannelOutcome,
  ChannelWish,
  Notifications,
} from '../contract/notification.ts';
import type { ChannelStore } from './channel-store.ts';
import { type CheckParts, filledTarget, problemsOf } from './check-channel.ts';
import type { MessageStore } from './message-store.ts';
import { testNotice } from './notice.ts';
import type { Send } from './send.ts';

/** What manages the channels is made of. */
export interface NotificationsParts extends CheckParts {
  readonly channels: ChannelStore;
  readonly messages: MessageStore;
  readonly send: Send;
  readonly publicUrl: string | undefined;
  readonly clock: () => number;
  /** Puts in force here what was stored. */
  readonly onChange: () => Promise<void>;
}

/** Adds, changes, tests and removes channels. */
export function createNotifications(parts: NotificationsParts): Notifications {
  const { channels, messages, send, publicUrl, clock, onChange } = parts;
  const store = async (
    wish: ChannelWish,
    by: string,
    before?: Channel,
  ): Promise<ChannelOutcome> => {
    const now = clock();
    const filled = { ...wish, target: filledTarget(wish, before) };
    const problems = await problemsOf(filled, parts);
    if (problems.length > 0) return { kind: 'not-valid', problems };
    const { id, createdAt } = before ?? { id: randomUUID(), createdAt: now };
    const channel = { ...filled, id, createdAt, changedAt: now, changedBy: by };
    const most = limits.notificationChannelsMax;
    const outcome = await (before === undefined
      ? channels.add(channel, most)
      : channels.replace(channel));
    if (outcome === 'full') return { kind: 'full', most };
    if (outcome !== 'done') return { kind: outcome };
    await onChange();
    return { kind: 'done', channel };
  };
  return {
    publicUrl,
    list: () => channels.list(),
    add: (wish, by) => store(wish, by),
    async replace(id, wish, by) {
      const before = await channels.find(id);
      return before === undefined ? { kind: 'gone' } : store(wish, by, before);
    },
    async remove(id) {
      const removed = await channels.remove(id);
      if (removed !== undefined) await onChange();
      return removed;
    },
    async test(id) {
      const channel = await channels.find(id);
      if (channel === undefined) return undefined;
      const startedAt = performance.now();
      const notice = testNotice(channel, clock(), publicUrl);
      const sending = await send(channel, notice);
      await messages.noteTest(id, notice, sending, clock());
      const tookMs = Math.round(performance.now() - startedAt);
      return { isDelivered: sending.kind === 'sent', answer: sending.answer, tookMs };
    },
    async history(id) {
      return (await channels.find(id)) && messages.history(id);
    },
  };
}
