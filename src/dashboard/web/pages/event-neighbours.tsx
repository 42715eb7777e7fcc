import { withQuery } from '../api/client.ts';
import { useResource } from '../hooks/use-resource.ts';
import { type Query, useAsked } from './event-query.ts';

/** Leads to the events beside this one in the list that it was opened from. */
export function Neighbours({ id, query }: { readonly id: string; readonly query: Query }) {
  const asked = useAsked(query);
  const beside = useResource<{ readonly newer?: string; readonly older?: string }>(
    withQuery(`/events/${id}/neighbours`, asked),
  );
  const link = (other: string | undefined, rel: 'prev' | 'next', label: string) =>
    other === undefined ? null : (
      <a class="button secondary" rel={rel} href={withQuery(`/dashboard/events/${other}`, query)}>
        {label}
      </a>
    );
  return (
    <>
      {link(beside.data?.newer, 'prev', '← Newer')}
      {link(beside.data?.older, 'next', 'Older →')}
    </>
  );
}
