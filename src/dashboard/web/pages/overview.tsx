import { useEffect, useState } from 'preact/hooks';
import type { EventSummary } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import type { Key, LiveSecond, Overview, Stats } from '../api/types.ts';
import { type LiveState, useLive } from '../hooks/use-live.ts';
import { type TimeRange, useRange } from '../hooks/use-range.ts';
import { type Resource, useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Loaded } from '../ui/notice.tsx';
import { Card, Page } from '../ui/page.tsx';
import { before, iso, queryOf } from '../ui/range.ts';
import { RangePicker } from '../ui/range-picker.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health, LatestBlocks } from './overview-parts.tsx';
import { Tiles } from './overview-tiles.tsx';
import { TopValues } from './overview-top.tsx';
import { Trends } from './trends.tsx';
import { Unprotected } from './unprotected.tsx';

const latestMax = 8;
const topMax = 8;
const rangeDefault = '24h';

/** What was blocked within a range of time, of whom and by what; and how this process is. */
export function OverviewPage() {
  const [second, setSecond] = useState<LiveSecond | undefined>(undefined);
  const [fresh, setFresh] = useState<readonly EventSummary[]>([]);
  const { state, setPaused } = useLive({
    onStats: setSecond,
    onBlock: (event) => setFresh((old) => [event, ...old].slice(0, latestMax)),
  });
  const paused = state === 'paused';
  const time = useRange(rangeDefault, paused);
  const { query, change } = time;
  return (
    <Page
      title="Overview"
      actions={<LiveControl state={state} onPause={() => setPaused(!paused)} />}
    >
      <p class="sr-only" role="status">
        {fresh[0] === undefined ? '' : `Blocked: ${titleOf(fresh[0].category)}`}
      </p>
      <div class="range-row">
        <RangePicker
          query={query}
          fallback={rangeDefault}
          onChange={(wish) => change({ ...wish })}
        />
        <Checkbox
          label="Compare with the time before"
          checked={query['compare'] === 'yes'}
          onChange={(wanted) => change({ compare: wanted ? 'yes' : undefined })}
        />
      </div>
      <Figures time={time} second={second} fresh={fresh} />
    </Page>
  );
}

/** All of it at once, so that nothing is pushed down by what comes later. */
function Figures(props: {
  readonly time: TimeRange;
  readonly second: LiveSecond | undefined;
  readonly fresh: readonly EventSummary[];
}) {
  const { time, second, fresh } = props;
  const overview = useResource<Overview>('/overview');
  const recent = useResource<Recent>(`/events?limit=${latestMax}`);
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const { stats, past } = useStats(time);
  const { range, now, change } = time;
  useEffect(() => void overview.reload(), [now]);
  const isSettled = [recent, keys, stats].every(({ data, error }) => data ?? error);
  const latest = merge(fresh, recent.data?.events ?? []);
  const carried = queryOf(range);
  return (
    <Loaded resource={{ ...overview, data: isSettled ? overview.data : undefined }} lines={12}>
      {(data) => (
        <>
          {keys.data === undefined ? null : (
            <FirstSteps keys={keys.data.keys} firstBlock={latest[0]} onCreated={keys.reload} />
          )}
          <Unprotected overview={data} />
          <Loaded resource={stats}>
            {(shown) => (
              <>
                <Tiles overview={data} live={second} stats={shown} past={past} />
                <Trends
                  stats={shown}
                  words={range.words}
                  onZoom={(from, to) => change({ range: undefined, from: iso(from), to: iso(to) })}
                />
                <TopValues
                  stats={shown}
                  past={past}
                  keys={keys.data?.keys ?? []}
                  carried={carried}
                />
              </>
            )}
          </Loaded>
          <Card
            title="Latest blocks"
            actions={<a href={withQuery('/dashboard/events', { ...carried })}>All events</a>}
          >
            <Loaded resource={recent} lines={5}>
              {() => <LatestBlocks events={latest} />}
            </Loaded>
          </Card>
          <Health overview={data} queue={second?.queue ?? data.queue} />
        </>
      )}
    </Loaded>
  );
}

/** The figures of a range, and of the time before where they are compared. */
function useStats({ range, now, query }: TimeRange): {
  readonly stats: Resource<Stats>;
  readonly past: Stats | undefined;
} {
  const { from, to, stepSeconds } = range;
  const asked = { stepSeconds, top: topMax };
  const stats = useResource<Stats>(
    withQuery('/stats', { ...asked, from: iso(from), to: to && iso(to) }),
  );
  useEffect(() => void stats.reload(), [now]);
  const isCompared = query['compare'] === 'yes';
  const earlier = before(range, stepped(now, stepSeconds));
  const past = useResource<Stats>(
    isCompared
      ? withQuery('/stats', { ...asked, from: iso(earlier.from), to: iso(earlier.to) })
      : undefined,
  );
  return { stats, past: isCompared ? past.data : undefined };
}

interface Recent {
  readonly events: readonly EventSummary[];
}

/** The moment when the step began: what is compared then changes once a step. */
function stepped(now: number, stepSeconds: number): number {
  const stepMs = stepSeconds * 1_000;
  return Math.ceil(now / stepMs) * stepMs;
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
