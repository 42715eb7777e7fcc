import type { Category } from './category.ts';
import type { FindingStep } from './explanation.ts';
import type { Coverage, Finding, Severity } from './verdict.ts';

export type EventDecision = 'block' | 'would-block';

/** What people can make of a block; `open` until one of them decides. */
export const triageVerdicts = ['open', 'true-positive', 'false-positive'] as const;

export type TriageVerdict = (typeof triageVerdicts)[number];

/** What people made of a block. */
export interface Triage {
  readonly verdict: TriageVerdict;
  readonly note: string;
  /** Who looks after it; '' for no one. */
  readonly owner: string;
  /** Who said so last: the name of an administrator or `key:<id>`. */
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A change of it; what is left out stays as it is. */
export interface TriageChange {
  readonly verdict: TriageVerdict;
  readonly note?: string;
  readonly owner?: string;
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A filter of events with a name, for all administrators. */
export interface SavedFilter {
  readonly id: string;
  readonly name: string;
  /** Members of the query of a list of events. */
  readonly query: Readonly<Record<string, string>>;
  readonly createdBy: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** Saved filters, by their names. */
export interface SavedFilters {
  list(): Promise<readonly SavedFilter[]>;
  add(filter: SavedFilter): Promise<'added' | 'name-taken' | 'too-many'>;
  /** The name of what was removed; undefined where there is no such filter. */
  remove(id: string): Promise<string | undefined>;
}

/** A block in one line: its strongest finding, and who sent it. Times are ISO 8601, UTC. */
export interface EventSummary {
  /** The id of the decision; ids made later are greater. */
  readonly id: string;
  readonly at: string;
  readonly decision: EventDecision;
  readonly score: number;
  readonly threshold: number;
  readonly category: Category;
  readonly rule: string;
  readonly pointer: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly policyId: string;
  /** Of the strongest finding; not there where nothing was found. */
  readonly severity?: Severity;
  /** Where the application server said so. */
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly client?: string;
  /** Where the client's address is, in two capital letters (ISO 3166-1); with a country database. */
  readonly country?: string;
  /** The autonomous system of the client's address, and its operator; with a network database. */
  readonly asn?: number;
  readonly asName?: string;
  /** Empty where it stood in a member that looks secret. */
  readonly evidence: string;
  /** Not there before anyone looked at it. */
  readonly triage?: Triage;
}

/** A finding with the way to its evidence. */
export interface EventFinding extends Finding {
  /** Excerpts round the evidence, the raw value first. Empty when not known, or when redacted. */
  readonly steps: readonly FindingStep[];
  /** The member looks secret: nothing of its value is stored. */
  readonly redacted?: true;
}

/** What the application server said of the client's request, without secrets. */
export interface EventContext {
  readonly method?: string;
  readonly proto?: string;
  readonly host?: string;
  readonly uri?: string;
  readonly client?: string;
  readonly origin?: string;
  readonly referer?: string;
  readonly secFetchSite?: string;
  readonly contentType?: string;
}

/** A block, whole. */
export interface StoredEvent extends EventSummary {
  readonly requestId: string;
  /** The trace that the request was a part of, if the caller named one and it is kept. */
  readonly traceId?: string;
  readonly policyVersion: number;
  readonly coverage: Coverage;
  readonly findings: readonly EventFinding[];
  /** Further findings, for which there was no room. */
  readonly findingsLeftOut?: number;
  readonly context: EventContext;
}

/** Which events are wanted. Times are milliseconds since 1970; `from` is included, `to` is not. */
export interface EventFilter {
  readonly decision?: EventDecision;
  readonly category?: Category;
  readonly rule?: string;
  readonly keyId?: string;
  readonly policyId?: string;
  readonly severity?: Severity;
  readonly method?: string;
  readonly host?: string;
  /** Without the query of the URL. */
  readonly path?: string;
  readonly client?: string;
  readonly country?: string;
  /** Digits. */
  readonly asn?: string;
  readonly pointer?: string;
  readonly triage?: TriageVerdict;
  /** A text that evidence, path, client, rule, pointer or an id holds, whatever its case. */
  readonly q?: string;
  readonly from?: number;
  readonly to?: number;
}

/** One page, the newest first; those dated in the future come last. */
export interface EventPage {
  readonly events: readonly EventSummary[];
  /** Asks for what comes after this page; it may hold nothing more. */
  readonly next?: string;
  /**
   * How far back the search got, where it ended before the page was full: when the last event was
   * that it inspected. Milliseconds since 1970.
   */
  readonly searchedTo?: number;
}

/** What events are counted by: each is also a filter. */
export const eventFacts = [
  'category',
  'severity',
  'rule',
  'keyId',
  'policyId',
  'method',
  'host',
  'path',
  'client',
  'country',
  'asn',
  'pointer',
] as const;

export type EventFact = (typeof eventFacts)[number];

/** Which events are counted, and how. Times are milliseconds since 1970. */
export interface CountWish {
  /** The range of time; the first step begins at `from`. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** How many of the most frequent values of each fact are wanted. */
  readonly top: number;
}

/** How many events there were of one value of a fact. */
export interface FactCount {
  readonly value: string;
  readonly count: number;
  /** Of an autonomous system: its operator. */
  readonly label?: string;
}

/** Counts of events over a range of time. */
export interface EventCounts {
  readonly blocked: number;
  readonly wouldBlock: number;
  /** The steps in which there were events, by their number from the beginning of the range. */
  readonly steps: readonly EventStep[];
  /** The most frequent values first; what nobody said is left out, and what is filtered by. */
  readonly top: Readonly<Record<EventFact, readonly FactCount[]>>;
  /** Estimates stand for more events than are counted one by one: each is a multiple of a sample. */
  readonly estimated: { readonly counts: boolean; readonly top: boolean };
}

export interface EventStep {
  readonly step: number;
  readonly blocked: number;
  readonly wouldBlock: number;
}

/**
 * The events before and after one in the order of a list. Where a search ended before it found one,
 * the id of the last event that it inspected: the neighbours of that event go on from there.
 */
export interface EventNeighbours {
  readonly newer?: string;
  readonly newerFrom?: string;
  readonly older?: string;
  readonly olderFrom?: string;
}

/** Requests of one minute. */
export interface TrafficMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly requests: number;
  readonly blocked: number;
  readonly wouldBlock: number;
}

/** From when to when, and in steps of what length, traffic is asked for. In milliseconds. */
export interface TrafficSpan {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Requests of one step of a span, counted from its beginning. */
export interface TrafficStep extends Omit<TrafficMinute, 'minute'> {
  readonly step: number;
}

/** What events may stay. */
export interface PruneBounds {
  /** Milliseconds since 1970. */
  readonly olderThan: number;
  readonly bytesMax: number;
  /** Nothing more is removed after it. */
  readonly signal?: AbortSignal;
}

/** Where blocks are kept. All times are milliseconds since 1970. */
export interface EventStore {
  /**
   * All of them or none. An event that is there already stays as it is. Says how many bytes of the
   * bound they take.
   */
  insert(events: readonly StoredEvent[]): Promise<number>;
  find(id: string): Promise<StoredEvent | undefined>;
  /** Looks at a bounded number of rows. */
  search(
    filter: EventFilter,
    page: { readonly cursor?: string; readonly limit: number },
  ): Promise<EventPage>;
  /** Whole events, the newest first. */
  stream(filter: EventFilter): AsyncIterable<StoredEvent>;
  /** Looks at a bounded number of rows: beyond, it estimates and says so. */
  count(filter: EventFilter, wish: CountWish): Promise<EventCounts>;
  /** Marks these events. Says how many of them there are. */
  triage(ids: readonly string[], change: TriageChange): Promise<number>;
  /** Of both sides, or of one. Inspects a bounded number of rows. */
  neighbours(id: string, filter: EventFilter, side?: 'newer' | 'older'): Promise<EventNeighbours>;
  /** When the oldest event was, in milliseconds since 1970. */
  oldest(): Promise<number | undefined>;
  /** Prepares events that an older version stored for counting. Says how many it was. */
  adopt(signal?: AbortSignal): Promise<number>;
  /** Adds to what is stored of these minutes. */
  addTraffic(minutes: readonly TrafficMinute[]): Promise<void>;
  /** The steps of a span in which there were requests: the database adds up their minutes. */
  traffic(span: TrafficSpan): Promise<readonly TrafficStep[]>;
  /** Removes what is older, then the oldest until no more than `bytesMax` are left. */
  prune(bounds: PruneBounds): Promise<{
    readonly removed: number;
    /** What is left takes this much. */
    readonly bytes: number;
  }>;
}
