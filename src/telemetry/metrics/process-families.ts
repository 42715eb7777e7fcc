import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Family } from './families.ts';

const delayStepMs = 20;
const startedAt = Date.now() / 1_000 - process.uptime();

/** What the process says of itself; the names are those that clients of Prometheus share. */
export function processFamilies(): readonly Family[] {
  const delay = monitorEventLoopDelay({ resolution: delayStepMs });
  delay.enable();
  // The monitor measures from tick to tick: what is beyond the step is the delay.
  const seconds = (ns: number) => Math.max(0, ns / 1e9 - delayStepMs / 1_000) || 0;
  return [
    {
      name: 'sallyport_event_loop_delay_seconds',
      type: 'gauge',
      help: 'How late the main thread was since the last scrape: mean, p50, p99 and max.',
      labels: ['stat'],
      read: () => {
        const stats = {
          mean: delay.mean,
          p50: delay.percentile(50),
          p99: delay.percentile(99),
          max: delay.max,
        };
        delay.reset();
        return Object.entries(stats).map(([stat, ns]) => ({
          labels: { stat },
          value: seconds(ns),
        }));
      },
    },
    {
      name: 'sallyport_event_loop_seconds_total',
      type: 'counter',
      help: 'Time that the main thread was active, and idle.',
      labels: ['state'],
      read: () => {
        const { active, idle } = performance.eventLoopUtilization();
        return [
          { labels: { state: 'active' }, value: active / 1_000 },
          { labels: { state: 'idle' }, value: idle / 1_000 },
        ];
      },
    },
    ...memoryAndTime,
  ];
}

const memoryAndTime: readonly Family[] = [
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time of all threads, user and system.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of all threads.',
    read: () => [{ value: process.memoryUsage.rss() }],
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started, in seconds since 1970.',
    read: () => [{ value: startedAt }],
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    type: 'gauge',
    help: 'Used heap of the main thread.',
    read: () => [{ value: process.memoryUsage().heapUsed }],
  },
  {
    name: 'nodejs_version_info',
    type: 'gauge',
    help: 'The version of Node.js; always 1.',
    labels: ['version'],
    read: () => [{ labels: { version: process.version }, value: 1 }],
  },
];
