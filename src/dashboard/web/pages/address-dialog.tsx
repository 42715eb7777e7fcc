import { useState } from 'preact/hooks';
import type { ListAction } from '../../../contract/address-list.ts';
import { api } from '../api/client.ts';
import type { AddressRow, PolicySummary } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { Choices, Select, TextArea, TextField } from '../ui/field.tsx';
import { useSay } from '../ui/page.tsx';

const actions = [
  { value: 'deny', label: 'Deny', hint: 'All requests get 403, before anything is read.' },
  {
    value: 'allow',
    label: 'Allow unscreened',
    hint: 'No request is screened, attacks included. For your own scanners and health checks.',
  },
] as const;

const lives = [
  { value: '1', label: 'for 1 hour' },
  { value: '24', label: 'for 24 hours' },
  { value: '168', label: 'for 7 days' },
  { value: '720', label: 'for 30 days' },
  { value: '', label: 'until it is removed' },
] as const;

type Life = (typeof lives)[number]['value'] | 'kept';

const kept = { value: 'kept', label: 'as it is now' } as const;

const hourMs = 3_600_000;

function firstLife(row: AddressRow | undefined, client: string | undefined): Life {
  if (row?.isInForce === true && row.expiresAt !== undefined) return 'kept';
  return client === undefined ? '' : '24';
}

function endOf(life: Life, row: AddressRow | undefined): string | undefined {
  if (life === 'kept') return row?.expiresAt;
  return new Date(Date.now() + Number(life) * hourMs).toISOString();
}

/** Lists networks: many lines at once, the client of an event, or an entry that is edited. */
export function AddressDialog(props: {
  readonly row?: AddressRow | undefined;
  /** The client of an event. */
  readonly client?: string;
  readonly policies: readonly PolicySummary[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { row, client, policies, onClose, onSaved } = props;
  const [text, setText] = useState(row?.network ?? client ?? '');
  const [action, setAction] = useState<ListAction>(row?.action ?? 'deny');
  const [policyId, setPolicyId] = useState(row?.policyId ?? '');
  const [reason, setReason] = useState(row?.reason ?? '');
  const [hours, setHours] = useState<Life>(firstLife(row, client));
  const say = useSay();
  const networks = text.split(/[\s,]+/).filter((one) => one !== '');
  const save = useAction(async () => {
    const end = hours === '' ? {} : { expiresAt: endOf(hours, row) };
    const policy = policyId === '' ? {} : { policyId };
    await api('POST', '/addresses', { body: { networks, action, reason, ...policy, ...end } });
    say('Saved. It is in force within a second.');
    onSaved();
  });
  return (
    <Dialog title={client === undefined ? 'List addresses' : 'Block this client'} onClose={onClose}>
      <DialogForm
        action={save}
        button={action === 'deny' ? 'Deny' : 'Allow unscreened'}
        onClose={onClose}
      >
        <TextArea
          label="Addresses and networks"
          value={text}
          onInput={setText}
          rows={4}
          code
          required
          hint="One per line, such as 203.0.113.7 or 2001:db8::/32; up to 1,000 at once. The same network is replaced."
        />
        <Choices label="What happens" value={action} choices={actions} onChange={setAction} />
        <Select
          label="For which policy"
          value={policyId}
          options={[
            { value: '', label: 'All policies' },
            ...policies.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setPolicyId}
        />
        <TextField label="Why" value={reason} onInput={setReason} required maxLength={1_000} />
        <Select
          label="For how long"
          value={hours}
          options={row?.expiresAt === undefined ? lives : [kept, ...lives]}
          onChange={setHours}
        />
      </DialogForm>
    </Dialog>
  );
}
