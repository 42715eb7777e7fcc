import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { type RangeQuery, type SpanName, spanOf, spans } from './range.ts';
import { localInput } from './time.tsx';

/** Chooses the time that a page shows: a span that ends now, one of its own, or all. */
export function RangePicker(props: {
  readonly query: RangeQuery;
  /** What holds where the address names none. */
  readonly fallback: SpanName | 'all';
  readonly onChange: (query: RangeQuery) => void;
}) {
  const { query, fallback, onChange } = props;
  const isCustom = (query.from ?? '') !== '' || (query.to ?? '') !== '';
  const [isOpen, setOpen] = useState(false);
  const current = isCustom ? 'custom' : (spanOf(query.range)?.name ?? fallback);
  const choose = (range: string) => {
    setOpen(false);
    onChange({ range, from: undefined, to: undefined });
  };
  return (
    <fieldset class="range">
      <legend class="sr-only">Time range</legend>
      <div class="range-spans">
        {fallback === 'all' ? (
          <Span label="All" pressed={current === 'all'} onClick={() => choose('')} />
        ) : null}
        {spans.map(({ name, label, words }) => (
          <Span
            key={name}
            label={label}
            title={words}
            pressed={current === name}
            onClick={() => choose(name)}
          />
        ))}
        <Span label="Custom" pressed={isCustom || isOpen} onClick={() => setOpen(!isOpen)} />
      </div>
      {isOpen || isCustom ? (
        <Custom
          key={`${query.from} ${query.to}`}
          query={query}
          onChange={(wanted) => {
            setOpen(false);
            onChange({ ...wanted, range: undefined });
          }}
        />
      ) : null}
    </fieldset>
  );
}

function Span(props: {
  readonly label: string;
  readonly title?: string;
  readonly pressed: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" title={props.title} aria-pressed={props.pressed} onClick={props.onClick}>
      {props.label}
    </button>
  );
}

function Custom(props: {
  readonly query: RangeQuery;
  readonly onChange: (query: Pick<RangeQuery, 'from' | 'to'>) => void;
}) {
  const [from, setFrom] = useState(localInput(props.query.from ?? ''));
  const [to, setTo] = useState(localInput(props.query.to ?? ''));
  return (
    <form
      class="range-custom"
      onSubmit={(event) => {
        event.preventDefault();
        props.onChange({ from: moment(from), to: moment(to) });
      }}
    >
      <TextField label="From" type="datetime-local" value={from} onInput={setFrom} />
      <TextField label="To" type="datetime-local" value={to} onInput={setTo} />
      <Button type="submit">Apply</Button>
    </form>
  );
}

function moment(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
