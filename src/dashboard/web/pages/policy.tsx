import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { api } from '../api/client.ts';
import type { PolicyDetail } from '../api/types.ts';
import { type Resource, useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Page, useSay } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CandidateTab } from './policy-candidate.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { ShapeTab } from './policy-shape.tsx';
import { VersionsTab } from './policy-versions.tsx';

const notFound = 404;
const back = { href: '/dashboard/policies', label: 'Policies' };

type Answer = { readonly policy: PolicyDetail };

export function PolicyPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const resource = useResource<Answer>(`/policies/${encodeURIComponent(id)}`);
  const [deleting, setDeleting] = useState(false);
  const policy = resource.data?.policy;
  if (resource.error?.status === notFound) return <Missing />;
  return (
    <Page
      title={policy === undefined ? 'Policy' : `Policy ${policy.name}`}
      back={back}
      intro={policy === undefined ? undefined : <UsedBy policy={policy} />}
      actions={
        policy === undefined || policy.id === 'default' || policy.keys.length > 0 ? null : (
          <Button needs="editor" kind="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      <Loaded resource={resource} lines={12}>
        {(data) => <PolicyTabs key={data.policy.id} policy={data.policy} resource={resource} />}
      </Loaded>
      {deleting && policy !== undefined ? (
        <DeleteDialog policy={policy} onClose={() => setDeleting(false)} />
      ) : null}
    </Page>
  );
}

function Missing() {
  return (
    <Page title="No such policy" back={back}>
      <Empty title="There is no policy with this id.">
        <p>It may have been deleted. The audit says who did that, and when.</p>
      </Empty>
    </Page>
  );
}

function UsedBy({ policy }: { readonly policy: PolicyDetail }) {
  const names = policy.keys.map(({ name }) => name).join(', ');
  return (
    <>
      Version {policy.version}.{' '}
      {names === '' ? 'No key uses it.' : `In force for the keys: ${names}.`}
    </>
  );
}

const tabNames = ['settings', 'shape', 'candidate', 'versions'] as const;
type TabName = (typeof tabNames)[number];

function PolicyTabs(props: { readonly policy: PolicyDetail; readonly resource: Resource<Answer> }) {
  const { policy, resource } = props;
  const { query, path, route } = useLocation();
  const asked = query['tab'] as TabName | undefined;
  const tab = tabNames.find((one) => one === asked) ?? 'settings';
  const setTab = (name: TabName) => route(name === 'settings' ? path : `${path}?tab=${name}`, true);
  const tabs: readonly (readonly [TabName, string])[] = [
    ['settings', 'Settings'],
    ['shape', 'Shape'],
    ['candidate', policy.candidate === undefined ? 'Candidate' : 'Candidate, on trial'],
    ['versions', 'Versions'],
  ];
  return (
    <Tabs label="Parts of the policy" tabs={tabs} current={tab} onChange={setTab}>
      {/* Stays while another tab is open: nothing that was typed is lost. */}
      <div hidden={tab !== 'settings'}>
        <PolicyEditor
          key={policy.version}
          policy={policy}
          onSaved={resource.reload}
          onCandidate={() => {
            resource.reload();
            setTab('candidate');
          }}
        />
      </div>
      {tab === 'shape' ? (
        <ShapeTab
          policy={policy}
          onChange={resource.reload}
          onCandidate={() => {
            resource.reload();
            setTab('candidate');
          }}
        />
      ) : null}
      {tab === 'candidate' ? <CandidateTab policy={policy} onChange={resource.reload} /> : null}
      {tab === 'versions' ? (
        <VersionsTab key={policy.version} policy={policy} onChange={resource.reload} />
      ) : null}
    </Tabs>
  );
}

function DeleteDialog(props: { readonly policy: PolicyDetail; readonly onClose: () => void }) {
  const { policy, onClose } = props;
  const { route } = useLocation();
  const say = useSay();
  const remove = useAction(async () => {
    await api('DELETE', `/policies/${policy.id}`);
    say(`${policy.name} is deleted.`);
    route('/dashboard/policies');
  });
  return (
    <ConfirmDialog
      title={`Delete ${policy.name}?`}
      action={remove}
      button="Delete the policy"
      onClose={onClose}
    >
      <p>This deletes the policy and its versions.</p>
    </ConfirmDialog>
  );
}
