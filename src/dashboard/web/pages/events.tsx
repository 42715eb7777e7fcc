import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { EventSummary } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import type { EventCountsAnswer, Key, PolicySummary } from '../api/types.ts';
import { useLive } from '../hooks/use-live.ts';
import { usePages } from '../hooks/use-pages.ts';
import { useResource } from '../hooks/use-resource.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { Empty, ErrorNotice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Paged } from '../ui/paged.tsx';
import { iso } from '../ui/range.ts';
import { RangePicker } from '../ui/range-picker.tsx';
import { EventCounts, listAddress } from './event-counts.tsx';
import { EventFilters } from './event-filters.tsx';
import {
  type Filters,
  filterNames,
  filtersOf,
  idsThatFit,
  mayFit,
  type Names,
  type Query,
  useAsked,
} from './event-query.ts';
import { EventTable } from './event-table.tsx';
import { BulkTriage } from './event-triage.tsx';
import { SavedFilters } from './saved-filters.tsx';

const pageSize = 50;
/** How many events are marked together. */
const selectedMax = 5_000;
const topMax = 5;
const none: ReadonlySet<string> = new Set();

export function EventsPage() {
  const { query, route } = useLocation();
  const filters = filtersOf(query);
  const [round, setRound] = useState(0);
  const asked = useAsked(query, round);
  const list = usePages<'events', EventSummary>('/events', 'events', { ...asked, limit: pageSize });
  const counts = useResource<EventCountsAnswer>(
    withQuery('/events/counts', { ...asked, top: topMax }),
  );
  const names = useNames();
  const [chosen, setChosen] = useState(none);
  const go = (members: Readonly<Record<string, string | undefined>>) => {
    setChosen(none);
    route(listAddress({ ...query, ...members }));
  };
  const setFilters = (wanted: Filters) =>
    go({ ...Object.fromEntries(filterNames.map((name) => [name, ''])), ...wanted });
  const clear = () => {
    setChosen(none);
    route('/dashboard/events');
  };
  const reload = () => {
    setChosen(none);
    setRound(round + 1);
    list.reload();
    counts.reload();
  };
  const isGrouped = query['group'] !== 'no';
  const carried = listAddress(query).replace('/dashboard/events', '');
  return (
    <Page
      title="Events"
      intro="Every request that was blocked, or would have been, with the reason."
      actions={<Exports query={asked} />}
    >
      <RangeRow query={query} isGrouped={isGrouped} go={go} />
      <EventFilters filters={filters} names={names} onChange={setFilters} />
      <SavedFilters query={savable(query)} />
      <ErrorNotice error={list.error === undefined ? counts.error : undefined} />
      {counts.data === undefined ? null : (
        <EventCounts
          counts={counts.data}
          names={names}
          addressWith={(members) => listAddress({ ...query, ...members })}
          onZoom={(from, to) => go({ range: '', from: iso(from), to: iso(to) })}
        />
      )}
      <NewBlocks asked={asked} onShow={reload} />
      <BulkTriage
        ids={chosen}
        onDone={reload}
        onSelectAll={
          list.hasMore && chosen.size <= (list.items?.length ?? 0)
            ? async () => setChosen(await idsThatFit(asked, selectedMax))
            : undefined
        }
      />
      <Paged list={list} empty={<Nothing query={query} onClear={clear} />}>
        {(events) => (
          <EventTable
            events={events}
            isGrouped={isGrouped}
            selection={{ ids: chosen, set: setChosen }}
            carried={carried}
          />
        )}
      </Paged>
    </Page>
  );
}

/** Which time, and whether repeats are one row. */
function RangeRow(props: {
  readonly query: Query;
  readonly isGrouped: boolean;
  readonly go: (members: Readonly<Record<string, string | undefined>>) => void;
}) {
  const { query, isGrouped, go } = props;
  return (
    <div class="range-row">
      <RangePicker query={query} fallback="all" onChange={(wish) => go({ ...wish })} />
      <Checkbox
        label="Group repeats"
        checked={isGrouped}
        onChange={(wanted) => go({ group: wanted ? '' : 'no' })}
      />
    </div>
  );
}

function useNames(): Names {
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  return { keys: keys.data?.keys ?? [], policies: policies.data?.policies ?? [] };
}

/** What of the address a saved filter holds. */
function savable(query: Query): Query {
  const names = [...filterNames, 'range', 'from', 'to', 'group'];
  return Object.fromEntries(
    Object.entries(query).filter(([name, value]) => names.includes(name) && value !== ''),
  );
}

function Exports({ query }: { readonly query: Readonly<Record<string, string | undefined>> }) {
  return (
    <>
      <ButtonLink
        href={withQuery('/api/events/export.csv', query)}
        icon="down"
        download="sallyport-events.csv"
      >
        Export CSV
      </ButtonLink>
      <ButtonLink
        href={withQuery('/api/events/export', query)}
        icon="down"
        download="sallyport-events.ndjson"
      >
        Export NDJSON
      </ButtonLink>
    </>
  );
}

function Nothing({ query, onClear }: { readonly query: Query; readonly onClear: () => void }) {
  if (Object.keys(savable(query)).length > 0) {
    return (
      <Empty title="No event fits these filters.">
        <Button onClick={onClear}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing was blocked yet.">
      <p>
        <a href="/dashboard">The overview</a> has the first steps, and{' '}
        <a href="/dashboard/playground">the playground</a> screens a request of your own.
      </p>
    </Empty>
  );
}

/** Says that the list is no longer up to date, instead of moving it under the reader. */
function NewBlocks(props: {
  readonly asked: Readonly<Record<string, string | undefined>>;
  readonly onShow: () => void;
}) {
  const { asked, onShow } = props;
  const [fresh, setFresh] = useState(0);
  useLive({
    onBlock: (event) => {
      if (mayFit(event, asked)) setFresh((before) => before + 1);
    },
  });
  return (
    <div class="new-blocks" role="status">
      {fresh === 0 ? null : (
        <Button
          kind="quiet"
          onClick={() => {
            setFresh(0);
            onShow();
          }}
        >
          {counted(fresh, 'new event')}: show
        </Button>
      )}
    </div>
  );
}
