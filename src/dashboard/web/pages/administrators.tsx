import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { Invited, Person, SessionRow } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Card, Page, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import {
  InviteDialog,
  PersonDialog,
  RemoveDialog,
  ResetDialog,
  UnlinkDialog,
} from './administrator-dialogs.tsx';
import { SessionTable } from './sessions.tsx';

type Open =
  | { readonly kind: 'invite'; readonly invited?: Invited }
  | { readonly kind: PersonAct; readonly person: Person };

type PersonAct = 'edit' | 'remove' | 'reset' | 'unlink';

const personColumns = ['Name', 'Role', 'Second factor', 'Last sign-in', 'Actions'];

/** Who may sign in, who is invited, and where they are signed in. */
export function AdministratorsPage() {
  const people = useResource<{ readonly administrators: readonly Person[] }>('/administrators');
  const invited = useResource<{ readonly invitations: readonly Invited[] }>('/invitations');
  const sessions = useResource<{ readonly sessions: readonly SessionRow[] }>('/sessions/all');
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const say = useSay();
  const reload = () => Promise.all([people.reload(), invited.reload(), sessions.reload()]);
  const act = useAction(async (path: string, message: string) => {
    await api('DELETE', path);
    say(message);
    await reload();
  });
  const signOut = ({ name }: Person) =>
    void act.run(
      `/administrators/${encodeURIComponent(name)}/sessions`,
      `${name} is signed out everywhere.`,
    );
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    void reload();
  };
  return (
    <Page
      title="Administrators"
      intro="A viewer reads. An editor also changes policies, exclusions, addresses and triage. An administrator also manages keys and people."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: 'invite' })}>
          Invite a person
        </Button>
      }
    >
      <ErrorNotice error={act.error} />
      <Loaded resource={people}>
        {(data) => (
          <Table caption="Administrators" columns={personColumns}>
            {data.administrators.map((person) => (
              <PersonRow
                key={person.name}
                person={person}
                onOpen={(kind) => setOpen({ kind, person })}
                onSignOut={() => signOut(person)}
              />
            ))}
          </Table>
        )}
      </Loaded>
      <Invitations
        rows={invited.data?.invitations ?? []}
        onAgain={(one) => setOpen({ kind: 'invite', invited: one })}
        onWithdraw={({ name }) =>
          void act.run(`/invitations/${encodeURIComponent(name)}`, `${name} is invited no more.`)
        }
      />
      <Card title="Sessions">
        <Loaded resource={sessions}>
          {(data) => <SessionTable rows={data.sessions} withNames />}
        </Loaded>
      </Card>
      <Dialogs open={open} onClose={close} onInvited={reload} onDone={done} />
    </Page>
  );
}

function Dialogs(props: {
  readonly open: Open | undefined;
  readonly onClose: () => void;
  readonly onInvited: () => void;
  readonly onDone: () => void;
}) {
  const { open, onClose, onInvited, onDone } = props;
  switch (open?.kind) {
    case undefined:
      return null;
    case 'invite':
      return <InviteDialog invited={open.invited} onClose={onClose} onInvited={onInvited} />;
    case 'edit':
      return <PersonDialog person={open.person} onClose={onClose} onDone={onDone} />;
    case 'remove':
      return <RemoveDialog person={open.person} onClose={onClose} onDone={onDone} />;
    case 'reset':
      return <ResetDialog person={open.person} onClose={onClose} onDone={onDone} />;
    case 'unlink':
      return <UnlinkDialog person={open.person} onClose={onClose} onDone={onDone} />;
  }
}

function PersonRow(props: {
  readonly person: Person;
  readonly onOpen: (kind: PersonAct) => void;
  readonly onSignOut: () => void;
}) {
  const { person, onOpen, onSignOut } = props;
  const { name, account } = person;
  return (
    <tr>
      <th scope="row">
        <Inert text={name} />
        {account === undefined ? null : (
          <small>
            linked to <Inert text={account} />
          </small>
        )}
      </th>
      <td>
        {person.role}
        {person.disabled ? <small>disabled</small> : null}
      </td>
      <td>{person.secondFactor ? 'on' : 'off'}</td>
      <td>{person.signedInAt === undefined ? 'never' : <Time at={person.signedInAt} />}</td>
      <td class="row-actions">
        <Button label={`Edit ${name}`} onClick={() => onOpen('edit')}>
          Edit
        </Button>
        {person.secondFactor ? (
          <Button label={`Reset second factor: ${name}`} onClick={() => onOpen('reset')}>
            Reset second factor
          </Button>
        ) : null}
        {account === undefined ? null : (
          <Button label={`Unlink the account of ${name}`} onClick={() => onOpen('unlink')}>
            Unlink
          </Button>
        )}
        <Button label={`Sign out everywhere: ${name}`} onClick={onSignOut}>
          Sign out everywhere
        </Button>
        <Button kind="danger" label={`Remove ${name}`} onClick={() => onOpen('remove')}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

function Invitations(props: {
  readonly rows: readonly Invited[];
  readonly onAgain: (invited: Invited) => void;
  readonly onWithdraw: (invited: Invited) => void;
}) {
  if (props.rows.length === 0) return null;
  return (
    <Card title="Invitations">
      <Table caption="Invitations" columns={['Name', 'Role', 'Invited by', 'Until', 'Actions']}>
        {props.rows.map((one) => (
          <InvitedRow
            key={one.name}
            invited={one}
            onAgain={() => props.onAgain(one)}
            onWithdraw={() => props.onWithdraw(one)}
          />
        ))}
      </Table>
    </Card>
  );
}

function InvitedRow(props: {
  readonly invited: Invited;
  readonly onAgain: () => void;
  readonly onWithdraw: () => void;
}) {
  const { name, role, invitedBy, expiresAt } = props.invited;
  return (
    <tr>
      <th scope="row">
        <Inert text={name} />
      </th>
      <td>{role}</td>
      <td>
        <Inert text={invitedBy} />
      </td>
      <td>
        <Time at={expiresAt} />
      </td>
      <td class="row-actions">
        <Button label={`New link for ${name}`} onClick={props.onAgain}>
          New link
        </Button>
        <Button label={`Withdraw the invitation of ${name}`} onClick={props.onWithdraw}>
          Withdraw
        </Button>
      </td>
    </tr>
  );
}
