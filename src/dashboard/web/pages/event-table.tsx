import { useState } from 'preact/hooks';
import { asTitle } from '../../../contract/as-number.ts';
import type { EventSummary } from '../../../contract/event.ts';
import { DecisionBadge, TriageBadge, titleOf } from '../ui/badge.tsx';
import { counted, countryName } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

/** Which events are chosen for an act. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: ReadonlySet<string>) => void;
}

interface TableProps {
  readonly events: readonly EventSummary[];
  readonly isGrouped: boolean;
  readonly selection: Selection;
  /** The query of the list, which goes along to the page of an event. */
  readonly carried: string;
}

const columns = [
  'Select',
  'When',
  'What',
  'Where',
  'Client',
  'Evidence',
  'Decision',
  'Score',
  'Key',
];

export function EventTable({ events, isGrouped, selection, carried }: TableProps) {
  const groups = isGrouped ? groupsOf(events) : events.map((event) => [event]);
  const isAll = events.every(({ id }) => selection.ids.has(id));
  return (
    <>
      <label class="checkbox select-all">
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => selection.set(new Set(isAll ? [] : events.map(({ id }) => id)))}
        />
        <span>Select the {counted(events.length, 'event')} below</span>
      </label>
      <Table caption="Events, newest first" columns={columns} class="events">
        {groups.map((group) => (
          <Group key={group[0]?.id} group={group} selection={selection} carried={carried} />
        ))}
      </Table>
    </>
  );
}

/** Repeats together: the same rule in the same field, from the same client. */
function groupsOf(events: readonly EventSummary[]): readonly (readonly EventSummary[])[] {
  const groups = new Map<string, EventSummary[]>();
  for (const event of events) {
    const { rule, pointer, client = '', decision } = event;
    const name = JSON.stringify([rule, pointer, client, decision]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [event]);
    else group.push(event);
  }
  return [...groups.values()];
}

interface GroupProps extends Pick<TableProps, 'selection' | 'carried'> {
  /** The newest first. */
  readonly group: readonly EventSummary[];
}

function Group({ group, selection, carried }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  const [first, ...repeats] = group;
  if (first === undefined) return null;
  return (
    <>
      <Row
        event={first}
        chosen={isOpen ? [first] : group}
        selection={selection}
        carried={carried}
        {...(repeats.length === 0
          ? {}
          : { repeats: repeats.length, isOpen, onToggle: () => setOpen(!isOpen) })}
      />
      {isOpen
        ? repeats.map((event) => (
            <Row
              key={event.id}
              event={event}
              chosen={[event]}
              selection={selection}
              carried={carried}
            />
          ))
        : null}
    </>
  );
}

interface RowProps extends Pick<TableProps, 'selection' | 'carried'> {
  readonly event: EventSummary;
  /** What its box chooses. */
  readonly chosen: readonly EventSummary[];
  /** Further events that it stands for. */
  readonly repeats?: number;
  readonly isOpen?: boolean;
  readonly onToggle?: () => void;
}

function Row({ event, chosen, repeats = 0, isOpen = false, ...props }: RowProps) {
  const { selection, carried, onToggle } = props;
  const isChosen = chosen.every(({ id }) => selection.ids.has(id));
  const choose = () => {
    const ids = new Set(selection.ids);
    for (const { id } of chosen) {
      if (isChosen) ids.delete(id);
      else ids.add(id);
    }
    selection.set(ids);
  };
  const what = titleOf(event.category);
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <td>
        <input
          type="checkbox"
          aria-label={`Select ${what}, ${event.at}`}
          checked={isChosen}
          onChange={choose}
        />
      </td>
      <td>
        <Time at={event.at} />
      </td>
      <th scope="row">
        <a href={`/dashboard/events/${event.id}${carried}`}>{what}</a>
        <small>{event.rule}</small>
        {repeats === 0 ? null : (
          <button type="button" class="repeats" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? 'Hide' : 'Show'} {counted(repeats, 'repeat')}
          </button>
        )}
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
      <ClientCell event={event} />
      <td class="clip">
        {event.evidence === '' ? (
          <span class="faint">none</span>
        ) : (
          <code>
            <Inert text={event.evidence} />
          </code>
        )}
      </td>
      <td>
        <DecisionBadge decision={event.decision} />
        <TriageBadge triage={event.triage} />
      </td>
      <td class="number">{event.score}</td>
      <td>{event.keyName}</td>
    </tr>
  );
}

/** The client, its country and its network. */
function ClientCell({ event }: { readonly event: EventSummary }) {
  return (
    <td class="address">
      {event.client === undefined ? (
        <span class="faint">not known</span>
      ) : (
        <Inert text={event.client} />
      )}
      {event.country === undefined ? null : <small>{countryName(event.country)}</small>}
      {event.asn === undefined ? null : (
        <small class="network" title={asTitle(event.asn, event.asName)}>
          <Inert text={asTitle(event.asn, event.asName)} />
        </small>
      )}
    </td>
  );
}
