import { useEffect, useState } from 'preact/hooks';
import type { EventNeighbours } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import { useResource } from '../hooks/use-resource.ts';
import { type Query, useAsked } from './event-query.ts';

interface NeighboursProps {
  readonly id: string;
  readonly query: Query;
}

/** Leads to the events beside this one in the list that it was opened from. */
export function Neighbours(props: NeighboursProps) {
  return (
    <>
      <Neighbour {...props} side="newer" rel="prev" label="← Newer" />
      <Neighbour {...props} side="older" rel="next" label="Older →" />
    </>
  );
}

/** One side. Each answer searches a bounded part of what is stored, and the next one goes on. */
function Neighbour(
  props: NeighboursProps & {
    readonly side: 'newer' | 'older';
    readonly rel: 'prev' | 'next';
    readonly label: string;
  },
) {
  const { id, query, side, rel, label } = props;
  const asked = useAsked(query);
  const [from, setFrom] = useState(id);
  const { data, error } = useResource<EventNeighbours>(
    withQuery(`/events/${from}/neighbours`, { ...asked, side }),
  );
  const further = data?.[`${side}From`];
  useEffect(() => {
    if (further !== undefined) setFrom(further);
  }, [further]);
  const other = data?.[side];
  // An event on the way may be gone by now.
  if (error !== undefined) return null;
  if (further !== undefined) return <span class="faint">{label} …</span>;
  if (other === undefined) return null;
  return (
    <a class="button secondary" rel={rel} href={withQuery(`/dashboard/events/${other}`, query)}>
      {label}
    </a>
  );
}
