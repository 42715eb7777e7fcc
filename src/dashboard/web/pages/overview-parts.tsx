import type { ComponentChildren } from 'preact';
import type { EventSummary } from '../../../contract/event.ts';
import type { Overview, QueueState } from '../api/types.ts';
import { DecisionBadge, titleOf } from '../ui/badge.tsx';
import { Chart } from '../ui/chart.tsx';
import { bytes, count, counted, ms } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

export function LatestBlocks(props: { readonly events: readonly EventSummary[] }) {
  if (props.events.length === 0) return <Empty title="No blocks yet. They appear here at once." />;
  return (
    <ul class="latest">
      {props.events.map((event) => (
        <li key={event.id}>
          <a href={`/dashboard/events/${event.id}`}>
            <strong>{titleOf(event.category)}</strong> in{' '}
            <Inert text={event.pointer || 'the request'} />
          </a>
          <span class="faint">
            <DecisionBadge decision={event.decision} /> <Time at={event.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const partNames = {
  keys: ['Keys loaded', 'Keys cannot be loaded: check the database and the log'],
  workers: ['Workers ready', 'Workers are starting, or have ended'],
  database: ['Database reachable', 'Database unavailable: screening continues, events may be lost'],
  policy: ['Policies valid', 'A policy is not valid: the last good version stays in force'],
} as const;

/** Which parts work, in words. */
export function Health(props: { readonly overview: Overview; readonly queue: QueueState }) {
  const { overview, queue } = props;
  const { series } = overview;
  const slowest = Math.max(0, ...series.p99Ms);
  const parts = Object.entries(partNames) as [keyof typeof partNames, readonly [string, string]][];
  return (
    <Card title="Health">
      <ul class="health">
        {parts.map(([part, [good, bad]]) => (
          <li key={part} class={overview.readiness[part] ? 'good' : 'bad'}>
            {overview.readiness[part] ? good : bad}
          </li>
        ))}
      </ul>
      <dl class="facts across">
        <Fact name="Version">{overview.version}</Fact>
        <Fact name="Started">
          <Time at={overview.startedAt} relatively />
        </Fact>
        <Fact name="Workers">
          {count(overview.workers)}, {count(overview.threadsReplaced)} replaced
        </Fact>
        <Fact name="Waiting">
          {counted(queue.requests, 'request')}, {bytes(queue.bytes)}
        </Fact>
        <Fact name="Events not stored">{count(overview.eventsDropped)}</Fact>
      </dl>
      <h3>Latency of this process, 99th percentile, last hour</h3>
      <Chart
        label={`99th percentile of the latency in the last hour, at most ${ms(slowest)}`}
        from={Date.parse(series.from)}
        stepSeconds={series.stepSeconds}
        series={[{ label: 'Latency', colour: '--chart-1', values: series.p99Ms }]}
        format={ms}
      />
    </Card>
  );
}

function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
