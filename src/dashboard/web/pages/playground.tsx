import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Explanation } from '../../../contract/explanation.ts';
import { api } from '../api/client.ts';
import type { PolicySummary } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { type Option, Select, TextArea, TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Page, useSay } from '../ui/page.tsx';
import { policyOptions } from './key-create.tsx';
import { linkOf, loadContent, type PlaygroundContent, saveContent } from './playground-content.ts';
import { Trace } from './playground-trace.tsx';
import { fieldsOf } from './request-fields.ts';
import { looksLikeRequest, readPasted } from './request-text.ts';

const samples: readonly (readonly [label: string, text: string])[] = [
  [
    'JSON body',
    JSON.stringify(
      {
        username: 'alice',
        comment: 'The union will select a new leader from its members.',
        next: '/search?q=%2527%2520OR%25201%253D1%2520--',
      },
      undefined,
      2,
    ),
  ],
  [
    'curl command',
    "curl 'https://shop.example.com/search?page=2' \\\n  -H 'Cookie: theme=dark' \\\n  --data-urlencode \"q=' UNION SELECT name, password FROM users --\"",
  ],
  [
    'Raw HTTP',
    'POST /profile HTTP/1.1\nHost: shop.example.com\nContent-Type: application/json\n\n{"bio":"<img src=x onerror=alert(1)>"}',
  ],
];

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

const usual: PlaygroundContent = {
  text: samples[0]?.[1] ?? '',
  policyId: 'default',
  besideId: '',
  context: {},
};

interface Answered {
  readonly policyName: string;
  readonly answer: Explanation;
}

/** Screens what is pasted, and shows each step on the way to the verdict. */
export function PlaygroundPage() {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [content, setContent] = useState(() => loadContent(usual));
  const [answers, setAnswers] = useState<readonly Answered[]>([]);
  useEffect(() => saveContent(content), [content]);
  const read = useMemo(() => readBody(content.text), [content.text]);
  const options = policyOptions(policies.data?.policies);
  const screen = useAction(async () => {
    if (read.body !== undefined) setAnswers(await answersOf(read.body, content, options));
  });
  return (
    <Page
      title="Playground"
      intro="Screens a request as if it had come to /control, and shows each step. Nothing is counted or stored."
      actions={<ShareButton content={content} />}
    >
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void screen.run();
        }}
      >
        <RequestFields
          content={content}
          fault={read.fault}
          options={options}
          onChange={(part) => setContent((before) => ({ ...before, ...part }))}
        >
          <Button
            needs="editor"
            kind="primary"
            type="submit"
            busy={screen.busy}
            disabled={!read.body}
          >
            Screen it
          </Button>
        </RequestFields>
        <ErrorNotice error={screen.error} />
      </form>
      <div aria-live="polite" class={answers.length > 1 ? 'columns' : ''}>
        {answers.map(({ policyName, answer }) => (
          <section key={policyName} aria-label={`By the policy ${policyName}`}>
            {answers.length > 1 ? <h2>{policyName}</h2> : null}
            <Trace answer={answer} />
          </section>
        ))}
      </div>
    </Page>
  );
}

/** What each of the chosen policies makes of a body. */
function answersOf(
  body: object,
  { policyId, besideId, context }: PlaygroundContent,
  options: readonly Option<string>[],
): Promise<readonly Answered[]> {
  const parts = Object.entries(context).filter(([, value]) => value !== '');
  const all = parts.length === 0 ? {} : { context: Object.fromEntries(parts) };
  const ids = new Set([policyId, besideId].filter((id) => id !== ''));
  return Promise.all(
    [...ids].map(async (id): Promise<Answered> => {
      const wanted = { body: { body, policyId: id, ...all } };
      const answer = await api<Explanation>('POST', '/explain', wanted);
      return { policyName: options.find(({ value }) => value === id)?.label ?? id, answer };
    }),
  );
}

/** The request, by which policies it is screened, and what sends it. */
function RequestFields(props: {
  readonly content: PlaygroundContent;
  readonly fault: string | undefined;
  readonly options: readonly Option<string>[];
  readonly onChange: (part: Partial<PlaygroundContent>) => void;
  readonly children: ComponentChildren;
}) {
  const { content, fault, options, onChange, children } = props;
  return (
    <>
      <TextArea
        label="Request"
        hint="A JSON object, a raw HTTP request, or a curl command"
        value={content.text}
        onInput={(text) => onChange({ text })}
        rows={8}
        code
        error={fault}
      />
      <p class="samples">
        Samples:{' '}
        {samples.map(([label, text]) => (
          <Button key={label} kind="quiet" onClick={() => onChange({ text })}>
            {label}
          </Button>
        ))}
      </p>
      <ContextFields context={content.context} onChange={(context) => onChange({ context })} />
      <div class="filter-row">
        <Select
          label="Policy"
          value={content.policyId}
          options={options}
          onChange={(policyId) => onChange({ policyId })}
        />
        <Select
          label="Compare with"
          value={content.besideId}
          options={[{ value: '', label: 'No other policy' }, ...options]}
          onChange={(besideId) => onChange({ besideId })}
        />
        <div class="filter-buttons">{children}</div>
      </div>
    </>
  );
}

/** Copies a link to what is in the form. */
function ShareButton({ content }: { readonly content: PlaygroundContent }) {
  const say = useSay();
  const link = linkOf(content);
  return (
    <Button
      disabled={link === undefined}
      onClick={() => {
        if (link === undefined) return;
        history.replaceState(history.state, '', link);
        navigator.clipboard?.writeText(link).then(
          () => say('The link was copied.'),
          () => say('The link is in the address bar.'),
        );
      }}
    >
      {link === undefined ? 'Too long for a link' : 'Copy a link'}
    </Button>
  );
}

function ContextFields(props: {
  readonly context: PlaygroundContent['context'];
  readonly onChange: (context: PlaygroundContent['context']) => void;
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

/** What is screened of a text, or what is wrong with the text. */
function readBody(text: string): { readonly body?: object; readonly fault?: string } {
  if (looksLikeRequest(text)) {
    const pasted = readPasted(text);
    return pasted.kind === 'fault' ? { fault: pasted.message } : { body: fieldsOf(pasted.request) };
  }
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { body: value } : { fault: 'It must be an object: wrap it in { }.' };
  } catch (error) {
    return { fault: `Not JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}
