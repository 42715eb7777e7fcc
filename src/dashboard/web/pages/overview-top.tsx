import { asTitle } from '../../../contract/as-number.ts';
import type { Category } from '../../../contract/category.ts';
import type { EventFact, FactCount } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import type { Key, Stats } from '../api/types.ts';
import { titleOf } from '../ui/badge.tsx';
import { Bars } from '../ui/bars.tsx';
import { countryName } from '../ui/format.ts';
import { Empty } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import type { RangeQuery } from '../ui/range.ts';

/** What there is a card for, and what it says when the application sends nothing of it. */
const cards = [
  ['category', 'Categories', ''],
  ['client', 'Clients', 'Send x-forwarded-for to see the addresses of clients.'],
  ['country', 'Countries', 'Start with --country-database to see countries.'],
  ['asn', 'Networks', 'Start with --asn-database to see networks.'],
  ['path', 'Paths', 'Send x-forwarded-uri to see paths.'],
  ['host', 'Hosts', 'Send x-forwarded-host to see hosts.'],
  ['keyId', 'Keys', ''],
  ['rule', 'Rules', ''],
  ['pointer', 'Fields', ''],
] as const satisfies readonly (readonly [fact: EventFact, title: string, advice: string])[];

/** The most frequent values among the events of a range of time; each leads to its events. */
export function TopValues(props: {
  readonly stats: Stats;
  readonly past: Stats | undefined;
  readonly keys: readonly Key[];
  readonly carried: RangeQuery;
}) {
  const { stats, past, keys, carried } = props;
  const { events } = stats;
  const nameOf = (fact: EventFact, { value, label }: FactCount): string => {
    if (fact === 'asn') return asTitle(value, label);
    if (fact === 'category') return titleOf(value as Category);
    if (fact === 'country') return countryName(value);
    if (fact === 'keyId') return keys.find(({ id }) => id === value)?.name ?? value;
    return value;
  };
  return (
    <>
      <div class="columns">
        {cards.map(([fact, title, advice]) => {
          const earlier = new Map(past?.events.top[fact].map((one) => [one.value, one.count]));
          const values = events.top[fact];
          return (
            <Card key={fact} title={title}>
              {values.length === 0 ? (
                <Empty title={events.count === 0 ? 'Nothing was blocked.' : 'Not known.'}>
                  {events.count > 0 && advice !== '' ? <p>{advice}</p> : null}
                </Empty>
              ) : (
                <Bars
                  total={events.count}
                  bars={values.map((one) => ({
                    label: nameOf(fact, one),
                    href: withQuery('/dashboard/events', { [fact]: one.value, ...carried }),
                    count: one.count,
                    before: past === undefined ? undefined : (earlier.get(one.value) ?? 0),
                  }))}
                />
              )}
            </Card>
          );
        })}
      </div>
      {events.estimated ? (
        <p class="faint">Of so many events, the counts of values are estimates from a sample.</p>
      ) : null}
    </>
  );
}
