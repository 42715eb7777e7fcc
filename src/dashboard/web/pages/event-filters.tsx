import { useEffect, useState } from 'preact/hooks';
import { categories } from '../../../contract/category.ts';
import type { Key } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { localInput } from '../ui/time.tsx';

export const filterNames = [
  'q',
  'decision',
  'category',
  'keyId',
  'rule',
  'pointer',
  'from',
  'to',
] as const;

export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const decisions = [
  { value: '', label: 'Any' },
  { value: 'block', label: 'Blocked' },
  { value: 'would-block', label: 'Would block' },
] as const;

const categoryOptions = [
  { value: '', label: 'Any' },
  ...categories.map((category) => ({ value: category as string, label: titleOf(category) })),
];

interface FiltersProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Choices hold at once, texts when the form is sent. */
export function EventFilters({ filters, onChange }: FiltersProps) {
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const [draft, setDraft] = useState(filters);
  const address = filterNames.map((name) => filters[name]).join('\n');
  // The address holds all of the filters.
  useEffect(() => setDraft(filters), [address]);
  const type = (name: keyof Filters) => (value: string) => setDraft({ ...draft, [name]: value });
  const choose = (name: keyof Filters) => (value: string) => onChange({ ...draft, [name]: value });
  const isFiltered = filterNames.some((name) => (filters[name] ?? '') !== '');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to older readers
    <form
      role="search"
      aria-label="Events"
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft);
      }}
    >
      <div class="filter-row">
        <TextField
          label="Search"
          type="search"
          value={draft.q ?? ''}
          onInput={type('q')}
          placeholder="evidence, path or id"
        />
        <Select
          label="Decision"
          value={draft.decision ?? ''}
          options={decisions}
          onChange={choose('decision')}
        />
        <Select
          label="Category"
          value={draft.category ?? ''}
          options={categoryOptions}
          onChange={choose('category')}
        />
        <Select
          label="Key"
          value={draft.keyId ?? ''}
          options={[
            { value: '', label: 'Any' },
            ...(keys.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={choose('keyId')}
        />
        <div class="filter-buttons">
          <Button type="submit" icon="search">
            Search
          </Button>
          {isFiltered ? (
            <Button kind="quiet" onClick={() => onChange({})}>
              Clear
            </Button>
          ) : null}
        </div>
      </div>
      <MoreFilters filters={draft} onType={type} />
    </form>
  );
}

function MoreFilters(props: {
  readonly filters: Filters;
  readonly onType: (name: keyof Filters) => (value: string) => void;
}) {
  const { filters, onType } = props;
  const isUsed = ['rule', 'pointer', 'from', 'to'].some((name) => filters[name as 'rule']);
  const moment = (name: 'from' | 'to') => (value: string) =>
    onType(name)(value === '' ? '' : new Date(value).toISOString());
  return (
    <details open={isUsed}>
      <summary>More filters</summary>
      <div class="filter-row">
        <TextField
          label="Rule"
          value={filters.rule ?? ''}
          onInput={onType('rule')}
          placeholder="sqli.tautology"
        />
        <TextField
          label="Field"
          value={filters.pointer ?? ''}
          onInput={onType('pointer')}
          placeholder="/comment"
        />
        <TextField
          label="From"
          type="datetime-local"
          value={localInput(filters.from ?? '')}
          onInput={moment('from')}
        />
        <TextField
          label="To"
          type="datetime-local"
          value={localInput(filters.to ?? '')}
          onInput={moment('to')}
        />
      </div>
    </details>
  );
}
