import type { Kysely, Transaction } from 'kysely';
import type {
  MessageEntry,
  MessageKind,
  MessageState,
  Notice,
  Sending,
} from '../contract/notification.ts';
import type {
  NotificationMessageTable,
  NotificationTallyTable,
  Tables,
} from '../storage/tables.ts';
import { type ChannelState, sum } from './compose.ts';
import { idOf, restOf, type Tally } from './tallies.ts';

/** Tallies of a channel that wait; beyond, events are counted without client and rule. */
const talliesMax = 5_000;
/** Messages of a channel that wait for its receiver; beyond, the oldest is dropped. */
const waitingMax = 50;
/** Messages of a channel that are kept. */
const historyMax = 200;
/** Pauses before the second attempt, the third and so on; after the last one it is given up. */
const pausesMs = [10_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000];
const chunk = 500;
const answerCharsMax = 400;

/** A message that is to be sent. */
export interface DueMessage {
  readonly id: string;
  readonly attempts: number;
  readonly notice: Notice;
}

/** A channel that this process sends for, alone, until the claim ends. */
export interface Claim {
  readonly channelId: string;
  readonly holder: string;
  readonly until: number;
}

/** What waits to be sent, and what was sent. Times: milliseconds since 1970, UTC. */
export class MessageStore {
  readonly #database: Kysely<Tables>;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  /** Adds tallies to those of other nodes. Those of channels that are gone are left out. */
  async addTallies(tallies: readonly Tally[]): Promise<void> {
    await this.#database.transaction().execute(async (trx) => {
      // All nodes take them in the same order, and none waits for another that waits for it.
      const groups = [...Map.groupBy(tallies, (one) => one.channelId)];
      groups.sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [channelId, group] of groups) {
        if (await isLocked(trx, channelId)) await addTalliesOf(trx, channelId, group);
      }
    });
  }

  /** The channels that may have something to do. */
  async busyChannels(now: number): Promise<ReadonlySet<string>> {
    const tallies = this.#database.selectFrom('notification_tally').select('channel_id').distinct();
    const due = this.#database
      .selectFrom('notification_message')
      .select('channel_id')
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .distinct();
    const rows = await tallies.union(due).execute();
    return new Set(rows.map(({ channel_id }) => channel_id));
  }

  /** Takes a channel, or keeps it. False where another process has it. */
  async claim({ channelId, holder, until }: Claim, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('notification_channel')
      .set({ claimed_by: holder, claimed_until: until })
      .where('id', '=', channelId)
      .where((eb) => eb.or([eb('claimed_by', '=', holder), eb('claimed_until', '<', now)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Lets other processes have all that this one has taken. */
  async release(holder: string): Promise<void> {
    await this.#database
      .updateTable('notification_channel')
      .set({ claimed_by: '', claimed_until: 0 })
      .where('claimed_by', '=', holder)
      .execute();
  }

  /**
   * Hands the tallies and the state of a channel to `work`, and stores what it makes of them: all of it or nothing.
   * Says how many messages were dropped because too many wait.
   */
  async compose(
    channelId: string,
    now: number,
    work: (held: { readonly tallies: readonly Tally[]; readonly state: ChannelState }) => {
      readonly taken: readonly Tally[];
      readonly forgotten: readonly Tally[];
      readonly state: ChannelState;
      /** Made of the tallies as they are when they are taken: another node may just have added some. */
      readonly notice: ((taken: readonly Tally[]) => Notice) | undefined;
    },
  ): Promise<number> {
    return this.#database.transaction().execute(async (trx) => {
      if (!(await isLocked(trx, channelId))) return 0;
      const row = await trx
        .selectFrom('notification_channel')
        .select('state')
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow();
      const rows = await trx
        .selectFrom('notification_tally')
        .selectAll()
        .where('channel_id', '=', channelId)
        .orderBy('at')
        .limit(2 * talliesMax)
        .execute();
      const state = JSON.parse(row.state) as ChannelState;
      const result = work({ tallies: rows.map(tallyOf), state });
      await takeTallies(trx, result.forgotten);
      const changed = JSON.stringify(result.state);
      if (changed !== row.state) {
        await trx
          .updateTable('notification_channel')
          .set({ state: changed })
          .where('id', '=', channelId)
          .execute();
      }
      if (result.notice === undefined) return 0;
      const taken = await takeTallies(trx, result.taken);
      if (taken.length === 0) return 0;
      await insertMessage(trx, { channelId, notice: result.notice(taken), now, state: 'waiting' });
      return prune(trx, channelId, now);
    });
  }

  /** The oldest message of a channel that is to be tried now. */
  async due(channelId: string, now: number): Promise<DueMessage | undefined> {
    const row = await this.#database
      .selectFrom('notification_message')
      .select(['id', 'attempts', 'document'])
      .where('channel_id', '=', channelId)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .orderBy('created_at')
      .orderBy('id')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { id, attempts, document } = row;
    return { id, attempts, notice: JSON.parse(document) as Notice };
  }

  /** Notes how an attempt ended. Says what became of the message. */
  async settle(message: DueMessage, sending: Sending, now: number): Promise<MessageState> {
    const pause = pausesMs[message.attempts];
    const isLast = sending.kind === 'refused' || pause === undefined;
    const state = sending.kind === 'sent' ? 'sent' : isLast ? 'failed' : 'waiting';
    const waitMs = Math.max(pause ?? 0, sending.retryAfterMs ?? 0);
    await this.#database
      .updateTable('notification_message')
      .set({
        state,
        attempts: message.attempts + 1,
        answer: kept(sending.answer),
        ...(state === 'waiting' ? { next_at: now + waitMs } : { next_at: null, settled_at: now }),
      })
      .where('id', '=', message.id)
      .where('state', '=', 'waiting')
      .execute();
    return state;
  }

  /** Puts a test into the history. */
  async noteTest(channelId: string, notice: Notice, sending: Sending, now: number): Promise<void> {
    await this.#database.transaction().execute(async (trx) => {
      const state = sending.kind === 'sent' ? 'sent' : 'failed';
      await insertMessage(trx, { channelId, notice, now, state, answer: sending.answer });
      await prune(trx, channelId, now);
    });
  }

  /** The newest first. */
  async history(channelId: string): Promise<readonly MessageEntry[]> {
    const rows = await this.#database
      .selectFrom('notification_message')
      .selectAll()
      .where('channel_id', '=', channelId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(entryOf);
  }
}

/** Keeps others from the tallies of a channel until the transaction ends. False where it is gone. */
async function isLocked(trx: Transaction<Tables>, channelId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('notification_channel')
    .set((eb) => ({ claimed_until: eb.ref('claimed_until') }))
    .where('id', '=', channelId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function addTalliesOf(
  trx: Transaction<Tables>,
  channelId: string,
  tallies: readonly Tally[],
): Promise<void> {
  const { held } = await trx
    .selectFrom('notification_tally')
    .where('channel_id', '=', channelId)
    .select((eb) => eb.fn.countAll().as('held'))
    .executeTakeFirstOrThrow();
  const isFull = Number(held) >= talliesMax;
  // Of coarse ones an hour makes no more rows than ten seconds did before.
  const added = isFull ? merged(tallies.map(coarse)) : tallies;
  for (let at = 0; at < added.length; at += chunk) {
    await trx
      .insertInto('notification_tally')
      .values(added.slice(at, at + chunk).map(rowOf))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          events: eb('notification_tally.events', '+', eb.ref('excluded.events')),
          last_at: eb.ref('excluded.last_at'),
        })),
      )
      .execute();
  }
}

function rowOf({ id, channelId, at, lastAt, events, kind, sample }: Tally) {
  const document = JSON.stringify({ kind, sample });
  return { id, channel_id: channelId, at, last_at: lastAt, events, document };
}

/** One tally of each id: a statement may add to a row only once. */
function merged(tallies: readonly Tally[]): readonly Tally[] {
  return [...Map.groupBy(tallies, ({ id }) => id).values()].map((group) => {
    const [first] = group as [Tally, ...Tally[]];
    const lastAt = Math.max(...group.map((one) => one.lastAt));
    return { ...first, lastAt, events: sum(group) };
  });
}

const hourMs = 3_600_000;

function coarse(tally: Tally): Tally {
  const at = tally.at - (tally.at % hourMs);
  const kind = restOf(tally.kind);
  return { ...tally, at, kind, id: idOf(tally.channelId, at, kind) };
}

async function takeTallies(
  trx: Transaction<Tables>,
  tallies: readonly Tally[],
): Promise<readonly Tally[]> {
  const taken: Tally[] = [];
  for (let at = 0; at < tallies.length; at += chunk) {
    const ids = tallies.slice(at, at + chunk).map(({ id }) => id);
    const rows = await trx
      .deleteFrom('notification_tally')
      .where('id', 'in', ids)
      .returningAll()
      .execute();
    taken.push(...rows.map(tallyOf));
  }
  return taken;
}

async function insertMessage(
  trx: Transaction<Tables>,
  message: {
    readonly channelId: string;
    readonly notice: Notice;
    readonly now: number;
    readonly state: MessageState;
    readonly answer?: string;
  },
): Promise<void> {
  const { channelId, notice, now, state, answer = '' } = message;
  const isWaiting = state === 'waiting';
  await trx
    .insertInto('notification_message')
    .values({
      id: notice.id,
      channel_id: channelId,
      kind: notice.kind,
      title: notice.title.slice(0, 200),
      events: notice.blocked + notice.wouldBlock,
      document: JSON.stringify(notice),
      state,
      attempts: isWaiting ? 0 : 1,
      created_at: now,
      next_at: isWaiting ? now : null,
      settled_at: isWaiting ? null : now,
      answer: kept(answer),
    })
    .execute();
}

/** Drops the oldest of too many that wait, and forgets the oldest of too many that do not. */
async function prune(trx: Transaction<Tables>, channelId: string, now: number): Promise<number> {
  const of = (isWaiting: boolean, most: number) =>
    trx
      .selectFrom('notification_message')
      .select('id')
      .where('channel_id', '=', channelId)
      .where('state', isWaiting ? '=' : '<>', 'waiting')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(historyMax)
      .offset(most)
      .execute();
  const late = await of(true, waitingMax);
  if (late.length > 0) {
    await trx
      .updateTable('notification_message')
      .set({
        state: 'dropped',
        next_at: null,
        settled_at: now,
        answer: `More than ${waitingMax} messages waited for this receiver.`,
      })
      .where(
        'id',
        'in',
        late.map(({ id }) => id),
      )
      .execute();
  }
  const old = await of(false, historyMax);
  if (old.length > 0) {
    await trx
      .deleteFrom('notification_message')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute();
  }
  return late.length;
}

function kept(answer: string): string {
  return answer.slice(0, answerCharsMax).toWellFormed();
}

function tallyOf(row: NotificationTallyTable): Tally {
  const { kind, sample } = JSON.parse(row.document) as Pick<Tally, 'kind' | 'sample'>;
  return {
    id: row.id,
    channelId: row.channel_id,
    at: Number(row.at),
    lastAt: Number(row.last_at),
    events: Number(row.events),
    kind,
    sample,
  };
}

function entryOf(row: NotificationMessageTable): MessageEntry {
  return {
    id: row.id,
    kind: row.kind as MessageKind,
    title: row.title,
    events: Number(row.events),
    state: row.state as MessageState,
    attempts: row.attempts,
    createdAt: Number(row.created_at),
    nextAt: row.next_at === null ? undefined : Number(row.next_at),
    settledAt: row.settled_at === null ? undefined : Number(row.settled_at),
    answer: row.answer,
  };
}
