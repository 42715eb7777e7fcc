import type { Category } from './category.ts';
import type { EventSummary } from './event.ts';
import type { Severity } from './verdict.ts';

/** The kinds of receivers. */
export const channelKinds = ['webhook', 'slack', 'teams', 'email', 'syslog'] as const;

export type ChannelKind = (typeof channelKinds)[number];

/** What events are counted by for a threshold. */
export const thresholdFacts = ['client', 'policy', 'rule'] as const;

export type ThresholdFact = (typeof thresholdFacts)[number];

/** How the connection to a mail server is encrypted. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const;

export type MailSecurity = (typeof mailSecurities)[number];

/** Which events a channel is notified of. */
export interface Hears {
  /** Ids of policies; all of them when empty. */
  readonly policies: readonly string[];
  /** All of them when empty. */
  readonly categories: readonly Category[];
  /** The lowest severity of the strongest finding. */
  readonly severity: Severity;
  /** Whether what monitor mode would block counts too. */
  readonly monitored: boolean;
}

/** So many events of one client, policy or rule within so many minutes are worth a message. */
export interface Threshold {
  readonly count: number;
  readonly minutes: number;
  readonly per: ThresholdFact;
}

/** A time of each day in which messages are held back. `to` before `from` ends on the next day. */
export interface QuietHours {
  /** `HH:MM`. */
  readonly from: string;
  readonly to: string;
  /** A name of the IANA database, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Whether critical events are sent all the same. */
  readonly exceptCritical: boolean;
}

/** Where messages go. Which members are there depends on the kind. */
export interface Target {
  /** Webhook, Slack, Teams, syslog. Of the first three the whole URL is a secret. */
  readonly url?: string;
  /** Signs messages of a webhook. A secret. */
  readonly secret?: string;
  readonly host?: string;
  readonly port?: number;
  readonly security?: MailSecurity;
  readonly user?: string;
  /** A secret. */
  readonly password?: string;
  readonly from?: string;
  readonly to?: readonly string[];
}

/** The members of a target that are sealed at rest and never shown. */
export const secretMembers = ['url', 'secret', 'password'] as const;

/** A channel as an administrator writes it. */
export interface ChannelWish {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isPaused: boolean;
  readonly hears: Hears;
  readonly threshold?: Threshold | undefined;
  /** Messages are gathered for so long; 0 sends at once. */
  readonly digestMinutes: number;
  readonly quietHours?: QuietHours | undefined;
  /** Secrets that are left out stay as they are. */
  readonly target: Target;
}

/** A channel as it comes in: what is left out has a usual value. */
export interface ChannelBody extends Omit<ChannelWish, 'isPaused' | 'hears' | 'digestMinutes'> {
  readonly isPaused?: boolean;
  readonly hears?: Partial<Hears>;
  readonly digestMinutes?: number;
}

/** A channel with the usual values filled in. */
export function channelWishOf(body: ChannelBody): ChannelWish {
  const { hears = {}, isPaused = false, digestMinutes = 0, ...rest } = body;
  const usual = { policies: [], categories: [], severity: 'low', monitored: false } as const;
  return { ...rest, isPaused, digestMinutes, hears: { ...usual, ...hears } };
}

/** A target without its secrets: a reader of it cannot send in its place. */
export function shownTarget(kind: ChannelKind, target: Target): object {
  const { url, secret, password, ...open } = target;
  if (kind === 'email') return { ...open, hasPassword: password !== undefined };
  // The path or query of these is a secret: it lets any caller send.
  const masked = kind === 'syslog' ? url : url && `${new URL(url).origin}/…`;
  const shown = masked === undefined ? {} : { url: masked };
  return kind === 'webhook' ? { ...shown, hasSecret: secret !== undefined } : shown;
}

/** A channel with its secrets: for what sends, never for an answer. Times: ms since 1970, UTC. */
export interface Channel extends ChannelWish {
  readonly id: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly changedBy: string;
}

/** What became of a message. */
export const messageStates = ['waiting', 'sent', 'failed', 'dropped'] as const;

export type MessageState = (typeof messageStates)[number];

/** `held`: what quiet hours held back. */
export type MessageKind = 'alert' | 'digest' | 'held' | 'test';

/** A message in the history of its channel. Times: milliseconds since 1970, UTC. */
export interface MessageEntry {
  readonly id: string;
  readonly kind: MessageKind;
  readonly title: string;
  /** How many events it is about. */
  readonly events: number;
  readonly state: MessageState;
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried next, while it waits. */
  readonly nextAt: number | undefined;
  /** When it was sent or given up. */
  readonly settledAt: number | undefined;
  /** What the receiver answered, or why nothing was sent; '' before the first attempt. */
  readonly answer: string;
}

/** What a test message has led to. */
export interface TestOutcome {
  readonly isDelivered: boolean;
  readonly answer: string;
  readonly tookMs: number;
}

/** A value and how many events it was in. */
export interface NoticeCount {
  readonly value: string;
  readonly count: number;
}

/** One of the events that a message is about, redacted as events are. */
export type NoticeSample = Pick<
  EventSummary,
  | 'id'
  | 'at'
  | 'decision'
  | 'score'
  | 'category'
  | 'rule'
  | 'pointer'
  | 'keyName'
  | 'evidence'
  | 'severity'
  | 'method'
  | 'host'
  | 'path'
  | 'client'
> & { readonly policy: string };

/** What a message says, before it is written for a kind of receiver. */
export interface Notice {
  readonly id: string;
  readonly kind: MessageKind;
  readonly channel: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
  readonly blocked: number;
  readonly wouldBlock: number;
  /** The highest of them. */
  readonly severity?: Severity;
  /** What reached the threshold. */
  readonly reached?: Threshold & { readonly values: readonly NoticeCount[] };
  readonly top: {
    readonly clients: readonly NoticeCount[];
    readonly rules: readonly NoticeCount[];
    readonly policies: readonly NoticeCount[];
    readonly categories: readonly NoticeCount[];
  };
  readonly samples: readonly NoticeSample[];
  /** The page with these events, where the public address is known. */
  readonly link?: string;
}

/** How an attempt to send ended. */
export interface Sending {
  /** `refused` is not tried again. */
  readonly kind: 'sent' | 'refused' | 'failed';
  /** What the receiver answered, or what went wrong; without secrets. */
  readonly answer: string;
  readonly retryAfterMs?: number;
}

/** A fault in what an administrator wrote. */
export interface ChannelProblem {
  readonly pointer: string;
  readonly message: string;
}

/** What came of a wish to store a channel. */
export type ChannelOutcome =
  | { readonly kind: 'done'; readonly channel: Channel }
  | { readonly kind: 'not-valid'; readonly problems: readonly ChannelProblem[] }
  | { readonly kind: 'name-taken' }
  | { readonly kind: 'full'; readonly most: number }
  | { readonly kind: 'gone' };

/** The channels as the management API uses them. */
export interface Notifications {
  /** The address of the dashboard in links; undefined where no setting names it. */
  readonly publicUrl: string | undefined;
  /** By name. */
  list(): Promise<readonly Channel[]>;
  add(wish: ChannelWish, by: string): Promise<ChannelOutcome>;
  replace(id: string, wish: ChannelWish, by: string): Promise<ChannelOutcome>;
  /** The channel that was removed, with its messages; undefined if there is none. */
  remove(id: string): Promise<Channel | undefined>;
  /** Sends a message now. Undefined if there is no such channel. */
  test(id: string): Promise<TestOutcome | undefined>;
  /** The newest first; undefined if there is no such channel. */
  history(id: string): Promise<readonly MessageEntry[] | undefined>;
}
