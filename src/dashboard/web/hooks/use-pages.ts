import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, api, withQuery } from '../api/client.ts';
import { useAction, useResource } from './use-resource.ts';

export interface PagedList<Item> {
  /** Undefined until the first page is there. */
  readonly items: readonly Item[] | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  readonly hasMore: boolean;
  /** How far back a search got that goes on by itself; undefined while none does. */
  readonly searchedTo: string | undefined;
  readonly loadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => Promise<void>;
}

type Answer<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly next?: string;
  /** Where the search ended before the page was full. */
  readonly searchedTo?: string;
};

interface Rest {
  readonly next?: string;
  readonly searchedTo?: string;
}

/** A list that comes page by page, newest first; what follows is added below. */
export function usePages<Name extends string, Item>(
  path: string,
  name: Name,
  query: Readonly<Record<string, string | number | undefined>> = {},
): PagedList<Item> {
  const address = withQuery(path, query);
  const first = useResource<Answer<Name, Item>>(address);
  const [more, setMore] = useState<readonly Item[]>([]);
  const [rest, setRest] = useState<Rest>({});
  const limit = Number(query['limit'] ?? 0);
  const [wanted, setWanted] = useState(limit);
  const shown = useRef(first.data);
  useEffect(() => {
    shown.current = first.data;
    setMore([]);
    setWanted(limit);
    setRest(first.data ?? {});
  }, [first.data]);
  const loading = useAction(async () => {
    const of = first.data;
    const page = await api<Answer<Name, Item>>(
      'GET',
      withQuery(path, { ...query, cursor: rest.next }),
    );
    // A page of a list that is no longer shown comes too late.
    if (shown.current !== of) return;
    setMore((before) => [...before, ...page[name]]);
    setRest(page);
  });
  const goOn = useCallback(() => void loading.run(), [loading.run]);
  const items = first.data === undefined ? undefined : [...first.data[name], ...more];
  const count = items?.length ?? 0;
  const { next, searchedTo } = rest;
  // Until there is the page that is waited for, the search goes on by itself.
  const goesOn = searchedTo !== undefined && count < wanted;
  useEffect(() => {
    if (goesOn && !loading.busy && loading.error === undefined) goOn();
  }, [goesOn, next, loading.busy]);
  const loadMore = () => {
    setWanted(count + limit);
    goOn();
  };
  return {
    items,
    error: first.error ?? loading.error,
    loading: first.loading,
    hasMore: next !== undefined,
    searchedTo: goesOn ? searchedTo : undefined,
    loadingMore: loading.busy,
    loadMore,
    reload: first.reload,
  };
}
