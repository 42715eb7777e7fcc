import { useRef, useState } from 'preact/hooks';
import { defaultPolicy, type Policy } from '../../../contract/policy.ts';
import type { PolicyDetail } from '../api/types.ts';
import { useGuard } from '../hooks/use-guard.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { useChanges } from './policy-changes.tsx';
import { PolicyForm } from './policy-form.tsx';
import { SaveForm } from './policy-save.tsx';

/** The newest version as a form or as JSON, and to and from a file. */
export function PolicyEditor(props: {
  readonly policy: PolicyDetail;
  readonly onSaved: () => Promise<void>;
  readonly onCandidate: () => void;
}) {
  const { policy } = props;
  const [document, setDocument] = useState(policy.document);
  const [json, setJson] = useState<string | undefined>(undefined);
  const [name, setName] = useState(policy.name);
  const fault = json === undefined ? undefined : jsonFault(json);
  const wanted = () => (json === undefined ? tidied(document) : (JSON.parse(json) as Policy));
  const isDirty = name !== policy.name || fault !== undefined || !isSame(wanted(), policy.document);
  const changes = useChanges(policy.id, isDirty && fault === undefined ? wanted() : undefined);
  useGuard(isDirty);
  const change = () => {
    if (json === undefined) return setJson(JSON.stringify(document, undefined, 2));
    setDocument({ ...defaultPolicy, ...wanted() });
    setJson(undefined);
  };
  return (
    <>
      <p class="editor-switch">
        <Button kind="quiet" onClick={() => download(policy)}>
          Download as a file
        </Button>
        <Upload onText={setJson} />
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
      <SaveForm
        {...props}
        name={name}
        wanted={wanted}
        isFaulty={fault !== undefined}
        isDirty={isDirty}
        changes={changes}
        onDiscard={() => {
          setDocument(policy.document);
          setName(policy.name);
          setJson(undefined);
        }}
      />
    </>
  );
}

/** In the form of `sallyport policies export`, which `policies apply` takes as well. */
function download({ id, name, version, document }: PolicyDetail): void {
  const text = `${JSON.stringify({ policy: id, name, version, document }, null, 2)}\n`;
  const link = globalThis.document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `policy-${id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** Puts a file into the editor; nothing is stored before it was saved there. */
function Upload({ onText }: { readonly onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="File of a policy"
        onChange={async (event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onText(documentIn(await file.text()));
        }}
      />
      <Button needs="editor" kind="quiet" onClick={() => input.current?.click()}>
        Load a file
      </Button>
    </>
  );
}

/** The document of an exported policy; any other text stays as it is, for the editor to judge. */
function documentIn(text: string): string {
  try {
    const content: unknown = JSON.parse(text);
    const inner: unknown = Reflect.get(Object(content), 'document');
    return JSON.stringify(inner ?? content, undefined, 2);
  } catch {
    return text;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
