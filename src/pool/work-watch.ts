import { readFileSync } from 'node:fs';

/** What the system says of a thread, since it began. */
export interface ThreadTimes {
  readonly usedNs: number;
  /** Ready to run, while others had the processor. */
  readonly waitedNs: number;
  /** Whether it sleeps; not where it waits for a processor, or for a disk to swap memory in. */
  readonly isAsleep: boolean;
}

/** Undefined where the system does not say: not Linux, or a kernel without `schedstat`. */
export function timesOf(thread: number): ThreadTimes | undefined {
  try {
    const folder = `/proc/self/task/${thread}`;
    const [usedNs, waitedNs] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ', 2);
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything, proc_pid_stat(5).
    const isAsleep = stat[stat.lastIndexOf(')') + 2] === 'S';
    return { usedNs: Number(usedNs), waitedNs: Number(waitedNs), isAsleep };
  } catch {
    return undefined;
  }
}

/**
 * Distinguishes a thread that has hung from one that gets no processor, which a clock cannot: by the
 * processor time that it has used, and by how long it slept in all, which no screening does.
 */
export class WorkWatch {
  readonly #timesOf: (thread: number) => ThreadTimes | undefined;
  #first: ThreadTimes | undefined;
  #last: ThreadTimes | undefined;
  #stillMs = 0;

  constructor(read: (thread: number) => ThreadTimes | undefined = timesOf) {
    this.#timesOf = read;
  }

  /** A new task begins; the first look at it counts as its start. */
  begin(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#stillMs = 0;
  }

  /** What the task has done since the first look. Zeros where the system does not say. */
  look(thread: number, elapsedMs: number): { readonly usedMs: number; readonly stillMs: number } {
    const now = thread === 0 ? undefined : this.#timesOf(thread);
    if (now === undefined) return { usedMs: 0, stillMs: 0 };
    const last = this.#last;
    const moved =
      last === undefined || now.usedNs !== last.usedNs || now.waitedNs !== last.waitedNs;
    this.#stillMs += moved || !now.isAsleep ? 0 : elapsedMs;
    this.#first ??= now;
    this.#last = now;
    return { usedMs: (now.usedNs - this.#first.usedNs) / 1e6, stillMs: this.#stillMs };
  }
}
