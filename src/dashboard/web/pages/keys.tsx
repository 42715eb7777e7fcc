import { useState } from 'preact/hooks';
import type { Key, KeyWithSecret } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { KeyStateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { CreateKeyDialog, SecretDialog } from './key-create.tsx';
import { EditKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly what: 'secret'; readonly made: KeyWithSecret };

export function KeysPage() {
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Keys"
      intro="Create a separate key for each application. The policy of a key decides how its requests are screened."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'create' })}>
          Create a key
        </Button>
      }
    >
      <Loaded resource={keys}>
        {(data) =>
          data.keys.length === 0 ? (
            <Empty title="No keys yet.">
              <p>Create one for your application; it comes with a command to try it.</p>
            </Empty>
          ) : (
            <KeyTable keys={data.keys} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.what === 'create' ? <CreateKeyDialog onClose={close} onCreated={keys.reload} /> : null}
      {open?.what === 'edit' ? (
        <EditKeyDialog apiKey={open.key} onClose={close} onDone={keys.reload} />
      ) : null}
      {open?.what === 'revoke' ? (
        <RevokeKeyDialog apiKey={open.key} onClose={close} onDone={keys.reload} />
      ) : null}
      {open?.what === 'rotate' ? (
        <RotateKeyDialog
          apiKey={open.key}
          onClose={close}
          onRotated={(made) => {
            setOpen({ what: 'secret', made });
            keys.reload();
          }}
        />
      ) : null}
      {open?.what === 'secret' ? <SecretDialog made={open.made} onClose={close} /> : null}
    </Page>
  );
}

const columns = ['Name', 'State', 'Policy', 'Last used', 'Created', 'Expires', 'Actions'];

function KeyTable(props: { readonly keys: readonly Key[]; readonly onOpen: (open: Open) => void }) {
  return (
    <Table caption="API keys" columns={columns}>
      {props.keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onOpen={props.onOpen} />
      ))}
    </Table>
  );
}

function KeyRow(props: { readonly apiKey: Key; readonly onOpen: (open: Open) => void }) {
  const { apiKey: key, onOpen } = props;
  return (
    <tr class={key.state === 'active' ? '' : 'dim'}>
      <th scope="row">
        {key.name}
        <small>
          <code>{key.id}</code>
          {key.kind === 'admin' ? ' · administrator' : ''}
        </small>
      </th>
      <td>
        <KeyStateBadge state={key.state} />
        {key.rotation === undefined || key.state === 'revoked' ? null : (
          <small>
            old secret ends <Time at={key.rotation.sunsetAt} relatively />
          </small>
        )}
      </td>
      <td>
        {key.kind === 'admin' ? (
          '–'
        ) : (
          <a href={`/dashboard/policies/${key.policyId}`}>{key.policyName}</a>
        )}
      </td>
      <td>{key.lastUsedAt === undefined ? 'never' : <Time at={key.lastUsedAt} relatively />}</td>
      <td>
        <Time at={key.createdAt} />
      </td>
      <td>{key.expiresAt === undefined ? 'never' : <Time at={key.expiresAt} />}</td>
      <td class="row-actions">
        {key.state === 'revoked' ? null : <KeyActions apiKey={key} onOpen={onOpen} />}
      </td>
    </tr>
  );
}

function KeyActions(props: { readonly apiKey: Key; readonly onOpen: (open: Open) => void }) {
  const { apiKey: key, onOpen } = props;
  const act = (what: 'edit' | 'rotate' | 'revoke') => () => onOpen({ what, key });
  return (
    <>
      <Button label={`Edit ${key.name}`} onClick={act('edit')}>
        Edit
      </Button>
      <Button label={`Rotate ${key.name}`} onClick={act('rotate')}>
        Rotate
      </Button>
      <Button kind="danger" label={`Revoke ${key.name}`} onClick={act('revoke')}>
        Revoke
      </Button>
    </>
  );
}
