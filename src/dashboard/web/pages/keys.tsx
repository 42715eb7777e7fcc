import { useState } from 'preact/hooks';
import type { Key } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { KeyStateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { CreateKeyDialog } from './key-create.tsx';
import { KeyActions, KeyDialogs, type OpenKey } from './key-dialogs.tsx';

export function KeysPage() {
  const keys = useResource<{ readonly keys: readonly Key[] }>('/keys');
  const [open, setOpen] = useState<OpenKey | undefined>(undefined);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Keys"
      intro="Create a separate key for each application. The policy of a key decides how its requests are screened."
      actions={
        <Button needs="administrator" kind="primary" icon="plus" onClick={() => setCreating(true)}>
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
      {isCreating ? (
        <CreateKeyDialog onClose={() => setCreating(false)} onCreated={keys.reload} />
      ) : null}
      <KeyDialogs open={open} onOpen={setOpen} onChanged={keys.reload} />
    </Page>
  );
}

const columns = ['Name', 'State', 'Policy', 'Last used', 'Created', 'Expires', 'Actions'];

function KeyTable(props: {
  readonly keys: readonly Key[];
  readonly onOpen: (open: OpenKey) => void;
}) {
  return (
    <Table caption="API keys" columns={columns}>
      {props.keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onOpen={props.onOpen} />
      ))}
    </Table>
  );
}

function KeyRow(props: { readonly apiKey: Key; readonly onOpen: (open: OpenKey) => void }) {
  const { apiKey: key, onOpen } = props;
  return (
    <tr class={key.state === 'active' ? '' : 'dim'}>
      <th scope="row">
        <a href={`/dashboard/keys/${key.id}`}>{key.name}</a>
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
      <td>
        {key.lastUsedAt === undefined ? 'never' : <Time at={key.lastUsedAt} relatively />}
        {key.lastClient === undefined ? null : (
          <small>
            <Inert text={key.lastClient} />
          </small>
        )}
      </td>
      <td>
        <Time at={key.createdAt} />
      </td>
      <td>{key.expiresAt === undefined ? 'never' : <Time at={key.expiresAt} />}</td>
      <td class="row-actions">
        <KeyActions apiKey={key} onOpen={onOpen} />
      </td>
    </tr>
  );
}
