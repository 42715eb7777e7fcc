import { useEffect, useState } from 'preact/hooks';
import type { Policy } from '../../../contract/policy.ts';
import { type ApiError, api } from '../api/client.ts';
import type { PolicyDetail } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useSay } from '../ui/page.tsx';
import { AcceptWide } from './exclusion-effect.tsx';
import { ChangeList, type Changes } from './policy-changes.tsx';

/** What changes, and to save it with a comment or put it on trial; in sight while there is something. */
export function SaveForm(props: {
  readonly policy: PolicyDetail;
  readonly name: string;
  readonly wanted: () => Policy;
  readonly isFaulty: boolean;
  readonly isDirty: boolean;
  readonly changes: Changes;
  readonly onDiscard: () => void;
  readonly onSaved: () => Promise<void>;
  readonly onCandidate: () => void;
}) {
  const { policy, name, wanted, isDirty, changes } = props;
  const [comment, setComment] = useState('');
  const { isWide } = changes;
  const [accepted, setAccepted] = useAcceptance(isWide);
  const canSave = isDirty && !props.isFaulty && (!isWide || accepted);
  const wide = isWide ? { acceptWide: accepted } : {};
  const say = useSay();
  const save = useAction(async () => {
    const body = { name, document: wanted(), baseVersion: policy.version, comment, ...wide };
    await api('PUT', `/policies/${policy.id}`, { body });
    say('Saved as a new version. It is in force within a second.');
    await props.onSaved();
  });
  const tryOut = useAction(async () => {
    await api('PUT', `/policies/${policy.id}/candidate`, {
      body: { document: wanted(), ...wide },
    });
    say('The candidate is on trial. It changes no answer.');
    // They are in the candidate now.
    props.onDiscard();
    props.onCandidate();
  });
  const error = save.error ?? tryOut.error;
  return (
    <form
      class={isDirty ? 'card save-bar' : 'card'}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <Difference {...props} />
      <AcceptWide isWide={isWide} accepted={accepted} onChange={setAccepted} />
      <TextField
        label="What you changed, and why"
        value={comment}
        onInput={setComment}
        required
        maxLength={1_000}
      />
      <SaveErrors save={error ?? changes.error} onReload={props.onSaved} />
      <div class="button-row">
        <Button needs="editor" kind="primary" type="submit" busy={save.busy} disabled={!canSave}>
          Save as a new version
        </Button>
        <Button needs="editor" busy={tryOut.busy} disabled={!canSave} onClick={tryOut.run}>
          Try as a candidate first
        </Button>
        {isDirty ? (
          <Button kind="quiet" onClick={props.onDiscard}>
            Discard the changes
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Whether a wide document was accepted: each further change is asked about again. */
function useAcceptance(isWide: boolean) {
  const [accepted, setAccepted] = useState(false);
  useEffect(() => {
    if (!isWide) setAccepted(false);
  }, [isWide]);
  return [accepted, setAccepted] as const;
}

/** The differences to the newest version, folded. */
function Difference(props: {
  readonly policy: PolicyDetail;
  readonly name: string;
  readonly isDirty: boolean;
  readonly changes: Changes;
}) {
  const { policy, name, isDirty, changes } = props;
  if (!isDirty) return <p class="faint">No unsaved changes.</p>;
  const { list } = changes;
  const isRenamed = name !== policy.name;
  if (list === undefined) return <p class="faint">Unsaved changes.</p>;
  return (
    <details class="changes">
      <summary>{counted(list.length + (isRenamed ? 1 : 0), 'unsaved change')}</summary>
      {isRenamed ? (
        <p>
          The name becomes <strong>{name}</strong>.
        </p>
      ) : null}
      <ChangeList changes={list} />
    </details>
  );
}

const conflict = 409;

function SaveErrors(props: { readonly save: ApiError | undefined; readonly onReload: () => void }) {
  const { save } = props;
  if (save?.status !== conflict) return <ErrorNotice error={save} />;
  return (
    <Notice kind="warning">
      <strong>Someone else saved a newer version.</strong>
      <p>{save.message} Your changes are still here; loading the newest version drops them.</p>
      <Button onClick={props.onReload}>Load the newest version</Button>
    </Notice>
  );
}
