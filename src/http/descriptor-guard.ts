import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Log } from '../contract/ports.ts';

/** Kept for what is no connection: files, the database, threads that are replaced. */
const spareMax = 64;
/** What is no connection is thought to be fewer than this. */
const othersMax = 1_024;
const logEveryMs = 60_000;

/** How many files this process may open; Infinity where the system does not say. */
export function openFilesMax(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Says when a process may open hardly any more files. To accept a connection beyond fails and is
 * tried again at once, for ever: a whole processor is busy with it, and callers wait for nothing.
 */
export class DescriptorGuard {
  readonly #max: number;
  readonly #spare: number;
  readonly #log: Log;
  #refused = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, max: number = openFilesMax()) {
    this.#log = log;
    this.#max = max;
    this.#spare = Math.min(spareMax, Math.floor(max / 4));
  }

  /** Whether the newest of so many connections must be closed again. */
  mustRefuse(connections: number): boolean {
    if (connections + othersMax < this.#max || this.#isRoom()) return false;
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#loggedAt >= logEveryMs) {
      this.#loggedAt = now;
      const counts = { connections, refused: this.#refused, openFilesMax: this.#max };
      this.#log.warn(
        counts,
        'connections are refused: no more files may be opened. Raise the limit (LimitNOFILE, ulimit -n)',
      );
    }
    return true;
  }

  /** The system gives the lowest number that is free: those below it are all in use. */
  #isRoom(): boolean {
    try {
      const file = openSync('/dev/null', 'r');
      closeSync(file);
      return file < this.#max - this.#spare;
    } catch {
      return false;
    }
  }
}
