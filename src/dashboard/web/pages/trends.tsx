import { useMemo, useState } from 'preact/hooks';
import { withQuery } from '../api/client.ts';
import type { Stats } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { type Bar, Bars } from '../ui/bars.tsx';
import { Chart } from '../ui/chart.tsx';
import { Select } from '../ui/field.tsx';
import { count, counted } from '../ui/format.ts';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';

const spans = [
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last week' },
  { value: '30', label: 'The last 30 days' },
] as const;

const dayMs = 86_400_000;
const shownMax = 8;

/** What was stored over days: how much was blocked, by which rules, in which fields. */
export function Trends() {
  const [days, setDays] = useState<(typeof spans)[number]['value']>('1');
  const from = useMemo(() => new Date(Date.now() - Number(days) * dayMs).toISOString(), [days]);
  const stats = useResource<Stats>(withQuery('/stats', { from }));
  return (
    <Card title="Over time">
      <div class="span-choice">
        <Select label="Show" value={days} options={spans} onChange={setDays} />
      </div>
      <Loaded resource={stats}>{(data) => <Figures stats={data} from={from} />}</Loaded>
    </Card>
  );
}

function Figures({ stats, from }: { readonly stats: Stats; readonly from: string }) {
  const { series, stepSeconds } = stats;
  const [requests, blocked, wouldBlock] = [
    sum(series.requests),
    sum(series.blocked),
    sum(series.wouldBlock),
  ];
  return (
    <>
      <p>
        {counted(requests, 'request')}: {count(blocked)} blocked
        {wouldBlock === 0 ? '' : ` · ${count(wouldBlock)} would block`}.
      </p>
      <Chart
        label={`Blocks over time, ${count(blocked)} in all`}
        from={Date.parse(stats.from)}
        stepSeconds={stepSeconds}
        lines={[
          { label: 'Blocked', colour: '--chart-2', values: series.blocked },
          ...(wouldBlock === 0
            ? []
            : [{ label: 'Would block', colour: '--chart-3', values: series.wouldBlock }]),
        ]}
      />
      <div class="columns">
        <Ranking
          title="Rules"
          bars={stats.rules.map(({ rule, count: times }) => ({
            label: rule,
            href: withQuery('/dashboard/events', { rule, from }),
            count: times,
          }))}
        />
        <Ranking
          title="Fields"
          bars={stats.members.map(({ pointer, count: times }) => ({
            label: pointer || 'the request',
            href: withQuery('/dashboard/events', { pointer, from }),
            count: times,
          }))}
        />
      </div>
    </>
  );
}

function Ranking({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  return (
    <div class="ranking">
      <h3>{title}</h3>
      {bars.length === 0 ? (
        <Empty title="Nothing was blocked." />
      ) : (
        <Bars bars={bars.slice(0, shownMax)} />
      )}
    </div>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
