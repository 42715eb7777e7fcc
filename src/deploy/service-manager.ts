import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../contract/ports.ts';

/** What supervises this process, if anything does: systemd, by sd_notify(3). */
export interface ServiceManager {
  /** Says that requests are answered, and from then on that they still are, while they are. */
  ready(status: string, isAlive: () => Promise<boolean>): Promise<void>;
  stopping(): Promise<void>;
}

const run = promisify(execFile);

/** Pings in the time after which systemd takes the process for hung. */
const pingsPerTimeout = 3;

/** The manager that the environment names. Without one, no notification is sent. */
export function serviceManagerOf(
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
): ServiceManager {
  if (environment['NOTIFY_SOCKET'] === undefined) {
    return { ready: () => Promise.resolve(), stopping: () => Promise.resolve() };
  }
  // Node cannot write to a datagram socket of the file system; systemd brings a program that can.
  const tell = async (...words: readonly string[]): Promise<void> => {
    try {
      await run('systemd-notify', [...words]);
    } catch (error) {
      log.error(
        { err: error },
        'systemd cannot be notified of the state: see that systemd-notify is on the PATH',
      );
    }
  };
  const pingMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1000 / pingsPerTimeout;
  const ping = async (isAlive: () => Promise<boolean>): Promise<void> => {
    if (await isAlive()) await tell('WATCHDOG=1');
    else log.warn({}, 'the screening threads do not respond; no keep-alive is sent to systemd');
    setTimeout(() => void ping(isAlive), pingMs).unref();
  };
  return {
    async ready(status, isAlive) {
      await tell('--ready', `--status=${status}`);
      if (pingMs > 0) await ping(isAlive);
    },
    stopping: () => tell('STOPPING=1', '--status=answering what is in flight'),
  };
}
