import type { ChannelRow } from '../api/types.ts';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { type FormProps, textOf } from './notification-form.ts';

const hints = {
  slack: 'The URL of an incoming webhook of Slack.',
  teams: 'The URL of a workflow that posts to a channel when a webhook request is received.',
  webhook: 'It gets JSON by POST.',
  syslog: 'tls://host:6514, tcp://host:601 or udp://host:514',
} as const;

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'none' },
] as const;

/** Where messages go: fields that depend on the kind. */
export function TargetFields(props: FormProps & { readonly row: ChannelRow | undefined }) {
  const { row } = props;
  const { kind } = props.form;
  if (kind === 'email') return <MailFields {...props} />;
  const isKept = row?.kind === kind && kind !== 'syslog' && row.target.url !== undefined;
  return (
    <>
      <TextField
        label="URL"
        {...textOf(props, 'url')}
        required={!isKept}
        maxLength={2_000}
        hint={isKept ? `Empty: ${row.target.url} stays.` : hints[kind]}
      />
      {kind === 'webhook' ? (
        <TextField
          label="Secret"
          type="password"
          autoComplete="off"
          {...textOf(props, 'secret')}
          hint={
            row?.target.hasSecret === true
              ? 'Empty: the one that is set stays.'
              : 'Optional: signs messages. 16 characters or more.'
          }
        />
      ) : null}
    </>
  );
}

function MailFields(props: FormProps & { readonly row: ChannelRow | undefined }) {
  const { form, set, row } = props;
  return (
    <>
      <div class="filter-row">
        <TextField
          label="Mail server"
          {...textOf(props, 'host')}
          placeholder="smtp.example.com"
          required
        />
        <TextField
          label="Port"
          type="number"
          min={1}
          max={65_535}
          {...textOf(props, 'port')}
          hint="Empty: the usual one."
        />
        <Select
          label="Encryption"
          value={form.security}
          options={securities}
          onChange={(security) => set({ security })}
        />
      </div>
      <div class="filter-row">
        <TextField label="User" autoComplete="off" {...textOf(props, 'user')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="off"
          {...textOf(props, 'password')}
          hint={
            row?.target.hasPassword === true
              ? 'Empty: the one that is set stays, for the same server and user.'
              : undefined
          }
        />
      </div>
      <TextField
        label="Sender"
        {...textOf(props, 'from')}
        placeholder="sallyport@example.com"
        required
      />
      <TextArea
        label="Recipients"
        {...textOf(props, 'to')}
        rows={2}
        required
        hint="One address per line, 20 at most."
      />
    </>
  );
}
