import type { Log } from '../../src/contract/ports.ts';

/** A log for parts that are made to fail inside a benchmark. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A log for parts that run inside a benchmark: only what went wrong is worth a line. */
export const quietLog: Log = {
  ...silentLog,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};
