import { pino } from 'pino';
import type { LineLog, Log } from '../../contract/ports.ts';
import { ecsFields, ecsVersion } from './ecs.ts';
import { redactFields, redactText } from './redact.ts';

/** How the log is set up. */
export interface LogOptions {
  /** `debug`, `info`, `warn`, `error` or `silent`. */
  readonly level: string;
  /** An open file descriptor; standard output when not given. */
  readonly destination?: number;
}

/** A log that is closed before the process ends. */
export interface ClosableLog extends LineLog {
  /** Resolves when all lines are written, or when their reader stalls. Later lines are dropped. */
  close(): Promise<void>;
}

/** When the reader of the lines is this far behind, further lines are dropped. */
const bufferBytesMax = 16_777_216;
/** A reader that stalls must not keep the process from ending. */
const closeMsMax = 2_000;

/** What every line has behind its time, as the members of a JSON object. */
const common = `"ecs.version":"${ecsVersion}",${JSON.stringify(ecsFields({})).slice(1, -1)},`;

/** One JSON object (ECS) per line. Writing never waits for the reader of the lines. */
export function createLog(options: LogOptions): ClosableLog {
  const destination = pino.destination({
    dest: options.destination ?? process.stdout.fd,
    sync: false,
    maxLength: bufferBytesMax,
  });
  // The reader of a pipe may go away first; that is no reason to stop screening.
  destination.on('error', () => undefined);
  const time = createTimeText();
  const logger = pino(
    {
      level: options.level,
      base: { 'ecs.version': ecsVersion },
      messageKey: 'message',
      timestamp: () => `,"@timestamp":"${time()}"`,
      formatters: {
        level: (label) => ({ 'log.level': label }),
        log: (fields) => ecsFields(redactFields(fields)),
      },
      serializers: { err: (value: unknown) => value },
    },
    destination,
  );
  let closed: Promise<void> | undefined;
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, message) => {
      if (closed === undefined) logger[level](fields, redactText(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    line(members, message) {
      if (closed !== undefined || !logger.isLevelEnabled('info')) return;
      destination.write(
        `{"log.level":"info","@timestamp":"${time()}",${common}${members},"message":"${message}"}\n`,
      );
    },
    close() {
      closed ??= new Promise((resolve) => {
        const giveUp = setTimeout(resolve, closeMsMax);
        const done = () => {
          clearTimeout(giveUp);
          resolve();
        };
        destination.once('close', done);
        destination.once('error', done);
        destination.end();
      });
      return closed;
    },
  };
}

/** The time of now as a text, which the lines of one millisecond share. */
function createTimeText(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
