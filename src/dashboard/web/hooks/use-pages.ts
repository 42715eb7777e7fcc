import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, api, withQuery } from '../api/client.ts';
import { useAction, useResource } from './use-resource.ts';

export interface PagedList<Item> {
  /** Undefined until the first page is there. */
  readonly items: readonly Item[] | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

type Answer<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly next?: string;
};

/** A list that comes page by page, newest first; what follows is added below. */
export function usePages<Name extends string, Item>(
  path: string,
  name: Name,
  query: Readonly<Record<string, string | number | undefined>> = {},
): PagedList<Item> {
  const address = withQuery(path, query);
  const first = useResource<Answer<Name, Item>>(address);
  const [more, setMore] = useState<readonly Item[]>([]);
  const [next, setNext] = useState<string | undefined>(undefined);
  const shown = useRef(first.data);
  useEffect(() => {
    shown.current = first.data;
    setMore([]);
    setNext(first.data?.next);
  }, [first.data]);
  const loading = useAction(async () => {
    const of = first.data;
    const page = await api<Answer<Name, Item>>('GET', withQuery(path, { ...query, cursor: next }));
    // A page of a list that is no longer shown comes too late.
    if (shown.current !== of) return;
    setMore((before) => [...before, ...page[name]]);
    setNext(page.next);
  });
  const loadMore = useCallback(() => void loading.run(), [loading.run]);
  return {
    items: first.data === undefined ? undefined : [...first.data[name], ...more],
    error: first.error ?? loading.error,
    loading: first.loading,
    hasMore: next !== undefined,
    loadingMore: loading.busy,
    loadMore,
    reload: first.reload,
  };
}
