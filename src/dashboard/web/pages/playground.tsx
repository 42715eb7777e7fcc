import { useState } from 'preact/hooks';
import type { Explanation } from '../../../contract/explanation.ts';
import { api } from '../api/client.ts';
import type { PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { policyOptions } from './key-create.tsx';
import { Trace } from './playground-trace.tsx';

const example = JSON.stringify(
  {
    username: 'alice',
    comment: 'The union will select a new leader from its members.',
    next: '/search?q=%2527%2520OR%25201%253D1%2520--',
  },
  undefined,
  2,
);

/** The body that a link brought along, else an example. */
function bodyInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('body') ?? example;
}

const contextFields = [
  ['method', 'Method', 'POST'],
  ['host', 'Host', 'shop.example.com'],
  ['uri', 'Path and query', '/account/email?x=1'],
  ['origin', 'Origin', 'https://elsewhere.example'],
  ['secFetchSite', 'Sec-Fetch-Site', 'cross-site'],
  ['contentType', 'Content type', 'application/json'],
  ['referer', 'Referer', 'https://elsewhere.example/page'],
  ['cookie', 'Cookie', 'theme=dark'],
] as const;

type ContextName = (typeof contextFields)[number][0];

/** Screens what is pasted, and shows each step on the way to the verdict. */
export function PlaygroundPage() {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [text, setText] = useState(bodyInAddress);
  const [policyId, setPolicyId] = useState('default');
  const [context, setContext] = useState<Partial<Record<ContextName, string>>>({});
  const [answer, setAnswer] = useState<Explanation | undefined>(undefined);
  const fault = bodyFault(text);
  const screen = useAction(async () => {
    const parts = Object.entries(context).filter(([, value]) => value !== '');
    const body = {
      body: JSON.parse(text),
      policyId,
      ...(parts.length === 0 ? {} : { context: Object.fromEntries(parts) }),
    };
    setAnswer(await api<Explanation>('POST', '/explain', { body }));
  });
  return (
    <Page
      title="Playground"
      intro="Screens a request as if it had come to /control, and shows each step. Nothing is counted or stored."
    >
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void screen.run();
        }}
      >
        <TextArea
          label="Body, a JSON object"
          value={text}
          onInput={setText}
          rows={8}
          code
          error={fault}
        />
        <ContextFields context={context} onChange={setContext} />
        <div class="filter-row">
          <Select
            label="Policy"
            value={policyId}
            options={policyOptions(policies.data?.policies)}
            onChange={setPolicyId}
          />
          <div class="filter-buttons">
            <Button kind="primary" type="submit" busy={screen.busy} disabled={fault !== undefined}>
              Screen it
            </Button>
          </div>
        </div>
        <ErrorNotice error={screen.error} />
      </form>
      <div aria-live="polite">{answer === undefined ? null : <Trace answer={answer} />}</div>
    </Page>
  );
}

function ContextFields(props: {
  readonly context: Partial<Record<ContextName, string>>;
  readonly onChange: (context: Partial<Record<ContextName, string>>) => void;
}) {
  const { context, onChange } = props;
  return (
    <details>
      <summary>Client request (enables the CSRF checks)</summary>
      <div class="context-grid">
        {contextFields.map(([name, label, placeholder]) => (
          <TextField
            key={name}
            label={label}
            value={context[name] ?? ''}
            onInput={(value) => onChange({ ...context, [name]: value })}
            placeholder={placeholder}
          />
        ))}
      </div>
    </details>
  );
}

function bodyFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'It must be an object: wrap it in { }.';
  } catch (error) {
    return `Not JSON yet: ${error instanceof Error ? error.message : String(error)}`;
  }
}
