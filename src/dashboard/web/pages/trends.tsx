import { withQuery } from '../api/client.ts';
import type { Stats } from '../api/types.ts';
import { Chart } from '../ui/chart.tsx';
import { count } from '../ui/format.ts';
import { Card } from '../ui/page.tsx';
import { iso } from '../ui/range.ts';
import { sum } from './overview-tiles.tsx';

/** Requests and blocks over a range of time. A bar leads to its events, a drag into its time. */
export function Trends(props: {
  readonly stats: Stats;
  /** The range, after "in". */
  readonly words: string;
  readonly onZoom: (from: number, to: number) => void;
}) {
  const { stats, words, onZoom } = props;
  const { series, stepSeconds } = stats;
  const { requests, blocked, wouldBlock } = series;
  const from = Date.parse(stats.from);
  const allowed = requests.map((all, step) =>
    Math.max(0, all - (blocked[step] ?? 0) - (wouldBlock[step] ?? 0)),
  );
  const blocks = [
    { label: 'Blocked', colour: '--chart-2', values: blocked },
    ...(sum(wouldBlock) === 0
      ? []
      : [{ label: 'Would block', colour: '--chart-3', values: wouldBlock }]),
  ];
  const shared = {
    from,
    stepSeconds,
    onZoom,
    hrefOf: (start: number, end: number) =>
      withQuery('/dashboard/events', { from: iso(start), to: iso(end) }),
  };
  return (
    <div class="columns">
      <Card title="Requests">
        <Chart
          {...shared}
          label={`Requests in ${words}: ${count(sum(requests))}`}
          series={[{ label: 'Allowed', colour: '--chart-1', values: allowed }, ...blocks]}
        />
      </Card>
      <Card title="Blocks">
        <Chart
          {...shared}
          label={`Blocks in ${words}: ${count(sum(blocked))}, would block: ${count(sum(wouldBlock))}`}
          series={blocks}
        />
      </Card>
    </div>
  );
}
