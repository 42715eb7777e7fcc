import { useState } from 'preact/hooks';
import type { PolicyChange } from '../../../contract/policies.ts';
import { api, withQuery } from '../api/client.ts';
import type { PolicyDetail, PolicyVersion } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { ChangeList } from './policy-changes.tsx';

interface VersionsProps {
  readonly policy: PolicyDetail;
  readonly onChange: () => Promise<void>;
}

type Open = { readonly what: 'diff' | 'rollback'; readonly version: number };

export function VersionsTab({ policy, onChange }: VersionsProps) {
  const path = `/policies/${policy.id}/versions`;
  const versions = useResource<{ readonly versions: readonly PolicyVersion[] }>(path);
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const close = () => setOpen(undefined);
  return (
    <Loaded resource={versions}>
      {(data) => (
        <>
          <Table
            caption="Versions, newest first"
            columns={['Version', 'When', 'What and why', 'Actions']}
          >
            {data.versions.map((version) => (
              <VersionRow
                key={version.version}
                version={version}
                policy={policy}
                onOpen={setOpen}
              />
            ))}
          </Table>
          {open?.what === 'diff' ? (
            <DiffDialog policy={policy} version={open.version} onClose={close} />
          ) : null}
          {open?.what === 'rollback' ? (
            <RollbackDialog
              policy={policy}
              version={open.version}
              onClose={close}
              onChange={onChange}
            />
          ) : null}
        </>
      )}
    </Loaded>
  );
}

function VersionRow(props: {
  readonly version: PolicyVersion;
  readonly policy: PolicyDetail;
  readonly onOpen: (open: Open) => void;
}) {
  const { version, policy, onOpen } = props;
  const isNewest = version.version === policy.version;
  const act = (what: Open['what']) => () => onOpen({ what, version: version.version });
  return (
    <tr>
      <th scope="row">
        {version.version}
        {isNewest ? <small>in force</small> : null}
      </th>
      <td>
        <Time at={version.at} />
        <small>{version.by}</small>
      </td>
      <td>
        <Inert text={version.comment} />
      </td>
      <td class="row-actions">
        {version.version > 1 ? (
          <Button label={`What version ${version.version} changed`} onClick={act('diff')}>
            What changed
          </Button>
        ) : null}
        {isNewest ? null : (
          <Button
            needs="editor"
            label={`Roll back to version ${version.version}`}
            onClick={act('rollback')}
          >
            Roll back
          </Button>
        )}
      </td>
    </tr>
  );
}

function DiffDialog(props: {
  readonly policy: PolicyDetail;
  readonly version: number;
  readonly onClose: () => void;
}) {
  const { policy, version, onClose } = props;
  return (
    <Dialog title={`What version ${version} changed`} onClose={onClose} wide>
      <Diff policyId={policy.id} from={version - 1} to={version} />
    </Dialog>
  );
}

function Diff(props: { readonly policyId: string; readonly from: number; readonly to: number }) {
  const { policyId, from, to } = props;
  const diff = useResource<{ readonly changes: readonly PolicyChange[] }>(
    withQuery(`/policies/${policyId}/diff`, { from, to }),
  );
  return (
    <Loaded resource={diff} lines={3}>
      {({ changes }) =>
        changes.length === 0 ? (
          <Empty title="The two versions are the same." />
        ) : (
          <ChangeList changes={changes} />
        )
      }
    </Loaded>
  );
}

function RollbackDialog(
  props: VersionsProps & { readonly version: number; readonly onClose: () => void },
) {
  const { policy, version, onClose, onChange } = props;
  const say = useSay();
  const rollBack = useAction(async () => {
    const body = { version, comment: `back to version ${version}` };
    await api('POST', `/policies/${policy.id}/rollback`, { body });
    say(`Version ${version} is in force again, as a new version.`);
    await onChange();
    onClose();
  });
  return (
    <Dialog title={`Roll back to version ${version}?`} onClose={onClose} wide>
      <p>
        The policy returns to that version. This makes a new version, so you can undo it as well.
      </p>
      <h3>What changes</h3>
      <Diff policyId={policy.id} from={policy.version} to={version} />
      <ErrorNotice error={rollBack.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button needs="editor" kind="primary" busy={rollBack.busy} onClick={rollBack.run}>
          Roll back
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
