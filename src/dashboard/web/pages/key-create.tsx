import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { KeyWithSecret, PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button, CopyBlock } from '../ui/button.tsx';
import { Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { BoundsFields, type BoundsInput, boundsBody } from './key-bounds.tsx';

/** Asks for what a key needs, then shows its secret, once. */
export function CreateKeyDialog(props: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}) {
  const [made, setMade] = useState<KeyWithSecret | undefined>(undefined);
  if (made !== undefined) return <SecretDialog made={made} onClose={props.onClose} />;
  return (
    <Dialog title="Create a key" onClose={props.onClose}>
      <KeyForm
        onCancel={props.onClose}
        onMade={(answer) => {
          setMade(answer);
          props.onCreated();
        }}
      />
    </Dialog>
  );
}

const kinds = [
  { value: 'live', label: 'For an application: screens requests' },
  { value: 'admin', label: 'For a script: manages this Sallyport' },
] as const;

function KeyForm(props: {
  readonly onCancel: () => void;
  readonly onMade: (made: KeyWithSecret) => void;
}) {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'live' | 'admin'>('live');
  const [policyId, setPolicyId] = useState('default');
  const [expires, setExpires] = useState('');
  const [bounds, setBounds] = useState<BoundsInput>({
    scopes: ['screen', 'forward'],
    networks: '',
  });
  const create = useAction(async () => {
    const expiresAt = expires === '' ? {} : { expiresAt: new Date(expires).toISOString() };
    const policy = kind === 'live' ? { policyId } : {};
    const body = { name, kind, ...policy, ...expiresAt, ...boundsBody(bounds, kind) };
    props.onMade(await api<KeyWithSecret>('POST', '/keys', { body }));
  });
  return (
    <DialogForm action={create} button="Create the key" onClose={props.onCancel}>
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        required
        autoFocus
        maxLength={100}
        placeholder="web shop"
        hint="What uses the key; you can change it later."
      />
      <Select label="Purpose" value={kind} options={kinds} onChange={setKind} />
      {kind === 'live' ? (
        <Select
          label="Policy"
          value={policyId}
          options={policyOptions(policies.data?.policies)}
          onChange={setPolicyId}
        />
      ) : null}
      <TextField
        label="Expires (optional)"
        type="datetime-local"
        value={expires}
        onInput={setExpires}
      />
      <BoundsFields kind={kind} value={bounds} onChange={setBounds} />
    </DialogForm>
  );
}

/** Choices of a policy; the default one is there before the list is. */
export function policyOptions(policies: readonly PolicySummary[] | undefined) {
  if (policies === undefined) return [{ value: 'default', label: 'default' }];
  return policies.map(({ id, name }) => ({ value: id, label: name }));
}

/** The only time that a secret is on the screen. */
export function SecretDialog(props: {
  readonly made: KeyWithSecret;
  readonly onClose: () => void;
}) {
  const { key, secret } = props.made;
  return (
    <Dialog title={`Key for ${key.name}`} onClose={props.onClose} insistent wide>
      <Notice kind="warning">
        <p>Copy the key now: it is not stored and cannot be shown again.</p>
      </Notice>
      <h3>The key</h3>
      <CopyBlock text={secret} what="API key" />
      {key.scopes.includes('screen') ? (
        <>
          <h3>Try it: an attack, which returns 403 with the reason</h3>
          <CopyBlock text={curlOf(secret)} what="curl command" />
        </>
      ) : null}
      {key.kind === 'admin' || key.scopes.includes('manage') ? (
        <>
          <h3>Try it: the status of this Sallyport</h3>
          <CopyBlock
            text={`curl -s '${location.origin}/api/overview' -H 'x-api-key: ${secret}'`}
            what="management command"
          />
        </>
      ) : null}
      <DialogButtons>
        <Button kind="primary" onClick={props.onClose}>
          I have copied it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function curlOf(secret: string): string {
  return `curl -i '${location.origin}/control' \\
  -H 'content-type: application/json' \\
  -H 'x-api-key: ${secret}' \\
  -d '{"comment":"1 UNION SELECT name, password FROM users --"}'`;
}
