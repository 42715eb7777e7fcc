import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { CandidateEffect, CandidateReport, PolicyDetail } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { count, counted } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Card, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

interface CandidateProps {
  readonly policy: PolicyDetail;
  readonly onChange: () => void;
}

/** A policy on trial: real requests are screened with it too, and only a report comes of it. */
export function CandidateTab({ policy, onChange }: CandidateProps) {
  if (policy.candidate === undefined) {
    return (
      <Empty title="No candidate is on trial.">
        <p>
          Change the settings and choose “Try as a candidate first”: real requests are then screened
          with both, after they were answered, and this page shows what would change.
        </p>
      </Empty>
    );
  }
  return <Report policy={policy} onChange={onChange} />;
}

function Report({ policy, onChange }: CandidateProps) {
  const path = `/policies/${policy.id}/candidate`;
  const report = useResource<{ readonly candidate: CandidateReport }>(path);
  return (
    <Loaded resource={report}>
      {({ candidate }) => (
        <>
          <Card title="The trial so far" actions={<Button onClick={report.reload}>Refresh</Button>}>
            <p>
              {counted(candidate.screened, 'request')} screened with both since{' '}
              <Time at={candidate.since} />
              {candidate.dropped === 0
                ? '.'
                : `; ${count(candidate.dropped)} were skipped to protect the service.`}
            </p>
          </Card>
          <Effects title="Would newly block" effects={candidate.newlyBlocked} />
          <Effects title="Would newly allow" effects={candidate.newlyFreed} />
          <Decide policy={policy} onChange={onChange} />
        </>
      )}
    </Loaded>
  );
}

function Effects(props: { readonly title: string; readonly effects: readonly CandidateEffect[] }) {
  const { title, effects } = props;
  return (
    <Card title={title}>
      {effects.length === 0 ? (
        <Empty title="Nothing so far." />
      ) : (
        <Table caption={title} columns={['Field', 'What', 'Requests', 'Example']}>
          {effects.map((effect) => (
            <tr key={`${effect.pointer} ${effect.rule}`}>
              <th scope="row">
                <code>
                  <Inert text={effect.pointer} />
                </code>
              </th>
              <td>
                {titleOf(effect.category)}
                <small>{effect.rule}</small>
              </td>
              <td class="number">{count(effect.count)}</td>
              <td>
                {effect.lastEventId === undefined ? (
                  '–'
                ) : (
                  <a href={`/dashboard/events/${effect.lastEventId}`}>the latest</a>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

function Decide({ policy, onChange }: CandidateProps) {
  const [comment, setComment] = useState('');
  const say = useSay();
  const promote = useAction(async () => {
    const body = { baseVersion: policy.version, comment };
    await api('POST', `/policies/${policy.id}/candidate/promote`, { body });
    say('The candidate is the policy now.');
    onChange();
  });
  const drop = useAction(async () => {
    await api('DELETE', `/policies/${policy.id}/candidate`);
    say('The trial has ended. The policy is as it was.');
    onChange();
  });
  return (
    <Card title="Decide">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void promote.run();
        }}
      >
        <TextField
          label="What changes, and why"
          value={comment}
          onInput={setComment}
          required
          maxLength={1_000}
        />
        <ErrorNotice error={promote.error ?? drop.error} />
        <div class="button-row">
          <Button needs="editor" kind="primary" type="submit" busy={promote.busy}>
            Make it the policy
          </Button>
          <Button needs="editor" busy={drop.busy} onClick={drop.run}>
            End the trial
          </Button>
        </div>
      </form>
    </Card>
  );
}
