import { useState } from 'preact/hooks';
import { categories } from '../../../contract/category.ts';
import { channelKinds } from '../../../contract/notification.ts';
import { api } from '../api/client.ts';
import type { ChannelRow, PolicySummary } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { Checkbox, Select, TextField } from '../ui/field.tsx';
import { useSay } from '../ui/page.tsx';
import { type ChannelForm, type FormProps, formOf, textOf, wishOf } from './notification-form.ts';
import { TargetFields } from './notification-target.tsx';
import { kindNames } from './notification-words.ts';

/** Adds a channel, or edits one. Secrets that are not entered again stay. */
export function NotificationDialog(props: {
  readonly row: ChannelRow | undefined;
  readonly policies: readonly PolicySummary[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { row, policies, onClose, onSaved } = props;
  const [form, setForm] = useState(() => formOf(row));
  const set = (change: Partial<ChannelForm>) => setForm((before) => ({ ...before, ...change }));
  const part = { form, set };
  const say = useSay();
  const save = useAction(async () => {
    const body = wishOf(form);
    if (row === undefined) await api('POST', '/notifications', { body });
    else await api('PUT', `/notifications/${row.id}`, { body });
    say('Saved. It is in force within a second.');
    onSaved();
  });
  return (
    <Dialog title={row === undefined ? 'Add a channel' : `Edit ${row.name}`} onClose={onClose} wide>
      <DialogForm
        action={save}
        button={row === undefined ? 'Add the channel' : 'Save'}
        onClose={onClose}
      >
        <div class="filter-row">
          <TextField label="Name" {...textOf(part, 'name')} required maxLength={100} />
          <Select
            label="Kind"
            value={form.kind}
            options={channelKinds.map((value) => ({ value, label: kindNames[value] }))}
            onChange={(kind) => set({ kind })}
          />
        </div>
        <TargetFields {...part} row={row} />
        <HearsFields {...part} policies={policies} />
        <WhenFields {...part} />
      </DialogForm>
    </Dialog>
  );
}

const severities = [
  { value: 'low', label: 'all events' },
  { value: 'medium', label: 'medium or more' },
  { value: 'high', label: 'high or critical' },
  { value: 'critical', label: 'critical only' },
] as const;

function HearsFields(props: FormProps & { readonly policies: readonly PolicySummary[] }) {
  const { form, set, policies } = props;
  return (
    <>
      <Select
        label="Severity"
        value={form.severity}
        options={severities}
        onChange={(severity) => set({ severity })}
      />
      <Checkbox
        label="Also what monitor mode would block"
        checked={form.monitored}
        onChange={(monitored) => set({ monitored })}
      />
      <Picked
        title="Policies"
        options={policies.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={form.policies}
        onChange={(chosen) => set({ policies: chosen })}
      />
      <Picked
        title="Categories"
        options={categories.map((value) => ({ value, label: titleOf(value) }))}
        chosen={form.categories}
        onChange={(chosen) => set({ categories: chosen })}
      />
    </>
  );
}

/** Some of many; none chosen stands for all. */
function Picked<Value extends string>(props: {
  readonly title: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}) {
  const { title, options, chosen, onChange } = props;
  return (
    <details>
      <summary>
        {title}: {chosen.length === 0 ? 'all' : chosen.length}
      </summary>
      <fieldset class="check-grid">
        <legend class="sr-only">{title}</legend>
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={(checked) => {
              const others = chosen.filter((one) => one !== value);
              onChange(checked ? [...others, value] : others);
            }}
          />
        ))}
      </fieldset>
    </details>
  );
}

const facts = [
  { value: 'client', label: 'one client' },
  { value: 'rule', label: 'one rule' },
  { value: 'policy', label: 'one policy' },
] as const;

const digests = [
  { value: '0', label: 'at once' },
  { value: '5', label: 'as a digest every 5 minutes' },
  { value: '15', label: 'as a digest every 15 minutes' },
  { value: '60', label: 'as a digest every hour' },
  { value: '1440', label: 'as a digest every day' },
];

const whole = { type: 'number', min: 1, required: true } as const;

function WhenFields(props: FormProps) {
  const { form, set } = props;
  const isOdd = !digests.some(({ value }) => value === form.digest);
  const odd = { value: form.digest, label: `as a digest every ${form.digest} minutes` };
  return (
    <>
      <Select
        label="Send"
        value={form.digest}
        options={isOdd ? [odd, ...digests] : digests}
        onChange={(digest) => set({ digest })}
      />
      <Checkbox
        label="Only from a number of events on"
        checked={form.hasThreshold}
        onChange={(hasThreshold) => set({ hasThreshold })}
      />
      {form.hasThreshold ? (
        <div class="filter-row">
          <TextField label="Events" {...textOf(props, 'count')} {...whole} />
          <TextField label="In minutes" {...textOf(props, 'minutes')} {...whole} />
          <Select label="Of" value={form.per} options={facts} onChange={(per) => set({ per })} />
        </div>
      ) : null}
      <Checkbox
        label="Quiet hours"
        checked={form.isQuiet}
        onChange={(isQuiet) => set({ isQuiet })}
      />
      {form.isQuiet ? <QuietFields {...props} /> : null}
    </>
  );
}

function QuietFields(props: FormProps) {
  const { form, set } = props;
  return (
    <>
      <div class="filter-row">
        <TextField label="From" {...textOf(props, 'quietFrom')} placeholder="22:00" required />
        <TextField label="To" {...textOf(props, 'quietTo')} placeholder="07:00" required />
        <TextField label="Time zone" {...textOf(props, 'timeZone')} required />
      </div>
      <Checkbox
        label="Send critical events all the same"
        checked={form.exceptCritical}
        onChange={(exceptCritical) => set({ exceptCritical })}
      />
    </>
  );
}
