import { subkeyOf } from './access/key-digest.ts';
import { packageInfo } from './config/package-info.ts';
import type { Config } from './config/settings.ts';
import type { Notifications } from './contract/notification.ts';
import type { Policies } from './contract/policies.ts';
import type { Log } from './contract/ports.ts';
import { createSqlChannelStore } from './notifications/channel-store.ts';
import { createNotifications } from './notifications/directory.ts';
import { type Dispatcher, startDispatcher } from './notifications/dispatcher.ts';
import { MessageStore } from './notifications/message-store.ts';
import { createSender } from './notifications/send.ts';
import type { Closer } from './recording.ts';
import type { Stores } from './stores.ts';

/** Notifies receivers of events, and manages their channels. */
export interface Notifying extends Pick<Dispatcher, 'stored' | 'stats'> {
  readonly channels: Notifications;
}

/** What channels are managed and sent with, by a server or a command. */
export function channelPartsOf({
  config,
  database,
  pepper,
  policies,
  clock,
}: {
  readonly config: Pick<Config, 'publicUrl' | 'notifyPlain'>;
  readonly database: Stores['database'];
  readonly pepper: Stores['pepper'];
  readonly policies: { find(id: string): Promise<object | undefined> };
  readonly clock: () => number;
}) {
  const isPlainAllowed = config.notifyPlain === 'yes';
  return {
    channels: createSqlChannelStore(database, subkeyOf(pepper, 'notification secrets')),
    messages: new MessageStore(database),
    send: createSender({ version: packageInfo().version, isPlainAllowed }),
    publicUrl: config.publicUrl,
    isPlainAllowed,
    hasPolicy: async (id: string) => (await policies.find(id)) !== undefined,
    clock,
  };
}

/** Starts to notify the receivers that administrators have named. */
export async function startNotifying(
  parts: {
    readonly config: Config;
    readonly stores: Stores;
    readonly policies: Pick<Policies, 'find'>;
    readonly log: Log;
    readonly clock: () => number;
  },
  closers: Closer[],
): Promise<Notifying> {
  const { stores, log } = parts;
  const { feed, policyCache } = stores;
  const common = channelPartsOf({ ...stores, ...parts });
  const policyNameOf = (id: string) => policyCache.nameOf(id);
  const dispatcher = await startDispatcher({ ...common, feed, policyNameOf, log });
  closers.push(() => dispatcher.close());
  return {
    channels: createNotifications({ ...common, onChange: () => dispatcher.refresh() }),
    stored: (event) => dispatcher.stored(event),
    stats: () => dispatcher.stats(),
  };
}
