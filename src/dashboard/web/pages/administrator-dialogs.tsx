import { useState } from 'preact/hooks';
import type { Role } from '../../../contract/roles.ts';
import { api } from '../api/client.ts';
import type { Invited, Person } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button, CopyBlock } from '../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx';
import { Checkbox, Choices, TextField } from '../ui/field.tsx';
import { Inert } from '../ui/inert.tsx';
import { useSay } from '../ui/page.tsx';

const roleChoices = [
  { value: 'viewer', label: 'Viewer', hint: 'Reads everything but this page.' },
  {
    value: 'editor',
    label: 'Editor',
    hint: 'Also changes policies, exclusions, addresses, shapes and triage.',
  },
  {
    value: 'administrator',
    label: 'Administrator',
    hint: 'Also manages keys, people and sessions, and exports the audit.',
  },
] as const;

/** Makes a link that lets a person in, once, and shows it. */
export function InviteDialog(props: {
  readonly invited?: Invited | undefined;
  readonly onClose: () => void;
  readonly onInvited: () => void;
}) {
  const { invited, onClose, onInvited } = props;
  const [name, setName] = useState(invited?.name ?? '');
  const [role, setRole] = useState<Role>(invited?.role ?? 'viewer');
  const [path, setPath] = useState('');
  const invite = useAction(async () => {
    const made = await api<{ readonly path: string }>('POST', '/invitations', {
      body: { name, role },
    });
    setPath(made.path);
    onInvited();
  });
  if (path !== '') {
    return (
      <Dialog title={`The link for ${name}`} onClose={onClose} insistent>
        <p>
          It works once, within three days, for the first who opens it: send it over a channel that
          others cannot read. It is not shown again.
        </p>
        <CopyBlock text={`${location.origin}${path}`} what="invitation link" />
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <DialogForm action={invite} button="Make the link" onClose={onClose}>
        <TextField label="Name" value={name} onInput={setName} required autoFocus maxLength={100} />
        <Choices label="Role" value={role} choices={roleChoices} onChange={setRole} />
      </DialogForm>
    </Dialog>
  );
}

interface PersonDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The role of a person, and whether the sign-in is refused. */
export function PersonDialog({ person, onClose, onDone }: PersonDialogProps) {
  const { name } = person;
  const [role, setRole] = useState<Role>(person.role);
  const [disabled, setDisabled] = useState(person.disabled);
  const say = useSay();
  const save = useAction(async () => {
    const path = `/administrators/${encodeURIComponent(name)}`;
    await api('PATCH', path, { body: { role, disabled } });
    say(`${name} is saved.`);
    onDone();
  });
  return (
    <Dialog title={`Edit ${name}`} onClose={onClose}>
      <DialogForm action={save} button="Save" onClose={onClose}>
        <Choices label="Role" value={role} choices={roleChoices} onChange={setRole} />
        <Checkbox
          label="Disabled: sign-ins are refused, and all sessions end"
          checked={disabled}
          onChange={setDisabled}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Asks before a person is removed. */
export function RemoveDialog({ person, onClose, onDone }: PersonDialogProps) {
  const { name } = person;
  const say = useSay();
  const remove = useAction(async () => {
    await api('DELETE', `/administrators/${encodeURIComponent(name)}`);
    say(`${name} is removed.`);
    onDone();
  });
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action={remove}
      button="Remove"
      keep="Keep"
      onClose={onClose}
    >
      <p>All sessions end at once. The audit keeps the name.</p>
    </ConfirmDialog>
  );
}

/** Asks before the second factor of a person is reset. */
export function ResetDialog({ person, onClose, onDone }: PersonDialogProps) {
  const { name } = person;
  const say = useSay();
  const reset = useAction(async () => {
    await api('DELETE', `/administrators/${encodeURIComponent(name)}/second-factor`);
    say(`The second factor of ${name} is reset.`);
    onDone();
  });
  return (
    <ConfirmDialog
      title={`Reset the second factor of ${name}?`}
      action={reset}
      button="Reset"
      keep="Keep"
      onClose={onClose}
    >
      <p>
        The password alone signs in again: a linked account of the identity provider is unlinked,
        and all sessions end at once. Make sure that it is really <Inert text={name} /> who asks for
        it.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before the account of a person at the identity provider is unlinked. */
export function UnlinkDialog({ person, onClose, onDone }: PersonDialogProps) {
  const { name, account = '', hasPassword } = person;
  const say = useSay();
  const unlink = useAction(async () => {
    await api('DELETE', `/administrators/${encodeURIComponent(name)}/single-sign-on`);
    say(`${name} has no linked account any more.`);
    onDone();
  });
  return (
    <ConfirmDialog
      title={`Unlink the account of ${name}?`}
      action={unlink}
      button="Unlink"
      keep="Keep"
      onClose={onClose}
    >
      <p>
        <Inert text={account} /> does not sign in as <Inert text={name} /> any more, and the
        sessions that began so end at once.
      </p>
      <p>
        {hasPassword ? (
          'The password still signs in.'
        ) : (
          <>
            There is no password: nothing signs in as <Inert text={name} /> until the command{' '}
            <code>sallyport admins reset</code> gives one.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
