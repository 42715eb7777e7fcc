import type { Config } from '../../config/settings.ts';
import { type Command, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { formatMoment } from '../moment.ts';
import type { Probe } from '../server-probe.ts';
import type { StoredState } from '../stored-state.ts';
import { table } from '../table.ts';

const busyTimeoutMs = 2_000;

export const status: Command = {
  name: 'status',
  summary: 'Say whether the server runs, and what its database holds.',
  alsoCalled: ['health', 'ping', 'info', 'ps'],
  options: [
    { name: 'url', value: '<url>', help: 'the server to ask [that of the settings]' },
    { name: 'json', help: 'print JSON' },
  ],
  settings: [
    'host',
    'port',
    'socket',
    'tlsCert',
    'tlsKey',
    'dataDir',
    'databaseUrl',
    'metricsHost',
    'metricsPort',
    'metricsToken',
    'metricsTokenFile',
    'config',
  ],
  notes: `Changes nothing. Threads and uptime come from /metrics, which this machine may read, or who
has the token of the metrics. Exit code 0: the server is ready. 1: it is not.`,
  async run(input, terminal) {
    const { probeServer, targetOf } = await import('../server-probe.ts');
    const url = input.text('url');
    if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) {
      throw new UsageError(`--url must be a URL such as http://127.0.0.1:8080, not ${url}.`);
    }
    const target = targetOf(input.config, url);
    const [probe, stored] = await Promise.all([
      probeServer(target, input.config),
      storedState(input.config),
    ]);
    const isReady = probe.kind === 'answers' && probe.state.isReady;
    const exitCode: ExitCode = isReady ? 0 : 1;
    if (input.isOn('json')) {
      terminal.out(`${JSON.stringify(described(target.address, probe, stored), null, 2)}\n`);
      return exitCode;
    }
    const rows = [...serverRows(target.address, probe, terminal), ...storedRows(stored, terminal)];
    terminal.out(`${table(rows)}\n`);
    if (probe.kind !== 'answers') {
      terminal.err(
        'Start it with `sallyport serve`; `sallyport doctor` looks for what is wrong.\n',
      );
    }
    return exitCode;
  },
};

type Stored = StoredState | { readonly problem: string };

/** An unreadable database is reported, and the server is asked all the same. */
async function storedState(config: Config): Promise<Stored> {
  const { peekDatabase } = await import('../../storage/peek.ts');
  const { readStoredState } = await import('../stored-state.ts');
  const { requireDatabase } = await import('../stored.ts');
  const { dataDir, databaseUrl } = config;
  try {
    requireDatabase(config);
    const options = { dataDir, databaseUrl, busyTimeoutMs };
    return await peekDatabase(options, (peeked) => readStoredState(peeked, Date.now()));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function serverRows(address: string, probe: Probe, { paint }: Terminal): string[][] {
  if (probe.kind === 'silent') {
    return [['Server', `${paint('red', 'not running')} at ${address} (${probe.reason})`]];
  }
  if (probe.kind === 'stranger') {
    return [['Server', `${paint('red', 'another program')} answers at ${address}`]];
  }
  const { isReady, notReady, degraded, snapshot, version } = probe.state;
  const { threads, startedAt, eventsDropped } = probe.state;
  const state = isReady
    ? paint('green', 'ready')
    : paint('red', `not ready (${notReady.join(', ')})`);
  const since = startedAt === undefined ? '' : `, since ${formatMoment(startedAt)}`;
  const parts = degraded.length === 0 ? 'nothing' : paint('yellow', degraded.join(', '));
  const rows = [
    ['Server', `${state} at ${address}${since}`],
    ['Version', version ?? 'unknown'],
    ['Degraded', parts],
  ];
  if (snapshot?.inForce === true) {
    const text = `keys and policies are ${snapshot.ageSeconds} s old, from the last good snapshot`;
    rows.push(['Snapshot', paint('yellow', text)]);
  }
  if (threads !== undefined) rows.push(['Threads', String(threads)]);
  if (eventsDropped !== undefined && eventsDropped > 0) {
    rows.push(['Dropped', paint('yellow', `${eventsDropped} events were not stored`)]);
  }
  return rows;
}

function storedRows(stored: Stored, { paint }: Terminal): string[][] {
  if ('problem' in stored) return [['Database', paint('yellow', stored.problem)]];
  const { place, keys, policies, events, administrators } = stored;
  const counts = Object.entries(keys).map(([state, count]) => `${count} ${state}`);
  const newest = events.newest === undefined ? '' : `, newest ${formatMoment(events.newest)}`;
  return [
    ['Database', place],
    ['Keys', counts.join(', ')],
    ...policies.map(({ name, version, mode, keys: users }, index) => [
      index === 0 ? 'Policies' : '',
      `${name}: version ${version}, ${mode}, ${users} ${users === 1 ? 'key' : 'keys'}`,
    ]),
    ['Events', `${events.stored}${newest}`],
    ['Administrators', String(administrators)],
  ];
}

function described(address: string, probe: Probe, stored: Stored): object {
  const server =
    probe.kind === 'answers'
      ? { address, ...probe.state, startedAt: momentOrNull(probe.state.startedAt) }
      : { address, isReady: false, problem: probe.kind === 'silent' ? probe.reason : probe.kind };
  if ('problem' in stored) return { server, database: stored };
  const { events, ...rest } = stored;
  const newest = momentOrNull(events.newest);
  return { server, database: { ...rest, events: { ...events, newest } } };
}

function momentOrNull(moment: number | undefined): string | null {
  return moment === undefined ? null : formatMoment(moment);
}
