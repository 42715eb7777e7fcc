import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { Key, KeyWithSecret, PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useSay } from '../ui/page.tsx';
import { localInput } from '../ui/time.tsx';
import { BoundsFields, type BoundsInput, boundsBody } from './key-bounds.tsx';
import { policyOptions, SecretDialog } from './key-create.tsx';

/** Which dialog of a key is open. */
export type OpenKey =
  | { readonly what: 'edit' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly what: 'secret'; readonly made: KeyWithSecret };

/** The buttons of a key; a revoked one has none. */
export function KeyActions(props: {
  readonly apiKey: Key;
  readonly onOpen: (open: OpenKey) => void;
}) {
  const { apiKey: key, onOpen } = props;
  if (key.state === 'revoked') return null;
  const act = (what: 'edit' | 'rotate' | 'revoke') => () => onOpen({ what, key });
  return (
    <>
      <Button needs="administrator" label={`Edit ${key.name}`} onClick={act('edit')}>
        Edit
      </Button>
      <Button needs="administrator" label={`Rotate ${key.name}`} onClick={act('rotate')}>
        Rotate
      </Button>
      <Button
        needs="administrator"
        kind="danger"
        label={`Revoke ${key.name}`}
        onClick={act('revoke')}
      >
        Revoke
      </Button>
    </>
  );
}

/** The dialog that is open. */
export function KeyDialogs(props: {
  readonly open: OpenKey | undefined;
  readonly onOpen: (open: OpenKey | undefined) => void;
  readonly onChanged: () => void;
}) {
  const { open, onOpen, onChanged } = props;
  if (open === undefined) return null;
  const close = () => onOpen(undefined);
  if (open.what === 'secret') return <SecretDialog made={open.made} onClose={close} />;
  const shared = { apiKey: open.key, onClose: close, onDone: onChanged };
  if (open.what === 'edit') return <EditKeyDialog {...shared} />;
  if (open.what === 'revoke') return <RevokeKeyDialog {...shared} />;
  return (
    <RotateKeyDialog
      apiKey={open.key}
      onClose={close}
      onRotated={(made) => {
        onOpen({ what: 'secret', made });
        onChanged();
      }}
    />
  );
}

interface KeyDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EditKeyDialog({ apiKey: key, onClose, onDone }: KeyDialogProps) {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const say = useSay();
  const [name, setName] = useState(key.name);
  const [policyId, setPolicyId] = useState(key.policyId);
  const before = key.expiresAt === undefined ? '' : localInput(key.expiresAt);
  const [expires, setExpires] = useState(before);
  const [bounds, setBounds] = useState<BoundsInput>({
    scopes: key.scopes,
    networks: key.networks.join('\n'),
  });
  const save = useAction(async () => {
    // What was not touched is not sent: the field shows minutes only.
    const moment = expires === '' ? null : new Date(expires).toISOString();
    const expiresAt = expires === before ? {} : { expiresAt: moment };
    const policy = key.kind === 'live' ? { policyId } : {};
    const body = { name, ...policy, ...expiresAt, ...boundsBody(bounds, key.kind) };
    await api('PATCH', `/keys/${key.id}`, { body });
    say(`${name} is saved.`);
    onDone();
    onClose();
  });
  return (
    <Dialog title={`Edit ${key.name}`} onClose={onClose}>
      <DialogForm action={save} button="Save" onClose={onClose}>
        <TextField label="Name" value={name} onInput={setName} required autoFocus maxLength={100} />
        {key.kind === 'live' ? (
          <Select
            label="Policy"
            value={policyId}
            options={policyOptions(policies.data?.policies)}
            onChange={setPolicyId}
          />
        ) : null}
        <TextField
          label="Expires"
          type="datetime-local"
          value={expires}
          onInput={setExpires}
          hint="Leave it empty for a key that does not expire."
        />
        <BoundsFields kind={key.kind} value={bounds} onChange={setBounds} />
      </DialogForm>
    </Dialog>
  );
}

const sunsets = [
  { value: '0', label: 'at once: the secret has leaked' },
  { value: '3600', label: 'in an hour' },
  { value: '86400', label: 'in a day' },
  { value: '604800', label: 'in a week' },
  { value: '2592000', label: 'in 30 days' },
] as const;

function RotateKeyDialog(props: {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onRotated: (made: KeyWithSecret) => void;
}) {
  const { apiKey: key, onClose, onRotated } = props;
  const [sunset, setSunset] = useState<(typeof sunsets)[number]['value']>('86400');
  const rotate = useAction(async () => {
    const body = { sunsetSeconds: Number(sunset) };
    onRotated(await api<KeyWithSecret>('POST', `/keys/${key.id}/rotate`, { body }));
  });
  return (
    <Dialog title={`Rotate ${key.name}`} onClose={onClose}>
      <p>
        The key gets a new secret. The old one keeps working until its sunset, so that your
        application can switch without downtime.
      </p>
      <Select label="The old secret ends" value={sunset} options={sunsets} onChange={setSunset} />
      <ErrorNotice error={rotate.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={rotate.busy} onClick={rotate.run}>
          Make a new secret
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function RevokeKeyDialog({ apiKey: key, onClose, onDone }: KeyDialogProps) {
  const say = useSay();
  const revoke = useAction(async () => {
    await api('POST', `/keys/${key.id}/revoke`);
    say(`${key.name} is revoked.`);
    onDone();
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Revoke ${key.name}?`}
      action={revoke}
      button="Revoke the key"
      onClose={onClose}
    >
      <p>
        Within a second, every request with the key <code>{key.id}</code> returns 401. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  );
}
