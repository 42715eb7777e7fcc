import { api } from '../api/client.ts';
import type { SessionRow } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Page, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { SecondFactorCard } from './second-factor.tsx';
import { SingleSignOnCard } from './single-sign-on.tsx';

interface Answer {
  readonly sessions: readonly SessionRow[];
}

/** Where the user is signed in. */
export function SessionsPage() {
  const sessions = useResource<Answer>('/sessions');
  const say = useSay();
  const end = useAction(async (row: SessionRow) => {
    await api('DELETE', `/sessions/${row.id}`);
    say('The session has ended.');
    await sessions.reload();
  });
  const everywhere = useAction(async () => {
    await api('DELETE', '/sessions');
    // The next answer is 401, which leads to the sign-in.
    await sessions.reload();
  });
  return (
    <Page
      title="Your sessions"
      intro="Where you are signed in. A session ends after 12 hours, by single sign-on earlier, or after 2 hours without use."
      actions={
        <Button kind="danger" busy={everywhere.busy} onClick={everywhere.run}>
          Sign out everywhere
        </Button>
      }
    >
      <ErrorNotice error={end.error ?? everywhere.error} />
      <Loaded resource={sessions}>
        {(data) => <SessionTable rows={data.sessions} onEnd={(row) => void end.run(row)} />}
      </Loaded>
      <SecondFactorCard />
      <SingleSignOnCard />
    </Page>
  );
}

/** A table of sessions; with names where they are of several people. */
export function SessionTable(props: {
  readonly rows: readonly SessionRow[];
  readonly withNames?: boolean;
  readonly onEnd?: (row: SessionRow) => void;
}) {
  const { rows, withNames = false, onEnd } = props;
  const columns = ['Browser', 'Address', 'Last seen', 'Signed in'];
  const before = withNames ? ['Name'] : [];
  const after = onEnd === undefined ? [] : ['Actions'];
  return (
    <Table caption="Sessions" columns={[...before, ...columns, ...after]}>
      {rows.map((row) => (
        <tr key={row.id}>
          {withNames ? (
            <td>
              <Inert text={row.name} />
            </td>
          ) : null}
          <td>
            {row.agent === '' ? 'unknown' : <Inert text={row.agent} />}
            {row.isCurrent ? <small>this one</small> : null}
          </td>
          <td>
            <Inert text={row.address} />
          </td>
          <td>
            <Time at={row.seenAt} />
          </td>
          <td>
            <Time at={row.createdAt} />
          </td>
          {onEnd === undefined ? null : (
            <td class="row-actions">
              {row.isCurrent ? null : (
                <Button
                  label={`End the session of ${row.agent} at ${row.address}`}
                  onClick={() => onEnd(row)}
                >
                  End
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
