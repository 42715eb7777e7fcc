import type { ComponentChildren } from 'preact';
import type { LiveSecond, Overview, Stats } from '../api/types.ts';
import { ChangeLine } from '../ui/change.tsx';
import { count, ms, rate, share } from '../ui/format.ts';

/** The figures of a range of time, and of this moment. */
export function Tiles(props: {
  readonly overview: Overview;
  readonly live: LiveSecond | undefined;
  readonly stats: Stats;
  readonly past: Stats | undefined;
}) {
  const { overview, live, stats, past } = props;
  const { requestsPerSecond } = live ?? overview.rates;
  const latency = live?.latency ?? overview.latency;
  const requests = sum(stats.series.requests);
  const blocked = sum(stats.series.blocked);
  const wouldBlock = sum(stats.series.wouldBlock);
  const { rejected, refused } = overview.decisions;
  return (
    <dl class="tiles">
      <Tile name="Requests" value={count(requests)}>
        <small>{rate(requestsPerSecond)} per second now</small>
        {past === undefined ? null : (
          <ChangeLine now={requests} before={sum(past.series.requests)} />
        )}
      </Tile>
      <Tile name="Blocked" value={count(blocked)} tone={blocked > 0 ? 'block' : undefined}>
        <small>
          {requests === 0 ? 'no requests' : `${share(blocked / requests)} of the requests`}
          {wouldBlock > 0 ? ` · ${count(wouldBlock)} would block` : ''}
        </small>
        {past === undefined ? null : <ChangeLine now={blocked} before={sum(past.series.blocked)} />}
      </Tile>
      <Tile
        name="Latency, median, last minute"
        value={latency.p99Ms === 0 ? '–' : ms(latency.p50Ms)}
      >
        <small>
          {latency.p99Ms === 0
            ? 'no requests in that minute'
            : `95%: ${ms(latency.p95Ms)} · 99%: ${ms(latency.p99Ms)}`}
        </small>
      </Tile>
      <Tile
        name="Health"
        value={overview.ready ? 'Ready' : 'Not ready'}
        tone={overview.ready ? 'good' : 'block'}
      >
        <small>
          {count(rejected)} malformed and {count(refused)} refused in the last hour
        </small>
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
        {props.children}
      </dd>
    </div>
  );
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
