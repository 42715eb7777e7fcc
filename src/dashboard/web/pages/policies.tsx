import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api } from '../api/client.ts';
import type { PolicyDetail, PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { Loaded } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { policyOptions } from './key-create.tsx';

export function PoliciesPage() {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Policies"
      intro="A policy decides how the requests of its keys are screened. Every change is a new version, and you can roll back to any of them."
      actions={
        <Button needs="editor" kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Create a policy
        </Button>
      }
    >
      <Loaded resource={policies}>
        {(data) => (
          <>
            <Table
              caption="Policies"
              columns={[
                'Name',
                'Mode',
                'Sensitivity',
                'Keys',
                'Version',
                'Last change',
                'Candidate',
              ]}
            >
              {data.policies.map((policy) => (
                <PolicyRow key={policy.id} policy={policy} />
              ))}
            </Table>
            {creating ? (
              <CreatePolicyDialog policies={data.policies} onClose={() => setCreating(false)} />
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const modeNames = { block: 'Block', monitor: 'Monitor', off: 'Off' } as const;

function PolicyRow({ policy }: { readonly policy: PolicySummary }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/dashboard/policies/${policy.id}`}>{policy.name}</a>
        <small>
          <code>{policy.id}</code>
        </small>
      </th>
      <td>{modeNames[policy.mode]}</td>
      <td class="number">{policy.sensitivity}</td>
      <td>{counted(policy.keys, 'key')}</td>
      <td>{policy.version}</td>
      <td>
        <Time at={policy.updatedAt} relatively /> by {policy.updatedBy}
      </td>
      <td>{policy.hasCandidate ? <span class="badge would-block">On trial</span> : '–'}</td>
    </tr>
  );
}

function CreatePolicyDialog(props: {
  readonly policies: readonly PolicySummary[];
  readonly onClose: () => void;
}) {
  const { policies, onClose } = props;
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('default');
  const create = useAction(async () => {
    const original = await api<{ readonly policy: PolicyDetail }>('GET', `/policies/${from}`);
    // Nothing is refused before an administrator has seen what would be.
    const document = { ...original.policy.document, mode: 'monitor' };
    const body = { name, document, comment: `copied from ${original.policy.name}` };
    const made = await api<{ readonly policy: PolicyDetail }>('POST', '/policies', { body });
    onClose();
    route(`/dashboard/policies/${made.policy.id}`);
  });
  return (
    <Dialog title="Create a policy" onClose={onClose}>
      <DialogForm action={create} button="Create the policy" onClose={onClose}>
        <TextField label="Name" value={name} onInput={setName} required autoFocus maxLength={100} />
        <Select
          label="Start as a copy of"
          value={from}
          options={policyOptions(policies)}
          onChange={setFrom}
        />
        <p class="hint">It begins in monitor mode: events show what it would block.</p>
      </DialogForm>
    </Dialog>
  );
}
