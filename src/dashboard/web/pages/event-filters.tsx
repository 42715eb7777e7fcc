import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Inert } from '../ui/inert.tsx';
import {
  choices,
  type FilterName,
  type Filters,
  filterLabels,
  filterNames,
  type Names,
  valueName,
} from './event-query.ts';

interface FiltersProps {
  readonly filters: Filters;
  readonly names: Names;
  readonly onChange: (filters: Filters) => void;
}

const typed = ['client', 'country', 'asn', 'method', 'host', 'path', 'rule', 'pointer'] as const;
const placeholders: Readonly<Record<(typeof typed)[number], string>> = {
  client: '203.0.113.9',
  country: 'DE',
  asn: 'AS13335',
  method: 'POST',
  host: 'shop.example',
  path: '/search',
  rule: 'sqli.tautology',
  pointer: '/comment',
};
/** Those are seldom chosen, beside what is typed. */
const further = ['severity', 'policyId'] as const;

/** Choices hold at once, texts when the form is sent. What holds stands below, to be removed. */
export function EventFilters({ filters, names, onChange }: FiltersProps) {
  const [draft, setDraft] = useState(filters);
  const address = filterNames.map((name) => filters[name]).join('\n');
  // The address holds all of the filters.
  useEffect(() => setDraft(filters), [address]);
  const type = (name: FilterName) => (value: string) => setDraft({ ...draft, [name]: value });
  const choose = (name: FilterName) => (value: string) => onChange({ ...draft, [name]: value });
  const chooser = (name: FilterName) => (
    <Select
      key={name}
      label={filterLabels[name]}
      value={draft[name] ?? ''}
      options={choices[name] ?? optionsOf(name, names)}
      onChange={choose(name)}
    />
  );
  const [isOpen] = useState([...typed, ...further].some((name) => (filters[name] ?? '') !== ''));
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
          placeholder="evidence, client, path or id"
        />
        {(['decision', 'category', 'keyId', 'triage'] as const).map(chooser)}
        <div class="filter-buttons">
          <Button type="submit" icon="search">
            Search
          </Button>
        </div>
      </div>
      <details open={isOpen}>
        <summary>More filters</summary>
        <div class="filter-row">
          {typed.map((name) => (
            <TextField
              key={name}
              label={filterLabels[name]}
              value={draft[name] ?? ''}
              onInput={type(name)}
              placeholder={placeholders[name]}
            />
          ))}
          {further.map(chooser)}
        </div>
      </details>
      <Chips filters={filters} names={names} onChange={onChange} />
    </form>
  );
}

function optionsOf(name: FilterName, { keys, policies }: Names) {
  const list = name === 'keyId' ? keys : policies;
  return [{ value: '', label: 'Any' }, ...list.map((one) => ({ value: one.id, label: one.name }))];
}

/** The filters that hold. */
function Chips({ filters, names, onChange }: FiltersProps) {
  const used = filterNames.filter((name) => (filters[name] ?? '') !== '');
  if (used.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters that hold">
      {used.map((name) => (
        <li key={name}>
          {filterLabels[name]}: <Inert text={valueName(name, filters[name] ?? '', names)} />
          <button
            type="button"
            aria-label={`Remove the filter ${filterLabels[name]}`}
            onClick={() => onChange({ ...filters, [name]: '' })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      <li class="clear">
        <Button kind="quiet" onClick={() => onChange({})}>
          Clear
        </Button>
      </li>
    </ul>
  );
}
