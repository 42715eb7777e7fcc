import type { Log } from '../../src/contract/ports.ts';

/** A log for parts that run inside a benchmark: only what went wrong is worth a line. */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};
