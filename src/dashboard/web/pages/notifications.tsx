import { useState } from 'preact/hooks';
import type { TestOutcome } from '../../../contract/notification.ts';
import { api } from '../api/client.ts';
import type { ChannelRow, PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded, Notice } from '../ui/notice.tsx';
import { Page, Table, useSay } from '../ui/page.tsx';
import { NotificationDialog } from './notification-dialog.tsx';
import { formOf, wishOf } from './notification-form.ts';
import { NotificationHistory } from './notification-history.tsx';
import { heardOf, kindNames, placeOf, whenOf } from './notification-words.ts';

interface Answer {
  readonly channels: readonly ChannelRow[];
  readonly publicUrl?: string;
}

/** Who is notified of blocks, how, and what became of it. */
export function NotificationsPage() {
  const channels = useResource<Answer>('/notifications');
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [edited, setEdited] = useState<ChannelRow | 'new' | undefined>(undefined);
  const [shown, setShown] = useState<ChannelRow | undefined>(undefined);
  const [tested, setTested] = useState<(TestOutcome & { readonly name: string }) | undefined>();
  const say = useSay();
  const change = useAction(async (row: ChannelRow, act: Act) => {
    setTested(undefined);
    const path = `/notifications/${row.id}`;
    if (act === 'test') {
      setTested({ ...(await api<TestOutcome>('POST', `${path}/test`)), name: row.name });
      return;
    }
    if (act === 'remove') await api('DELETE', path);
    else await api('PUT', path, { body: { ...wishOf(formOf(row)), isPaused: act === 'pause' } });
    say(`${row.name} is ${doneWords[act]}.`);
    await channels.reload();
  });
  const names = new Map((policies.data?.policies ?? []).map(({ id, name }) => [id, name]));
  return (
    <Page
      title="Notifications"
      intro="Channels notify people of blocks: in Slack or Teams, by e-mail, through a webhook or over syslog."
      actions={
        <Button needs="administrator" kind="primary" icon="plus" onClick={() => setEdited('new')}>
          Add a channel
        </Button>
      }
    >
      <ErrorNotice error={change.error} />
      {tested === undefined ? null : <Tested outcome={tested} />}
      <Loaded resource={channels}>
        {(answer) => (
          <ChannelList
            answer={answer}
            policies={names}
            busy={change.busy}
            onAct={(row, act) => void change.run(row, act)}
            onEdit={setEdited}
            onHistory={setShown}
          />
        )}
      </Loaded>
      {edited === undefined ? null : (
        <NotificationDialog
          row={edited === 'new' ? undefined : edited}
          policies={policies.data?.policies ?? []}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            channels.reload();
          }}
        />
      )}
      {shown === undefined ? null : (
        <NotificationHistory row={shown} onClose={() => setShown(undefined)} />
      )}
    </Page>
  );
}

/** The channels, and what can be done to each. */
function ChannelList(props: {
  readonly answer: Answer;
  readonly policies: ReadonlyMap<string, string>;
  readonly busy: boolean;
  readonly onAct: (row: ChannelRow, act: Act) => void;
  readonly onEdit: (row: ChannelRow) => void;
  readonly onHistory: (row: ChannelRow) => void;
}) {
  const { channels, publicUrl } = props.answer;
  if (channels.length === 0) {
    return (
      <Empty title="There are no channels yet.">
        <p>Add a channel, and send a test to see that messages arrive.</p>
      </Empty>
    );
  }
  return (
    <>
      <Table caption="Channels" columns={['Name', 'To', 'Hears', 'When', 'Actions']}>
        {channels.map((row) => (
          <ChannelTableRow
            key={row.id}
            row={row}
            policies={props.policies}
            busy={props.busy}
            onAct={(act) => props.onAct(row, act)}
            onEdit={() => props.onEdit(row)}
            onHistory={() => props.onHistory(row)}
          />
        ))}
      </Table>
      {publicUrl === undefined ? (
        <p class="faint">
          Messages have no links: set <code>--public-url</code> to the address of this page.
        </p>
      ) : null}
    </>
  );
}

type Act = 'test' | 'pause' | 'resume' | 'remove';

const doneWords = { pause: 'paused', resume: 'active again', remove: 'removed' } as const;

function Tested({ outcome }: { readonly outcome: TestOutcome & { readonly name: string } }) {
  const { name, isDelivered, answer, tookMs } = outcome;
  return (
    <div role="status">
      <Notice kind={isDelivered ? 'success' : 'warning'}>
        <strong>
          {isDelivered
            ? `The test to ${name} was accepted.`
            : `The test to ${name} did not arrive.`}
        </strong>
        <p>
          The receiver said: <Inert text={answer} /> ({tookMs} ms)
        </p>
      </Notice>
    </div>
  );
}

function ChannelTableRow(props: {
  readonly row: ChannelRow;
  readonly policies: ReadonlyMap<string, string>;
  readonly busy: boolean;
  readonly onAct: (act: Act) => void;
  readonly onEdit: () => void;
  readonly onHistory: () => void;
}) {
  const { row, policies, busy, onAct, onEdit, onHistory } = props;
  const { name, kind, isPaused } = row;
  const pause = isPaused ? 'Resume' : 'Pause';
  return (
    <tr>
      <th scope="row">
        {name}
        {isPaused ? <small>Paused</small> : null}
      </th>
      <td>
        {kindNames[kind]}
        <small>
          <Inert text={placeOf(row)} />
        </small>
      </td>
      <td>{heardOf(row, policies)}</td>
      <td>{whenOf(row)}</td>
      <td class="row-actions many">
        <Button
          needs="administrator"
          label={`Send a test to ${name}`}
          disabled={busy}
          onClick={() => onAct('test')}
        >
          Send a test
        </Button>
        <Button label={`History of ${name}`} onClick={onHistory}>
          History
        </Button>
        <Button needs="administrator" label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          needs="administrator"
          label={`${pause} ${name}`}
          disabled={busy}
          onClick={() => onAct(isPaused ? 'resume' : 'pause')}
        >
          {pause}
        </Button>
        <Button
          needs="administrator"
          label={`Remove ${name}`}
          disabled={busy}
          onClick={() => onAct('remove')}
        >
          Remove
        </Button>
      </td>
    </tr>
  );
}
