import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadSqlite } from '../../src/storage/sqlite-file.ts';
import { wireOf } from '../http/exchange.ts';
import { ask } from '../lib/ask.ts';
import type { Random } from '../lib/random.ts';
import { fillDisk } from '../lib/small-disk.ts';
import { poison, type Service } from './service.ts';
import type { Outcome } from './verdicts.ts';

/** What a fault acts on. */
export interface Scene {
  readonly service: Service;
  /** A separate key, for what a fault sends. */
  readonly key: string;
  /** Whether the data lie on a small disk, which can be filled. */
  readonly hasSmallDisk: boolean;
  /** Ten times the usual traffic, for some time. */
  flood(ms: number): Promise<void>;
}

/** One way to disturb a service. */
export interface Fault {
  readonly name: string;
  /** What may become of requests of its time, beside the right answer. */
  readonly allows: readonly Outcome[];
  /** Whether another process serves afterwards. */
  readonly replaces: boolean;
  run(scene: Scene, random: Random): Promise<void>;
}

const seconds = (random: Random, least: number, most: number) =>
  least * 1_000 + random.below((most - least) * 1_000);

/** All faults. A request that is refused with advice is no loss; one without an answer is. */
export const faults: readonly Fault[] = [
  {
    name: 'the process hangs (SIGSTOP)',
    allows: ['refused'],
    replaces: false,
    async run({ service }, random) {
      service.signal('SIGSTOP');
      await delay(seconds(random, 1, 4));
      service.signal('SIGCONT');
    },
  },
  {
    name: 'a thread hangs',
    allows: ['refused'],
    replaces: false,
    run: ({ service, key }) => hangThread(service.port, key),
  },
  {
    name: 'the disk is full',
    allows: [],
    replaces: false,
    async run({ service, hasSmallDisk }, random) {
      if (!hasSmallDisk) return;
      const ballast = join(service.dataFolder, 'ballast');
      fillDisk(ballast);
      await delay(seconds(random, 2, 6));
      rmSync(ballast);
    },
  },
  {
    name: 'the database is locked',
    allows: [],
    replaces: false,
    async run({ service }, random) {
      const database = new (loadSqlite().DatabaseSync)(join(service.dataFolder, 'sallyport.db'), {
        timeout: 5_000,
      });
      try {
        database.exec('BEGIN EXCLUSIVE');
        await delay(seconds(random, 2, 6));
        database.exec('ROLLBACK');
      } finally {
        database.close();
      }
    },
  },
  {
    name: 'connections are cut',
    allows: [],
    replaces: false,
    async run({ service, key }, random) {
      const count = 50 + random.below(150);
      await Promise.all(random.times(count, () => cutOne(service.port, key, random)));
    },
  },
  {
    name: 'a flood of ten times',
    allows: ['refused'],
    replaces: false,
    run: ({ flood }, random) => flood(seconds(random, 2, 4)),
  },
  {
    name: 'killed (SIGKILL) and started again',
    // What was in flight, and what came before the next process listened.
    allows: ['lost', 'unreachable', 'refused'],
    replaces: true,
    run: ({ service }) => service.kill(),
  },
  {
    name: 'stopped (SIGTERM) and started again',
    allows: ['unreachable', 'refused'],
    replaces: true,
    run: ({ service }) => service.restart(),
  },
  {
    name: 'handed over to another process (--share-port)',
    allows: [],
    replaces: true,
    run: ({ service }) => service.handOver(),
  },
];

/** Longer than the pool waits for a thread, twice. */
const hangMsMax = 60_000;

async function hangThread(port: number, key: string): Promise<void> {
  const poisoned = JSON.stringify({ value: poison });
  const { status, body } = await ask({ port, key, body: poisoned, msMax: hangMsMax });
  if (status !== 503) {
    throw new Error(`A request that hangs its thread was answered ${status}: ${body}`);
  }
}

/** By a reset, but for a socket that is being shut down: that one would never close. */
function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** A request that breaks off somewhere, with a reset. */
function cutOne(port: number, key: string, random: Random): Promise<void> {
  const body = JSON.stringify({ value: 'a'.repeat(random.below(60_000)) });
  const whole = wireOf(body, key);
  const part = whole.subarray(0, random.below(whole.length));
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(part, () => setTimeout(() => breakOff(socket), random.below(50)));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
