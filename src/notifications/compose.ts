import type { Channel, MessageKind, NoticeCount, Threshold } from '../contract/notification.ts';
import { isQuietAt } from './quiet-hours.ts';
import type { Tally, TallyKind } from './tallies.ts';

/** A channel that sends at once sends no more often. */
export const gapMs = 10_000;
const mutesMax = 1_000;

/** What a channel remembers from one message to the next. */
export interface ChannelState {
  /** When the last message was made. */
  readonly lastAt: number;
  /** Whether quiet hours have held something back. */
  readonly isHolding: boolean;
  /** Until when what reached the threshold makes no further message, by its value. */
  readonly mutes: Readonly<Record<string, number>>;
}

export const freshState: ChannelState = { lastAt: 0, isHolding: false, mutes: {} };

/** What is to be done with the tallies of a channel. */
export interface Composition {
  /** The next message; undefined where it is not time for one. */
  readonly message?: {
    readonly kind: MessageKind;
    readonly tallies: readonly Tally[];
    /** What reached the threshold. */
    readonly reached: readonly NoticeCount[];
  };
  /** Can never reach the threshold any more. */
  readonly forgotten: readonly Tally[];
  readonly state: ChannelState;
}

/** Decides what a channel sends next. */
export function compose(input: {
  readonly channel: Channel;
  /** The oldest first. */
  readonly tallies: readonly Tally[];
  readonly state: ChannelState;
  readonly now: number;
}): Composition {
  const { channel, tallies, now } = input;
  const { quietHours, threshold, digestMinutes } = channel;
  const isQuiet = quietHours !== undefined && isQuietAt(quietHours, now);
  const breaksThrough = ({ kind }: Tally) => kind.severity === 'critical';
  const allowed = isQuiet
    ? tallies.filter((one) => quietHours.exceptCritical && breaksThrough(one))
    : tallies;
  const isHolding = isQuiet && (input.state.isHolding || allowed.length < tallies.length);
  const state = { ...input.state, isHolding, mutes: unexpired(input.state.mutes, now) };
  const { due, reached, forgotten } = overThreshold(allowed, threshold, { state, now });
  const wasHeld = input.state.isHolding && !isQuiet;
  const [oldest] = due;
  const isTime = wasHeld
    ? true
    : digestMinutes > 0
      ? now - (oldest?.at ?? now) >= digestMinutes * 60_000
      : now - state.lastAt >= gapMs;
  if (oldest === undefined || !isTime) return { forgotten, state };
  const kind = wasHeld ? 'held' : digestMinutes > 0 ? 'digest' : 'alert';
  const mutes = muted(state.mutes, reached, threshold, now);
  return {
    message: { kind, tallies: due, reached },
    forgotten,
    state: { ...state, lastAt: now, mutes },
  };
}

/** The fact of an event that a threshold counts by. */
export function factOf(kind: TallyKind, per: Threshold['per']): string {
  if (per === 'client') return kind.client;
  return per === 'rule' ? kind.rule : kind.policy;
}

function overThreshold(
  tallies: readonly Tally[],
  threshold: Threshold | undefined,
  { state, now }: { readonly state: ChannelState; readonly now: number },
) {
  if (threshold === undefined) return { due: tallies, reached: [], forgotten: [] };
  const due: Tally[] = [];
  const reached: NoticeCount[] = [];
  const forgotten: Tally[] = [];
  const spanMs = threshold.minutes * 60_000;
  const groups = Map.groupBy(tallies, ({ kind }) => factOf(kind, threshold.per));
  for (const [value, group] of groups) {
    if (Object.hasOwn(state.mutes, value)) continue;
    // Requests without a known client are not those of one client.
    if (value !== '' && hasReached(group, threshold.count, spanMs)) {
      due.push(...group);
      reached.push({ value, count: sum(group) });
    } else {
      forgotten.push(...group.filter(({ lastAt }) => lastAt < now - spanMs));
    }
  }
  due.sort((a, b) => a.at - b.at);
  reached.sort((a, b) => b.count - a.count);
  return { due, reached, forgotten };
}

/** Whether any span of this length has so many events. The tallies are in the order of time. */
function hasReached(tallies: readonly Tally[], count: number, spanMs: number): boolean {
  let first = 0;
  let events = 0;
  for (const tally of tallies) {
    events += tally.events;
    for (let head = tallies[first]; head && head.at <= tally.at - spanMs; head = tallies[first]) {
      events -= head.events;
      first += 1;
    }
    if (events >= count) return true;
  }
  return false;
}

function muted(
  mutes: ChannelState['mutes'],
  reached: readonly NoticeCount[],
  threshold: Threshold | undefined,
  now: number,
): ChannelState['mutes'] {
  if (threshold === undefined) return {};
  const until = now + threshold.minutes * 60_000;
  const all = { ...mutes, ...Object.fromEntries(reached.map(({ value }) => [value, until])) };
  return Object.fromEntries(Object.entries(all).slice(-mutesMax));
}

function unexpired(mutes: ChannelState['mutes'], now: number): ChannelState['mutes'] {
  return Object.fromEntries(Object.entries(mutes).filter(([, until]) => until > now));
}

/** All events of some tallies. */
export function sum(tallies: readonly Tally[]): number {
  return tallies.reduce((total, { events }) => total + events, 0);
}
