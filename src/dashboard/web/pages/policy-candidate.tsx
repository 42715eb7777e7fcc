import { useState } from 'preact/hooks';
import type { Exclusion } from '../../../contract/policy.ts';
import { api } from '../api/client.ts';
import type { CandidateEffect, CandidateReport, PolicyDetail } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { count, counted, share } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Card, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { ExclusionEdit } from './exclusion-edit.tsx';

interface CandidateProps {
  readonly policy: PolicyDetail;
  readonly onChange: () => Promise<void>;
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
  const [excluded, setExcluded] = useState<CandidateEffect | undefined>(undefined);
  const say = useSay();
  const exclude = useAction(async (exclusion: Exclusion) => {
    const { document } = report.data?.candidate ?? {};
    if (document === undefined) return;
    const changed = { ...document, exclusions: [...document.exclusions, exclusion] };
    // A wide one was accepted in the dialog.
    await api('PUT', path, { body: { document: changed, acceptWide: true } });
    say('The candidate has the exclusion. Its trial begins anew.');
    await Promise.all([report.reload(), onChange()]);
  });
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
          <ErrorNotice error={exclude.error} />
          <Effects
            title="Would newly block"
            effects={candidate.newlyBlocked}
            screened={candidate.screened}
            onExclude={setExcluded}
          />
          <Effects
            title="Would newly allow"
            effects={candidate.newlyFreed}
            screened={candidate.screened}
          />
          <Decide policy={policy} onChange={onChange} />
          {excluded === undefined ? null : (
            <ExclusionEdit
              exclusion={undefined}
              suggested={excluded}
              to="candidate"
              onClose={() => setExcluded(undefined)}
              onSave={(exclusion) => {
                setExcluded(undefined);
                void exclude.run(exclusion);
              }}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

function Effects(props: {
  readonly title: string;
  readonly effects: readonly CandidateEffect[];
  /** Requests that were screened with both. */
  readonly screened: number;
  readonly onExclude?: (effect: CandidateEffect) => void;
}) {
  const { title, effects, screened, onExclude } = props;
  if (effects.length === 0) {
    return (
      <Card title={title}>
        <Empty title="Nothing so far." />
      </Card>
    );
  }
  const columns = ['Field', 'What', 'Requests', 'Examples'];
  return (
    <Card title={title}>
      <Table caption={title} columns={onExclude === undefined ? columns : [...columns, 'Actions']}>
        {effects.map((effect) => (
          <tr key={`${effect.pointer} ${effect.rule}`}>
            <th scope="row">
              <code>
                <Inert text={effect.pointer || 'the request'} />
              </code>
            </th>
            <td>
              {titleOf(effect.category)}
              <small>
                <a href={`/dashboard/rules?q=${encodeURIComponent(effect.rule)}`}>{effect.rule}</a>
              </small>
            </td>
            <td class="number">
              {count(effect.count)}
              <small>{share(effect.count / Math.max(1, screened))} of all</small>
            </td>
            <td>
              <Examples effect={effect} />
            </td>
            {onExclude === undefined ? null : (
              <td class="row-actions">
                <Button
                  needs="editor"
                  label={`Exclude ${effect.rule} in ${effect.pointer}`}
                  onClick={() => onExclude(effect)}
                >
                  Exclude
                </Button>
              </td>
            )}
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** The event of what is blocked today; of what is not, the first requests, without secrets. */
function Examples({ effect: { lastEventId, examples } }: { readonly effect: CandidateEffect }) {
  if (lastEventId !== undefined) return <a href={`/dashboard/events/${lastEventId}`}>the latest</a>;
  if (examples.length === 0) return <span class="faint">not kept</span>;
  return (
    <ul class="plain-list">
      {examples.map(({ at, evidence, method, path, client }) => (
        <li key={`${at} ${evidence}`}>
          {evidence === '' ? (
            <span class="faint">none</span>
          ) : (
            <code>
              <Inert text={evidence} />
            </code>
          )}
          <small>
            <Time at={at} /> <Inert text={[method, path, client].filter(Boolean).join(' ')} />
          </small>
        </li>
      ))}
    </ul>
  );
}

function Decide({ policy, onChange }: CandidateProps) {
  const [comment, setComment] = useState('');
  const say = useSay();
  const promote = useAction(async () => {
    const body = { baseVersion: policy.version, comment };
    await api('POST', `/policies/${policy.id}/candidate/promote`, { body });
    say('The candidate is the policy now.');
    await onChange();
  });
  const drop = useAction(async () => {
    await api('DELETE', `/policies/${policy.id}/candidate`);
    say('The trial has ended. The policy is as it was.');
    await onChange();
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
