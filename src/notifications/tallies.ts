import { createHash } from 'node:crypto';
import type { EventSummary } from '../contract/event.ts';
import type { Channel, NoticeSample } from '../contract/notification.ts';
import type { Severity } from '../contract/verdict.ts';
import { isHeard } from './hears.ts';

/** Events of one slot of time are counted together. */
export const slotMs = 10_000;
/** Different kinds of events that wait to be stored; the rest of a channel is counted as one. */
const talliesMax = 500;

/** What events are counted by. `rest` stands for kinds that there was no room for. */
export interface TallyKind {
  readonly decision: EventSummary['decision'];
  readonly severity?: Severity;
  readonly category: EventSummary['category'];
  readonly rule: string;
  readonly policy: string;
  readonly client: string;
  readonly isRest?: true;
}

/** How many events of one kind and slot there were, and the first of them. Times: ms since 1970. */
export interface Tally {
  readonly id: string;
  readonly channelId: string;
  readonly at: number;
  readonly lastAt: number;
  readonly events: number;
  readonly kind: TallyKind;
  readonly sample: NoticeSample;
}

/** Events that channels are to be notified of and that are not stored as such yet. */
export class Tallies {
  readonly #policyNameOf: (id: string) => string;
  #held = new Map<string, Tally>();

  constructor(policyNameOf: (id: string) => string) {
    this.#policyNameOf = policyNameOf;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Counts an event for each channel that hears it. */
  add(event: EventSummary, channels: readonly Channel[]): void {
    for (const channel of channels) {
      if (!channel.isPaused && isHeard(channel.hears, event)) this.#count(event, channel.id);
    }
  }

  /** All of them; none are left. */
  take(): readonly Tally[] {
    const taken = [...this.#held.values()];
    this.#held = new Map();
    return taken;
  }

  /** Puts back what could not be stored. */
  putBack(tallies: readonly Tally[]): void {
    for (const tally of tallies) this.#merge(tally);
  }

  #count(event: EventSummary, channelId: string): void {
    const policy = this.#policyNameOf(event.policyId);
    const moment = Date.parse(event.at);
    const at = moment - (moment % slotMs);
    const kind = kindOf(event, policy);
    const known = idOf(channelId, at, kind);
    const isRoom = this.#held.size < talliesMax || this.#held.has(known);
    const counted = isRoom ? kind : restOf(kind);
    const id = isRoom ? known : idOf(channelId, at, counted);
    const sample = sampleOf(event, policy);
    this.#merge({ id, channelId, at, lastAt: moment, events: 1, kind: counted, sample });
  }

  #merge(tally: Tally): void {
    const held = this.#held.get(tally.id);
    if (held === undefined) {
      // Twice the room, for what is put back and for the rests of many channels.
      if (this.#held.size < 2 * talliesMax) this.#held.set(tally.id, tally);
      return;
    }
    const events = held.events + tally.events;
    const lastAt = Math.max(held.lastAt, tally.lastAt);
    this.#held.set(tally.id, { ...held, events, lastAt });
  }
}

/** The same kind without what attackers choose: there are few of these. */
export function restOf({ client: _client, rule: _rule, ...kind }: TallyKind): TallyKind {
  return { ...kind, rule: '', client: '', isRest: true };
}

/** The id of a tally: all nodes count the same events under the same one. */
export function idOf(channelId: string, at: number, kind: TallyKind): string {
  const { decision, severity = '', category, rule, policy, client } = kind;
  const key = JSON.stringify([channelId, at, decision, severity, category, rule, policy, client]);
  return createHash('sha256').update(key).digest('hex');
}

function kindOf(event: EventSummary, policy: string): TallyKind {
  const { decision, severity, category, rule, client = '' } = event;
  return { decision, ...(severity && { severity }), category, rule, policy, client };
}

/** What is stored has more than a line shows. */
function sampleOf(event: EventSummary, policy: string): NoticeSample {
  const { id, at, decision, score, category, rule, pointer, keyName, evidence } = event;
  const { severity, method, host, path, client } = event;
  return {
    ...{ id, at, decision, score, category, rule, pointer, keyName, evidence, policy },
    ...(severity && { severity }),
    ...(method && { method }),
    ...(host && { host }),
    ...(path && { path }),
    ...(client && { client }),
  };
}
