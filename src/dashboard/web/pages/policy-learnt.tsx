import { api } from '../api/client.ts';
import type { DeclaredShape, LearntShape, PolicyDetail } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { bytes, count, counted } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Card, Table, useSay } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

interface LearntProps {
  readonly policy: PolicyDetail;
  readonly onChange: () => Promise<void>;
  readonly onCandidate: () => void;
}

const rowsShownMax = 400;

/** The shape that the traffic of a policy has: learning, the proposal, what drifted. */
export function LearntShapeCard(props: LearntProps) {
  const path = `/policies/${props.policy.id}/shape/learnt`;
  const learnt = useResource<LearntShape>(path);
  return (
    <Loaded resource={learnt}>
      {(data) => (
        <>
          <Progress {...props} learnt={data} onReload={learnt.reload} />
          {data.drift.length === 0 ? null : <Drift learnt={data} />}
          {data.proposal === undefined ? null : (
            <Proposed {...props} learnt={data} onReload={learnt.reload} />
          )}
        </>
      )}
    </Loaded>
  );
}

type Part = LearntProps & { readonly learnt: LearntShape; readonly onReload: () => Promise<void> };

function Progress({ policy, learnt, onChange, onReload }: Part) {
  const say = useSay();
  const turn = useAction(async () => {
    const { learnShape: isOn, ...rest } = policy.document;
    const document = isOn === true ? rest : { ...rest, learnShape: true };
    const comment = isOn === true ? 'Stop learning the shape' : 'Learn the shape of the traffic';
    const body = { document, baseVersion: policy.version, comment };
    await api('PUT', `/policies/${policy.id}`, { body });
    say(isOn === true ? 'The shape is learnt no more.' : 'The shape of the traffic is learnt.');
    await Promise.all([onChange(), onReload()]);
  });
  const all = learnt.requests + learnt.leftOut;
  const share = all === 0 ? 100 : Math.round((100 * learnt.requests) / all);
  return (
    <Card title="Learn from traffic" actions={<Button onClick={onReload}>Refresh</Button>}>
      <Checkbox
        label="Learn the shape of the requests with this policy"
        // Until the policy shows it, what was asked for is shown.
        checked={(policy.document.learnShape === true) !== turn.busy}
        onChange={() => void turn.run()}
      />
      <p class="hint">
        By route and field: types, lengths, formats and counts, never values of secrets. Learning
        refuses nothing; blocked requests are not learnt from.
      </p>
      <ErrorNotice error={turn.error} />
      {all === 0 ? null : (
        <dl class="facts across">
          <div>
            <dt>Requests learnt from</dt>
            <dd>
              {count(learnt.requests)} ({share}%)
            </dd>
          </div>
          <div>
            <dt>Routes</dt>
            <dd>{count(learnt.routes)}</dd>
          </div>
          <div>
            <dt>Memory</dt>
            <dd>{bytes(learnt.bytes)}</dd>
          </div>
          <div>
            <dt>Since</dt>
            <dd>{learnt.first === undefined ? '–' : <Time at={learnt.first} />}</dd>
          </div>
        </dl>
      )}
      {all > 0 && learnt.proposal === undefined ? (
        <Empty title="Too little was seen for a proposal.">
          A route is proposed from 20 requests on, most constraints from 50 or 100.
        </Empty>
      ) : null}
    </Card>
  );
}

function Proposed({ policy, learnt, onCandidate, onReload }: Part) {
  const say = useSay();
  const path = `/policies/${policy.id}/shape/learnt`;
  const attempt = useAction(async () => {
    await api<DeclaredShape>('POST', `${path}/candidate`, { body: {} });
    say('The learnt shape is on trial.');
    onCandidate();
  });
  const reset = useAction(async () => {
    await api('DELETE', path);
    say('What was learnt is forgotten.');
    await onReload();
  });
  const { effect, evidence, proposal } = learnt;
  const spared = Math.round((100 * effect.sparedValues) / Math.max(1, effect.values));
  const more = evidence.length - rowsShownMax;
  return (
    <Card title="Proposed shape">
      <p>
        {spared}% of {counted(effect.values, 'value')} would need no screening.{' '}
        {proposal?.unlisted === 'refuse'
          ? `Other routes would be refused: ${counted(effect.refusedRequests, 'request')} of those learnt from.`
          : 'Requests of other routes would only be screened.'}
      </p>
      <EventEffect events={effect.events} />
      <Table
        caption="Constraints and their evidence"
        columns={['Route', 'Field', 'Constraint', 'Evidence']}
      >
        {evidence.slice(0, rowsShownMax).map((one) => (
          <tr key={`${one.method} ${one.path} ${one.field} ${one.constraint}`}>
            <th scope="row">
              {one.method} <Inert text={one.path} />
            </th>
            <td>{one.field === '' ? null : <Inert text={one.field} />}</td>
            <td>
              <Inert text={one.constraint} />
            </td>
            <td>
              <Inert text={one.evidence} />
            </td>
          </tr>
        ))}
      </Table>
      {more > 0 ? <p class="faint">And {more} more.</p> : null}
      <ErrorNotice error={attempt.error ?? reset.error} />
      <div class="button-row">
        <Button
          needs="editor"
          kind="primary"
          busy={attempt.busy}
          onClick={() => void attempt.run()}
        >
          Make it a candidate
        </Button>
        <ButtonLink href={`/api${path}/document?format=openapi`} download="openapi.json">
          Export as OpenAPI
        </ButtonLink>
        <Button needs="editor" kind="danger" busy={reset.busy} onClick={() => void reset.run()}>
          Forget what was learnt
        </Button>
      </div>
    </Card>
  );
}

function Drift({ learnt }: { readonly learnt: LearntShape }) {
  return (
    <Card title="New against the declared shape">
      <Table
        caption="New against the declared shape"
        columns={['Route', 'Field', 'What', 'Count', 'Since']}
      >
        {learnt.drift.map((one) => (
          <tr key={`${one.kind} ${one.method} ${one.path} ${one.field} ${one.message}`}>
            <th scope="row">
              {one.method} <Inert text={one.path} />
            </th>
            <td>
              <Inert text={one.field} />
            </td>
            <td>
              <Inert text={one.message} />
            </td>
            <td>{count(one.count)}</td>
            <td>
              <Time at={one.first} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** What the proposal would have made of stored events. */
function EventEffect({ events }: { readonly events: LearntShape['effect']['events'] }) {
  const { seen, isComplete, spared, falsePositives, sparedFalsePositives } = events;
  if (seen === 0) return null;
  return (
    <>
      <p>
        {isComplete
          ? `Of ${counted(seen, 'stored event')} `
          : `Of the newest ${counted(seen, 'event')} `}
        it would have spared {count(spared)}
        {falsePositives === 0
          ? '.'
          : `, among them ${count(sparedFalsePositives)} of ${count(falsePositives)} that are marked as false positives.`}
      </p>
      {events.sparedTruePositives === 0 ? null : (
        <p class="notice warning" role="note">
          {counted(events.sparedTruePositives, 'spared event')} marked as true positive: look at the
          field before you enforce this.
        </p>
      )}
    </>
  );
}
