import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EventSummary } from '../../../contract/event.ts';
import type { Key, LiveSecond, Overview } from '../api/types.ts';
import { type LiveState, useLive } from '../hooks/use-live.ts';
import { useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { count, ms, rate } from '../ui/format.ts';
import { Loaded } from '../ui/notice.tsx';
import { Card, Page } from '../ui/page.tsx';
import { FirstSteps } from './first-steps.tsx';
import { CategoryBars, Health, LatestBlocks } from './overview-parts.tsx';
import { Trends } from './trends.tsx';
import { Unprotected } from './unprotected.tsx';

const refreshMs = 10_000;
const latestMax = 8;

export function OverviewPage() {
  const overview = useResource<Overview>('/overview');
  const recent = useResource<{ readonly events: readonly EventSummary[] }>(
    `/events?limit=${latestMax}`,
  );
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const [stats, setStats] = useState<LiveSecond | undefined>(undefined);
  const [fresh, setFresh] = useState<readonly EventSummary[]>([]);
  const { state, setPaused } = useLive({
    onStats: setStats,
    onBlock: (event) => setFresh((before) => [event, ...before].slice(0, latestMax)),
  });
  const paused = state === 'paused';
  const { reload } = overview;
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(reload, refreshMs);
    return () => clearInterval(timer);
  }, [paused, reload]);
  // All at once, so that nothing is pushed down by what comes later.
  const isSettled = [recent, keys].every(({ data, error }) => data ?? error);
  const latest = merge(fresh, recent.data?.events ?? []);
  return (
    <Page
      title="Overview"
      actions={<LiveControl state={state} onPause={() => setPaused(!paused)} />}
    >
      <p class="sr-only" role="status">
        {fresh[0] === undefined ? '' : `Blocked: ${titleOf(fresh[0].category)}`}
      </p>
      <Loaded resource={{ ...overview, data: isSettled ? overview.data : undefined }} lines={12}>
        {(data) => (
          <>
            {keys.data === undefined ? null : (
              <FirstSteps keys={keys.data.keys} firstBlock={latest[0]} onCreated={keys.reload} />
            )}
            <Unprotected overview={data} />
            <Tiles overview={data} stats={stats} />
            <Charts overview={data} />
            <div class="columns">
              <Card title="Blocks by category, last hour">
                <CategoryBars counts={stats?.categories ?? data.categories} />
              </Card>
              <Card title="Latest blocks" actions={<a href="/dashboard/events">All events</a>}>
                <Loaded resource={recent} lines={5}>
                  {() => <LatestBlocks events={latest} />}
                </Loaded>
              </Card>
            </div>
            <Trends />
            <Health overview={data} queue={stats?.queue ?? data.queue} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function merge(
  fresh: readonly EventSummary[],
  stored: readonly EventSummary[],
): readonly EventSummary[] {
  const known = new Set(fresh.map(({ id }) => id));
  return [...fresh, ...stored.filter(({ id }) => !known.has(id))].slice(0, latestMax);
}

const stateWords: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  paused: 'Paused',
  offline: 'Offline, trying again',
};

function LiveControl(props: { readonly state: LiveState; readonly onPause: () => void }) {
  const { state, onPause } = props;
  return (
    <>
      <span class={`live-state ${state}`} role="status">
        {stateWords[state]}
      </span>
      <Button icon={state === 'paused' ? 'play' : 'pause'} onClick={onPause}>
        {state === 'paused' ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
}

function Tiles(props: { readonly overview: Overview; readonly stats: LiveSecond | undefined }) {
  const { overview, stats } = props;
  const { decisions } = overview;
  const rates = stats ?? overview.rates;
  const latency = stats?.latency ?? overview.latency;
  return (
    <dl class="tiles">
      <Tile name="Requests per second" value={rate(rates.requestsPerSecond)}>
        {count(decisions.allow + decisions.block + decisions.wouldBlock)} in the last hour
      </Tile>
      <Tile
        name="Blocked per second"
        value={rate(rates.blockedPerSecond)}
        tone={rates.blockedPerSecond > 0 ? 'block' : undefined}
      >
        {count(decisions.block)} blocked
        {decisions.wouldBlock > 0 ? ` · ${count(decisions.wouldBlock)} would block` : ''} in the
        last hour
      </Tile>
      <Tile name="Latency, median" value={ms(latency.p50Ms)}>
        95 %: {ms(latency.p95Ms)} · 99 %: {ms(latency.p99Ms)}
      </Tile>
      <Tile
        name="Health"
        value={overview.ready ? 'Ready' : 'Not ready'}
        tone={overview.ready ? 'good' : 'block'}
      >
        {count(decisions.rejected)} malformed and {count(decisions.refused)} refused in the last
        hour
      </Tile>
    </dl>
  );
}

function Tile(props: {
  readonly name: string;
  readonly value: string;
  readonly tone?: 'good' | 'block' | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="tile">
      <dt>{props.name}</dt>
      <dd>
        <strong class={props.tone}>{props.value}</strong>
        <small>{props.children}</small>
      </dd>
    </div>
  );
}

function Charts({ overview }: { readonly overview: Overview }) {
  const { series } = overview;
  const from = Date.parse(series.from);
  const perSecond = (values: readonly number[]) => values.map((v) => v / series.stepSeconds);
  const requests = perSecond(series.requests);
  const blocked = perSecond(series.blocked);
  const peak = Math.max(0, ...requests);
  const slowest = Math.max(0, ...series.p99Ms);
  return (
    <div class="columns">
      <Card title="Requests per second, last hour">
        <Chart
          label={`Requests per second in the last hour, at most ${rate(peak)}`}
          from={from}
          stepSeconds={series.stepSeconds}
          lines={[
            { label: 'Requests', colour: '--chart-1', values: requests },
            { label: 'Blocked', colour: '--chart-2', values: blocked },
          ]}
        />
      </Card>
      <Card title="Latency, 99th percentile, last hour">
        <Chart
          label={`99th percentile of the latency in the last hour, at most ${ms(slowest)}`}
          from={from}
          stepSeconds={series.stepSeconds}
          lines={[{ label: 'Milliseconds', colour: '--chart-3', values: series.p99Ms }]}
        />
      </Card>
    </div>
  );
}
