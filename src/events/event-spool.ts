import { randomBytes } from 'node:crypto';
import { type FileHandle, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEvent } from '../contract/event.ts';
import type { Log } from '../contract/ports.ts';
import { codeOf } from '../storage/error-code.ts';
import { makePrivateFolder, openPrivate } from '../storage/private-files.ts';

/** A segment is read as a whole, on the thread that answers requests. */
const segmentBytesMax = 262_144;
/** A segment takes events for so long. After `orphanMs` it has no writer; any process may store it. */
const segmentMsMax = 30_000;
const orphanMs = 60_000;
/** After a failure the disk is left alone for so long. */
const pauseMs = 1_000;

/** `<time>-<process>-<spool>`; a segment that is still written to is called `.open`. */
const segmentName = /^[0-9a-z]{9}-(\d+)-([0-9a-f]{8})\.(open|ndjson)$/;

/** What the spool is made of. */
export interface SpoolParts {
  /** The data directory; the spool makes a folder in it when it needs one. */
  readonly dataDir: string;
  /** What all segments may take, those of other processes included. */
  readonly bytesMax: number;
  readonly log: Log;
}

/** Events of one segment, the oldest first. */
export interface SpooledEvents {
  readonly events: StoredEvent[];
  /** Lines that are not whole. */
  readonly damaged: number;
  /** To be called once the events are stored. */
  remove(): Promise<void>;
}

interface OpenSegment {
  readonly name: string;
  readonly handle: FileHandle;
  readonly since: number;
  bytes: number;
}

/**
 * Events on disk that wait for the database: files with one event a line, as it would be stored. A
 * closed segment may be stored by any process that shares the folder, and twice: ids are unique.
 */
export class EventSpool {
  readonly #parts: SpoolParts;
  readonly #folder: string;
  /** Closed segments, the oldest first, and their sizes. */
  readonly #closed = new Map<string, number>();
  #open: OpenSegment | undefined;
  readonly #token = randomBytes(4).toString('hex');
  #lastTime = 0;
  /** One after the other: nothing is closed while it is written to. */
  #turn: Promise<unknown> = Promise.resolve();
  /** What segments of other processes take that are still written to. */
  #foreignBytes = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(parts: SpoolParts) {
    this.#parts = parts;
    this.#folder = join(parts.dataDir, 'event-spool');
  }

  /** Whether no event waits here, as far as this process knows. */
  get isEmpty(): boolean {
    return this.#closed.size === 0 && this.#open === undefined;
  }

  /** What all segments take. */
  get bytes(): number {
    let sum = this.#foreignBytes + (this.#open?.bytes ?? 0);
    for (const bytes of this.#closed.values()) sum += bytes;
    return sum;
  }

  /** Finds what earlier processes have left. Never rejects. */
  scan(): Promise<void> {
    return this.#inTurn(() => this.#scan());
  }

  /** Appends events. False when there is no room or the disk fails; then none of them counts. */
  append(events: readonly StoredEvent[]): Promise<boolean> {
    return this.#inTurn(() => this.#append(events));
  }

  /** The oldest segment; undefined when there is none. Never rejects. */
  next(): Promise<SpooledEvents | undefined> {
    return this.#inTurn(() => this.#next());
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #scan(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    this.#closed.clear();
    this.#foreignBytes = 0;
    for (const name of names.toSorted()) {
      const match = segmentName.exec(name);
      if (match === null || name === this.#open?.name) continue;
      const [, pid, token, ending] = match;
      const found = await stat(join(this.#folder, name)).catch(() => undefined);
      if (found === undefined) continue;
      if (ending === 'ndjson') this.#closed.set(name, found.size);
      else if (token !== this.#token && !isOrphan(Number(pid), found.mtimeMs)) {
        this.#foreignBytes += found.size;
      } else await this.#seal(name, found.size);
    }
  }

  async #append(events: readonly StoredEvent[]): Promise<boolean> {
    if (performance.now() < this.#restsUntil) return false;
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const bytes = Buffer.byteLength(text);
    const { bytesMax } = this.#parts;
    if (this.bytes + bytes > bytesMax) await this.#scan();
    if (this.bytes + bytes > bytesMax) return this.#rest();
    try {
      const segment = await this.#segment();
      try {
        await segment.handle.appendFile(text);
      } catch (error) {
        await this.#undo(segment);
        throw error;
      }
      segment.bytes += bytes;
      this.#isFailing = false;
      if (segment.bytes >= segmentBytesMax) await this.#close();
      return true;
    } catch (error) {
      const { log } = this.#parts;
      if (!this.#isFailing)
        log.warn({ err: error }, 'events cannot be written to the spool; check the data directory');
      this.#isFailing = true;
      return this.#rest();
    }
  }

  async #next(): Promise<SpooledEvents | undefined> {
    if (this.#closed.size === 0) await this.#close();
    for (const [name, bytes] of this.#closed) {
      const path = join(this.#folder, name);
      try {
        const lines = await readLines(path);
        const remove = async () => {
          this.#closed.delete(name);
          await rm(path, { force: true }).catch(() => undefined);
        };
        return { ...lines, remove };
      } catch (error) {
        this.#closed.delete(name);
        // Another process has stored it.
        if (codeOf(error) === 'ENOENT') continue;
        this.#parts.log.warn({ err: error, path, bytes }, 'events in the spool cannot be read');
      }
    }
    return undefined;
  }

  #rest(): false {
    this.#restsUntil = performance.now() + pauseMs;
    return false;
  }

  async #segment(): Promise<OpenSegment> {
    if (this.#open !== undefined && performance.now() - this.#open.since > segmentMsMax) {
      await this.#close();
    }
    this.#open ??= await this.#create();
    return this.#open;
  }

  async #create(): Promise<OpenSegment> {
    await makePrivateFolder(this.#folder);
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    const time = this.#lastTime.toString(36).padStart(9, '0');
    const name = `${time}-${process.pid}-${this.#token}.open`;
    const handle = await openPrivate(join(this.#folder, name), 'ax');
    return { name, handle, since: performance.now(), bytes: 0 };
  }

  /** A line that was begun would spoil the one after it. */
  async #undo(segment: OpenSegment): Promise<void> {
    await segment.handle.truncate(segment.bytes).catch(() => undefined);
    await this.#close();
  }

  async #close(): Promise<void> {
    const segment = this.#open;
    if (segment === undefined) return;
    this.#open = undefined;
    await segment.handle.close().catch(() => undefined);
    if (segment.bytes > 0) await this.#seal(segment.name, segment.bytes);
    else await rm(join(this.#folder, segment.name), { force: true }).catch(() => undefined);
  }

  async #seal(name: string, bytes: number): Promise<void> {
    const sealed = name.replace(/open$/, 'ndjson');
    try {
      await rename(join(this.#folder, name), join(this.#folder, sealed));
      this.#closed.set(sealed, bytes);
    } catch {
      // Another process was faster, and stores it.
    }
  }
}

/** Whether an open segment has no writer any more. */
function isOrphan(pid: number, changedAt: number): boolean {
  if (Date.now() - changedAt > orphanMs) return true;
  // In a container the one before had the same number.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

async function readLines(path: string): Promise<Pick<SpooledEvents, 'events' | 'damaged'>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.flatMap((line) => eventIn(line) ?? []);
  return { events, damaged: lines.length - events.length };
}

const texts = [
  'id',
  'at',
  'decision',
  'category',
  'rule',
  'pointer',
  'keyId',
  'keyName',
  'evidence',
  'requestId',
] as const satisfies readonly (keyof StoredEvent)[];

/** The event of a line; undefined when the process ended in the middle of it. */
function eventIn(line: string): StoredEvent | undefined {
  try {
    const event: StoredEvent = JSON.parse(line);
    const isWhole = texts.every((name) => typeof event[name] === 'string');
    return isWhole && Array.isArray(event.findings) ? event : undefined;
  } catch {
    return undefined;
  }
}
