import { useMemo } from 'preact/hooks';
import { asNumberIn, asTitle } from '../../../contract/as-number.ts';
import { type Category, categories } from '../../../contract/category.ts';
import type { EventSummary } from '../../../contract/event.ts';
import { api, withQuery } from '../api/client.ts';
import type { Key, PolicySummary } from '../api/types.ts';
import { titleOf } from '../ui/badge.tsx';
import type { Option } from '../ui/field.tsx';
import { countryName } from '../ui/format.ts';
import { iso, rangeOf, spanOf } from '../ui/range.ts';

/** What the list of events can be filtered by, besides time, with a name to read. */
export const filterLabels = {
  q: 'Search',
  decision: 'Decision',
  triage: 'Triage',
  category: 'Category',
  severity: 'Severity',
  keyId: 'Key',
  policyId: 'Policy',
  rule: 'Rule',
  client: 'Client',
  country: 'Country',
  asn: 'Network',
  method: 'Method',
  host: 'Host',
  path: 'Path',
  pointer: 'Field',
} as const;

export type FilterName = keyof typeof filterLabels;

export const filterNames = Object.keys(filterLabels) as readonly FilterName[];

export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters of an address. */
export function filtersOf(query: Readonly<Record<string, string | undefined>>): Filters {
  return Object.fromEntries(filterNames.map((name) => [name, query[name] ?? '']));
}

const any = { value: '', label: 'Any' } as const;

/** The values to choose from, of filters that have few. */
export const choices: Readonly<Partial<Record<FilterName, readonly Option<string>[]>>> = {
  decision: [
    any,
    { value: 'block', label: 'Blocked' },
    { value: 'would-block', label: 'Would block' },
  ],
  triage: [
    any,
    { value: 'open', label: 'Open' },
    { value: 'true-positive', label: 'True positive' },
    { value: 'false-positive', label: 'False positive' },
  ],
  category: [any, ...categories.map((name) => ({ value: name, label: titleOf(name) }))],
  severity: [
    any,
    ...['low', 'medium', 'high', 'critical'].map((name) => ({ value: name, label: name })),
  ],
};

/** What ids in filters stand for. */
export interface Names {
  readonly keys: readonly Key[];
  readonly policies: readonly PolicySummary[];
}

/** The value of a filter as people read it. */
export function valueName(name: string, value: string, { keys, policies }: Names): string {
  if (name === 'category') return titleOf(value as Category);
  if (name === 'country') return countryName(value);
  if (name === 'asn') return asTitle(asNumberIn(value) ?? value);
  if (name === 'keyId') return keys.find(({ id }) => id === value)?.name ?? value;
  if (name === 'policyId') return policies.find(({ id }) => id === value)?.name ?? value;
  return choices[name as FilterName]?.find((one) => one.value === value)?.label ?? value;
}

export type Query = Readonly<Record<string, string>>;

/** What the API is asked for: the filters, and the time from when to when. */
export function useAsked(query: Query, round = 0): Readonly<Record<string, string | undefined>> {
  const { range, from = '', to = '' } = query;
  const time = useMemo(() => {
    // As it stands in the address: the answer says what is wrong with it.
    if (from !== '' || to !== '') return { from, to };
    const span = spanOf(range);
    if (span === undefined) return {};
    return { from: iso(rangeOf({ range }, span.name, Date.now()).from) };
  }, [range, from, to, round]);
  return { ...filtersOf(query), ...time };
}

/** As many as one answer holds. */
const idsAtOnce = 500;

/** The ids of the newest events that fit, at most so many. */
export async function idsThatFit(
  asked: Readonly<Record<string, string | undefined>>,
  countMax: number,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const address = withQuery('/events', { ...asked, limit: idsAtOnce, cursor });
    const page = await api<{ readonly events: readonly EventSummary[]; readonly next?: string }>(
      'GET',
      address,
    );
    for (const { id } of page.events) if (ids.size < countMax) ids.add(id);
    cursor = page.next;
  } while (cursor !== undefined && ids.size < countMax);
  return ids;
}

/** The facts whose values are written in one way only. */
const plainFacts = ['decision', 'category', 'severity', 'keyId', 'policyId', 'rule', 'client'];

/** Whether a new event may be one of a list: it may not where a plain fact differs. */
export function mayFit(
  event: EventSummary,
  asked: Readonly<Record<string, string | undefined>>,
): boolean {
  const { to = '' } = asked;
  if (to !== '' && event.at > to) return false;
  return plainFacts.every((name) => {
    const wanted = asked[name] ?? '';
    return wanted === '' || Reflect.get(event, name) === wanted;
  });
}
