import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, StoredEvent } from '../../contract/event.ts';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { eventOptions, readEvents, type WantedEvents, wantedEvents } from '../event-filter.ts';
import { eventCells, eventJson } from '../event-lines.ts';

const pollMs = 1_000;
const linesDefault = 10;
const linesMax = 1_000;
/** Events are stored a moment after their time, by several processes: later than newer ones. */
const overlapMs = 60_000;

export const eventsTail: Command = {
  name: 'events tail',
  summary: 'Print the last blocks, and each new one until Ctrl+C.',
  alsoCalled: ['events follow', 'events watch', 'tail'],
  options: [
    ...eventOptions.filter(({ name }) => name !== 'until'),
    { name: 'lines', value: '<n>', help: `how many of the last to begin with [${linesDefault}]` },
    { name: 'json', help: 'print whole events, one JSON object a line' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { createSqlEventStore } = await import('../../events/sql-event-store.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    const wanted = wantedEvents(input, Date.now());
    const lines = linesOf(input.text('lines'));
    requireDatabase(input.config);
    const stop = new AbortController();
    const end = () => stop.abort();
    process.once('SIGINT', end).once('SIGTERM', end);
    const print = input.isOn('json') ? eventJson : lineFor(terminal);
    await withDatabase(input.config, async ({ database }) => {
      const tail = new Tail(createSqlEventStore(database), wanted);
      for (const event of await tail.begin(lines)) terminal.out(print(event));
      while (!stop.signal.aborted && terminal.isRead()) {
        for (const event of await tail.further()) await terminal.flow(print(event));
        await delay(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    });
    return 0;
  },
};

/** What is new since the last look. */
class Tail {
  readonly #store: EventStore;
  readonly #wanted: WantedEvents;
  /** Ids within the overlap that were told, or are older than the beginning. */
  #known = new Set<string>();

  constructor(store: EventStore, wanted: WantedEvents) {
    this.#store = store;
    this.#wanted = wanted;
  }

  /** The last events, oldest first. */
  async begin(count: number): Promise<readonly StoredEvent[]> {
    await this.further();
    const last: StoredEvent[] = [];
    for await (const event of readEvents(this.#store, this.#wanted)) {
      if (last.length === count) break;
      last.push(event);
      this.#known.add(event.id);
    }
    return last.toReversed();
  }

  /** Events that were not there at the last call, oldest first. */
  async further(): Promise<readonly StoredEvent[]> {
    // The clock of the servers counts, not ours.
    const [newest] = (await this.#store.search({}, { limit: 1 })).events;
    if (newest === undefined) return [];
    const { filter, isWanted } = this.#wanted;
    const from = Math.max(filter.from ?? 0, Date.parse(newest.at) - overlapMs);
    const found: StoredEvent[] = [];
    for await (const event of readEvents(this.#store, { filter: { ...filter, from }, isWanted })) {
      found.push(event);
    }
    const fresh = found.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set(found.map(({ id }) => id));
    return fresh.toReversed();
  }
}

/** Columns of a fixed width: what follows is not known yet. */
const widths = [20, 11, 5, 24, 24, 28, 15];

function lineFor({ paint }: Terminal): (event: StoredEvent) => string {
  return (event) => {
    const plain = eventCells(event, (_style, text) => text);
    const cells = plain.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const decision = paint(event.decision === 'block' ? 'red' : 'yellow', cells[1] ?? '');
    return `${[cells[0], decision, ...cells.slice(2)].join(' ')}\n`;
  };
}

function linesOf(text: string | undefined): number {
  if (text === undefined) return linesDefault;
  const lines = /^\d{1,4}$/.test(text) ? Number(text) : -1;
  if (lines >= 0 && lines <= linesMax) return lines;
  throw new UsageError(`--lines must be a whole number from 0 to ${linesMax}.`);
}
