import type { ChildProcess } from 'node:child_process';

const living = new Set<ChildProcess>();
let isWatching = false;

/** Sees to it that a process does not outlive this one, however this one ends. */
export function endWithUs(child: ChildProcess): void {
  living.add(child);
  child.once('exit', () => living.delete(child));
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const one of living) one.kill('SIGKILL');
  });
  // Without a listener these end the process before its exit handlers run.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(1));
  }
}
