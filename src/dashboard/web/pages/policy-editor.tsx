import { useState } from 'preact/hooks';
import { defaultPolicy, type Policy } from '../../../contract/policy.ts';
import { type ApiError, api } from '../api/client.ts';
import type { PolicyDetail } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useSay } from '../ui/page.tsx';
import { PolicyForm } from './policy-form.tsx';

/** The newest version as a form or as JSON. */
export function PolicyEditor(props: {
  readonly policy: PolicyDetail;
  readonly onSaved: () => void;
  readonly onCandidate: () => void;
}) {
  const { policy } = props;
  const [document, setDocument] = useState(policy.document);
  const [json, setJson] = useState<string | undefined>(undefined);
  const [name, setName] = useState(policy.name);
  const fault = json === undefined ? undefined : jsonFault(json);
  const wanted = () => (json === undefined ? tidied(document) : (JSON.parse(json) as Policy));
  const change = () => {
    if (json === undefined) return setJson(JSON.stringify(document, undefined, 2));
    setDocument({ ...defaultPolicy, ...wanted() });
    setJson(undefined);
  };
  return (
    <>
      <p class="editor-switch">
        <Button kind="quiet" disabled={fault !== undefined} onClick={change}>
          {json === undefined ? 'Edit as JSON' : 'Edit as a form'}
        </Button>
      </p>
      {json === undefined ? (
        <PolicyForm document={document} name={name} onName={setName} onChange={setDocument} />
      ) : (
        <TextArea
          label="Policy document"
          value={json}
          onInput={setJson}
          rows={28}
          code
          error={fault}
        />
      )}
      <SaveForm {...props} name={name} wanted={wanted} isFaulty={fault !== undefined} />
    </>
  );
}

/** Saves the policy with a comment, or puts it on trial. */
function SaveForm(props: {
  readonly policy: PolicyDetail;
  readonly name: string;
  readonly wanted: () => Policy;
  readonly isFaulty: boolean;
  readonly onSaved: () => void;
  readonly onCandidate: () => void;
}) {
  const { policy, name, wanted, isFaulty } = props;
  const [comment, setComment] = useState('');
  const say = useSay();
  const save = useAction(async () => {
    const body = { name, document: wanted(), baseVersion: policy.version, comment };
    await api('PUT', `/policies/${policy.id}`, { body });
    say('Saved as a new version. It is in force within a second.');
    props.onSaved();
  });
  const tryOut = useAction(async () => {
    await api('PUT', `/policies/${policy.id}/candidate`, { body: { document: wanted() } });
    say('The candidate is on trial. It changes no answer.');
    props.onCandidate();
  });
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <TextField
        label="What you changed, and why"
        value={comment}
        onInput={setComment}
        required
        maxLength={1_000}
        hint="Shown in the version history and audit log."
      />
      <SaveErrors save={save.error ?? tryOut.error} onReload={props.onSaved} />
      <div class="button-row">
        <Button kind="primary" type="submit" busy={save.busy} disabled={isFaulty}>
          Save as a new version
        </Button>
        <Button busy={tryOut.busy} disabled={isFaulty} onClick={tryOut.run}>
          Try as a candidate first
        </Button>
      </div>
    </form>
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

/** Without the empty lines that exist while the user types. */
function tidied(document: Policy): Policy {
  const trustedOrigins = document.trustedOrigins.map((one) => one.trim()).filter(Boolean);
  return { ...document, trustedOrigins };
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Not JSON yet: ${error instanceof Error ? error.message : String(error)}`;
  }
}
