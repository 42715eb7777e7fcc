import { asTitle } from '../../../contract/as-number.ts';
import { withQuery } from '../api/client.ts';
import type { EventCountsAnswer } from '../api/types.ts';
import { Bars } from '../ui/bars.tsx';
import { Chart } from '../ui/chart.tsx';
import { count, counted } from '../ui/format.ts';
import { iso } from '../ui/range.ts';
import { filterLabels, type Names, valueName } from './event-query.ts';

const facts = [
  'client',
  'country',
  'asn',
  'path',
  'host',
  'rule',
  'pointer',
  'keyId',
  'category',
  'method',
] as const;
const shownMax = 5;

/** How many events fit the filters, when they were, and what they have most in common. */
export function EventCounts(props: {
  readonly counts: EventCountsAnswer;
  readonly names: Names;
  /** The address of the list with other members of its query. */
  readonly addressWith: (members: Readonly<Record<string, string>>) => string;
  readonly onZoom: (from: number, to: number) => void;
}) {
  const { counts, names, addressWith, onZoom } = props;
  const { blocked, wouldBlock, series, estimated } = counts;
  const about = estimated.counts ? 'About ' : '';
  const words = `${about}${counted(blocked + wouldBlock, 'event')}`;
  return (
    <section class="card" aria-label="Number of events">
      <p class="result-count" role="status">
        <strong>{words}</strong>: {count(blocked)} blocked
        {wouldBlock === 0 ? '' : ` · ${count(wouldBlock)} would block`}
      </p>
      <Chart
        label={`Events over time: ${words}`}
        from={Date.parse(counts.from)}
        stepSeconds={counts.stepSeconds}
        series={[
          { label: 'Blocked', colour: '--chart-2', values: series.blocked },
          ...(wouldBlock === 0
            ? []
            : [{ label: 'Would block', colour: '--chart-3', values: series.wouldBlock }]),
        ]}
        hrefOf={(from, to) => addressWith({ range: '', from: iso(from), to: iso(to) })}
        onZoom={onZoom}
      />
      <details>
        <summary>Most frequent values</summary>
        <div class="columns">
          {facts
            .filter((fact) => counts.top[fact].length > 0)
            .map((fact) => (
              <div key={fact} class="ranking">
                <h3>{filterLabels[fact]}</h3>
                <Bars
                  total={blocked + wouldBlock}
                  bars={counts.top[fact]
                    .slice(0, shownMax)
                    .map(({ value, label, count: times }) => ({
                      label:
                        label === undefined ? valueName(fact, value, names) : asTitle(value, label),
                      href: addressWith({ [fact]: value }),
                      count: times,
                    }))}
                />
              </div>
            ))}
        </div>
      </details>
    </section>
  );
}

export function listAddress(query: Readonly<Record<string, string | undefined>>): string {
  return withQuery('/dashboard/events', query);
}
