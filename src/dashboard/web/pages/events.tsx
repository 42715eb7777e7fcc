import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { EventSummary } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import { useLive } from '../hooks/use-live.ts';
import { usePages } from '../hooks/use-pages.ts';
import { DecisionBadge, titleOf } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { counted } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Paged } from '../ui/paged.tsx';
import { Time } from '../ui/time.tsx';
import { EventFilters, type Filters, filterNames } from './event-filters.tsx';

const pageSize = 50;

export function EventsPage() {
  const { query, route } = useLocation();
  const filters: Filters = Object.fromEntries(filterNames.map((name) => [name, query[name] ?? '']));
  const list = usePages<'events', EventSummary>('/events', 'events', {
    ...filters,
    limit: pageSize,
  });
  const isFiltered = filterNames.some((name) => filters[name] !== '');
  const setFilters = (wanted: Filters) => route(withQuery('/dashboard/events', wanted));
  return (
    <Page
      title="Events"
      intro="Every request that was blocked, or would have been, with the reason."
      actions={
        <ButtonLink
          href={withQuery('/api/events/export', filters)}
          icon="down"
          download="sallyport-events.ndjson"
        >
          Export
        </ButtonLink>
      }
    >
      <EventFilters filters={filters} onChange={setFilters} />
      <NewBlocks onShow={list.reload} />
      <Paged
        list={list}
        empty={
          isFiltered ? (
            <Empty title="No event fits these filters.">
              <Button onClick={() => setFilters({})}>Clear the filters</Button>
            </Empty>
          ) : (
            <Empty title="Nothing was blocked yet.">
              <p>
                <a href="/dashboard">The overview</a> has the first steps, and{' '}
                <a href="/dashboard/playground">the playground</a> screens a request of your own.
              </p>
            </Empty>
          )
        }
      >
        {(events) => <EventTable events={events} />}
      </Paged>
    </Page>
  );
}

/** Says that the list is no longer up to date, instead of moving it under the reader. */
function NewBlocks({ onShow }: { readonly onShow: () => void }) {
  const [fresh, setFresh] = useState(0);
  useLive({ onBlock: () => setFresh((before) => before + 1) });
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

const columns = ['When', 'What', 'Where', 'Evidence', 'Decision', 'Score', 'Key'];

export function EventTable({ events }: { readonly events: readonly EventSummary[] }) {
  return (
    <Table caption="Events, newest first" columns={columns}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </Table>
  );
}

function EventRow({ event }: { readonly event: EventSummary }) {
  return (
    <tr>
      <td class="nowrap">
        <Time at={event.at} />
      </td>
      <th scope="row">
        <a href={`/dashboard/events/${event.id}`}>{titleOf(event.category)}</a>
        <small>{event.rule}</small>
      </th>
      <td class="clip">
        <code>
          <Inert text={event.pointer || 'the request'} />
        </code>
        {event.path === undefined ? null : (
          <small>
            {event.method} <Inert text={event.path} />
          </small>
        )}
      </td>
      <td class="clip">
        {event.evidence === '' ? (
          <span class="faint">not stored</span>
        ) : (
          <code>
            <Inert text={event.evidence} />
          </code>
        )}
      </td>
      <td>
        <DecisionBadge decision={event.decision} />
      </td>
      <td class="number">{event.score}</td>
      <td>{event.keyName}</td>
    </tr>
  );
}
