import { useState } from 'preact/hooks';
import type { PolicyProblem } from '../../../contract/explanation.ts';
import type { Shape, ShapeRoute } from '../../../contract/shape.ts';
import { api } from '../api/client.ts';
import type { DeclaredShape, PolicyDetail } from '../api/types.ts';
import { type Action, useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, TextArea } from '../ui/field.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Notice } from '../ui/notice.tsx';
import { Card, Table, useSay } from '../ui/page.tsx';
import { LearntShapeCard } from './policy-learnt.tsx';

interface ShapeTabProps {
  readonly policy: PolicyDetail;
  readonly onChange: () => Promise<void>;
  readonly onCandidate: () => void;
}

/** What may come in, as the policy declares it. */
export function ShapeTab(props: ShapeTabProps) {
  const { policy, onChange } = props;
  const { shape } = policy.document;
  return (
    <>
      {shape === undefined ? (
        <Empty title="Nothing is declared">
          Upload the OpenAPI document of the application: requests that are not as it says become
          findings, and values such as ids and numbers are not screened further.
        </Empty>
      ) : (
        <Declared shape={shape} policy={policy} onChange={onChange} />
      )}
      <LearntShapeCard {...props} />
      <Upload {...props} />
    </>
  );
}

const routesShownMax = 300;

function Declared(props: {
  readonly shape: Shape;
  readonly policy: PolicyDetail;
  readonly onChange: () => Promise<void>;
}) {
  const { shape, policy, onChange } = props;
  const say = useSay();
  const remove = useAction(async () => {
    await api('DELETE', `/policies/${policy.id}/shape`);
    say('The shape is removed.');
    await onChange();
  });
  const routes = shape.routes ?? [];
  const more = routes.length - routesShownMax;
  return (
    <Card title="Declared shape">
      <p>
        {shape.title === undefined ? null : (
          <>
            <Inert text={shape.title} />:{' '}
          </>
        )}
        {routes.length} operations.{' '}
        {shape.unlisted === 'screen'
          ? 'Requests without a route are only screened.'
          : 'Requests without a route are findings.'}
        {shape.body === undefined ? '' : ' Whole bodies have a schema.'}
      </p>
      {routes.length === 0 ? null : (
        <Table caption="Operations" columns={['Method', 'Path', 'Parameters', 'Body']}>
          {routes.slice(0, routesShownMax).map((route) => (
            <RouteRow key={`${route.method} ${route.path}`} route={route} />
          ))}
        </Table>
      )}
      {more > 0 ? <p class="faint">And {more} more.</p> : null}
      <ErrorNotice error={remove.error} />
      <div class="button-row">
        <Button needs="editor" kind="danger" busy={remove.busy} onClick={remove.run}>
          Remove the shape
        </Button>
      </div>
    </Card>
  );
}

function RouteRow({ route }: { readonly route: ShapeRoute }) {
  const { method, path, parameters = [], body } = route;
  return (
    <tr>
      <td>{method}</td>
      <th scope="row">
        <Inert text={path} />
      </th>
      <td>
        <Inert text={parameters.map(({ name }) => name).join(', ')} />
      </td>
      <td>
        <Inert text={Object.keys(body?.content ?? {}).join(', ')} />
      </td>
    </tr>
  );
}

function Upload({ policy, onChange, onCandidate }: ShapeTabProps) {
  const say = useSay();
  const [document, setDocument] = useState('');
  const [closed, setClosed] = useState(false);
  const [screen, setScreen] = useState(false);
  const [notes, setNotes] = useState<readonly PolicyProblem[]>([]);
  const put = (target: 'policy' | 'candidate' | 'none') =>
    api<DeclaredShape>('PUT', `/policies/${policy.id}/shape`, {
      body: { document, closed, target, unlisted: screen ? 'screen' : 'refuse' },
    });
  const declare = useAction(async () => {
    setNotes((await put('policy')).notes);
    say('The shape is in force.');
    await onChange();
  });
  const attempt = useAction(async () => {
    await put('candidate');
    say('The shape is on trial.');
    onCandidate();
  });
  const choose = async (file: File | undefined) => {
    if (file !== undefined) setDocument(await file.text());
  };
  return (
    <Card title="Declare from a document">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          attempt.run();
        }}
      >
        <Field label="File" hint="OpenAPI 3.0 or 3.1, or a JSON Schema; JSON or YAML.">
          {(wiring) => (
            <input
              {...wiring}
              type="file"
              accept=".json,.yaml,.yml"
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <TextArea label="Document" code rows={8} value={document} onInput={setDocument} />
        <Checkbox
          label="Refuse members and parameters that are not declared"
          checked={closed}
          onChange={setClosed}
        />
        <Checkbox
          label="Only screen requests without a route"
          checked={screen}
          onChange={setScreen}
        />
        <ErrorNotice error={attempt.error ?? declare.error} />
        <Notes notes={notes} />
        <UploadButtons isEmpty={document === ''} attempt={attempt} declare={declare} />
      </form>
    </Card>
  );
}

function UploadButtons(props: {
  readonly isEmpty: boolean;
  readonly attempt: Action<readonly []>;
  readonly declare: Action<readonly []>;
}) {
  const { isEmpty, attempt, declare } = props;
  return (
    <div class="button-row">
      <Button needs="editor" kind="primary" type="submit" busy={attempt.busy} disabled={isEmpty}>
        Try as a candidate first
      </Button>
      <Button needs="editor" busy={declare.busy} disabled={isEmpty} onClick={declare.run}>
        Put in force
      </Button>
    </div>
  );
}

/** What of a document is not enforced. */
function Notes({ notes }: { readonly notes: readonly PolicyProblem[] }) {
  if (notes.length === 0) return null;
  return (
    <Notice kind="warning">
      <ul>
        {notes.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <code>{pointer}</code> <Inert text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
