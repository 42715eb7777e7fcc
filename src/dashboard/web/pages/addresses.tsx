import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { AddressRow, PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Page, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { AddressDialog } from './address-dialog.tsx';

interface Answer {
  readonly entries: readonly AddressRow[];
}

/** Networks whose requests are refused, or pass unscreened. */
export function AddressesPage() {
  const entries = useResource<Answer>('/addresses');
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [open, setOpen] = useState<AddressRow | 'new' | undefined>(undefined);
  const say = useSay();
  const remove = useAction(async (row: AddressRow) => {
    await api('DELETE', `/addresses/${row.id}`);
    say(`${row.network} is off the ${row.action} list.`);
    await entries.reload();
  });
  const names = new Map((policies.data?.policies ?? []).map(({ id, name }) => [id, name]));
  return (
    <Page
      title="Addresses"
      intro="Requests of a denied network are refused before anything is read. Requests of an allowed network are not screened at all. The longest prefix counts."
      actions={
        <Button needs="editor" kind="primary" icon="plus" onClick={() => setOpen('new')}>
          Add addresses
        </Button>
      }
    >
      <ErrorNotice error={remove.error} />
      <Loaded resource={entries}>
        {(data) =>
          data.entries.length === 0 ? (
            <Empty title="Nothing is listed.">
              <p>Add addresses here, or block the client of an event on the page of the event.</p>
            </Empty>
          ) : (
            <Table
              caption="Addresses"
              columns={['Network', 'List', 'Policy', 'Why', 'Until', 'Actions']}
            >
              {data.entries.map((row) => (
                <AddressTableRow
                  key={row.id}
                  row={row}
                  policy={row.policyId === undefined ? 'all' : names.get(row.policyId)}
                  onEdit={() => setOpen(row)}
                  onRemove={() => void remove.run(row)}
                />
              ))}
            </Table>
          )
        }
      </Loaded>
      {open === undefined ? null : (
        <AddressDialog
          row={open === 'new' ? undefined : open}
          policies={policies.data?.policies ?? []}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined);
            entries.reload();
          }}
        />
      )}
    </Page>
  );
}

function AddressTableRow(props: {
  readonly row: AddressRow;
  readonly policy: string | undefined;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { row, policy = row.policyId } = props;
  return (
    <tr>
      <th scope="row">
        <code>{row.network}</code>
      </th>
      <td>
        {row.action === 'deny' ? (
          <span class="badge block">Denied</span>
        ) : (
          <span class="badge would-block">Not screened</span>
        )}
      </td>
      <td>{policy}</td>
      <td>
        <Inert text={row.reason} />
        <small>
          {row.author}, <Time at={row.createdAt} />
        </small>
      </td>
      <td>
        {row.expiresAt === undefined ? 'no end date' : <Time at={row.expiresAt} />}
        {row.isInForce ? null : <small>over</small>}
      </td>
      <td class="row-actions">
        <Button needs="editor" label={`Edit ${row.network}`} onClick={props.onEdit}>
          Edit
        </Button>
        <Button needs="editor" label={`Remove ${row.network}`} onClick={props.onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}
