import type { ComponentChildren } from 'preact';
import type { PagedList } from '../hooks/use-pages.ts';
import { Button } from './button.tsx';
import { Empty, ErrorNotice, Skeleton } from './notice.tsx';
import { Time } from './time.tsx';

/** A list in pages with its loading, failed and empty states. */
export function Paged<Item>(props: {
  readonly list: PagedList<Item>;
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}) {
  const { list, empty, children } = props;
  const { items } = list;
  return (
    <>
      <ErrorNotice error={list.error} onRetry={list.reload} />
      {items === undefined ? (
        list.error === undefined ? (
          <Skeleton lines={8} />
        ) : null
      ) : items.length === 0 ? (
        // Each call searches a bounded part of what is stored.
        (list.hasMore && <Empty title="Nothing found so far." />) || empty
      ) : (
        <div class={list.loading ? 'refreshing' : ''}>{children(items)}</div>
      )}
      {list.hasMore ? (
        <p class="more">
          {list.searchedTo === undefined ? null : (
            <span class="faint" role="status">
              Searched back to <Time at={list.searchedTo} />.{' '}
            </span>
          )}
          <Button busy={list.loadingMore} onClick={list.loadMore}>
            {items?.length === 0 ? 'Search further back' : 'Load more'}
          </Button>
        </p>
      ) : null}
    </>
  );
}
