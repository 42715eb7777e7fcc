import { useState } from 'preact/hooks';
import type { SavedFilter } from '../../../contract/event.ts';
import { api, withQuery } from '../api/client.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Filters with a name, which all administrators see. */
export function SavedFilters(props: {
  /** What would be saved. */
  readonly query: Readonly<Record<string, string>>;
}) {
  const saved = useResource<{ readonly filters: readonly SavedFilter[] }>('/filters');
  const [name, setName] = useState('');
  const save = useAction(async () => {
    await api('POST', '/filters', { body: { name, query: props.query } });
    setName('');
    await saved.reload();
  });
  const remove = useAction(async (id: string) => {
    await api('DELETE', `/filters/${id}`);
    await saved.reload();
  });
  const filters = saved.data?.filters ?? [];
  const canSave = Object.keys(props.query).length > 0;
  return (
    <details class="saved-filters">
      <summary>Saved filters{filters.length === 0 ? '' : ` (${filters.length})`}</summary>
      <ErrorNotice error={saved.error ?? save.error ?? remove.error} />
      {filters.length === 0 ? null : (
        <ul class="plain-list">
          {filters.map((filter) => (
            <li key={filter.id}>
              <a href={withQuery('/dashboard/events', filter.query)}>{filter.name}</a>{' '}
              <span class="faint">by {filter.createdBy}</span>{' '}
              <Button
                needs="editor"
                kind="quiet"
                icon="close"
                label={`Delete the filter ${filter.name}`}
                onClick={() => void remove.run(filter.id)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {canSave ? (
        <form
          class="range-custom"
          onSubmit={(event) => {
            event.preventDefault();
            void save.run();
          }}
        >
          <TextField
            label="Name of these filters"
            value={name}
            onInput={setName}
            required
            maxLength={100}
          />
          <Button needs="editor" type="submit" busy={save.busy}>
            Save these filters
          </Button>
        </form>
      ) : (
        <p class="faint">Choose filters or a time range to save them under a name.</p>
      )}
    </details>
  );
}
