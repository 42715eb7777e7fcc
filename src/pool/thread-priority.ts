import { constants, getPriority, setPriority } from 'node:os';

/** Niceness above that of the process: a thread with it gets about a third of a contended processor. */
const screeningNiceness = 5;

/**
 * Where processors are short, the front end goes before the thread that calls this: it refuses what
 * cannot be answered in time, and whatever it delays is late for every caller. Linux has a niceness
 * for each thread, and 0 means the one that asks (setpriority(2), "C library/kernel differences");
 * elsewhere it would be that of the whole process.
 */
export function yieldToFrontEnd(): void {
  if (process.platform !== 'linux') return;
  const lowest = constants.priority.PRIORITY_LOW;
  try {
    setPriority(0, Math.min(lowest, getPriority(0) + screeningNiceness));
  } catch {
    // A sandbox that forbids the call: the thread works as before.
  }
}
