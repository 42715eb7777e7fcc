import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { EventFinding, StoredEvent } from '../../../contract/event.ts';
import { withQuery } from '../api/client.ts';
import type { EventAnswer } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { DecisionBadge, SeverityBadge, titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { decodings } from '../ui/decodings.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Card, Page } from '../ui/page.tsx';
import { ScoreMeter } from '../ui/score.tsx';
import { Steps } from '../ui/steps.tsx';
import { BlockClient } from './block-client.tsx';
import { Elsewhere } from './event-elsewhere.tsx';
import { Context, Coverage, Identity } from './event-facts.tsx';
import { Neighbours } from './event-neighbours.tsx';
import { Replay } from './event-replay.tsx';
import { TriageDialog } from './event-triage.tsx';
import { ExclusionDialog } from './exclusion-dialog.tsx';
import { endFirstSteps } from './first-steps.tsx';

const notFound = 404;

type Answer = 'exclusion' | 'triage';

/** What an editor does about an event. */
function Answers({ onOpen }: { readonly onOpen: (which: Answer) => void }) {
  return (
    <>
      <Button needs="editor" onClick={() => onOpen('triage')}>
        Triage
      </Button>
      <Button needs="editor" onClick={() => onOpen('exclusion')}>
        False positive: add an exclusion
      </Button>
    </>
  );
}

export function EventPage() {
  const { params } = useRoute();
  const { query } = useLocation();
  const answer = useResource<EventAnswer>(`/events/${encodeURIComponent(params['id'] ?? '')}`);
  const [open, setOpen] = useState<Answer | undefined>(undefined);
  const { data } = answer;
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead) endFirstSteps();
  }, [isRead]);
  if (answer.error?.status === notFound) return <Missing />;
  return (
    <Page
      title={data === undefined ? 'Event' : headline(data.event)}
      back={{ href: withQuery('/dashboard/events', query), label: 'Events' }}
      actions={
        data === undefined ? null : (
          <>
            {/* Those of the event before are not shown for this one. */}
            <Neighbours key={params['id']} id={params['id'] ?? ''} query={query} />
            <BlockClient event={data.event} />
            <Answers onOpen={setOpen} />
          </>
        )
      }
    >
      <Loaded resource={answer} lines={12}>
        {({ event, suggestedExclusion, body }) => (
          <>
            <Summary event={event} />
            {event.findings.map((finding, index) => (
              <FindingCard
                key={index}
                finding={finding}
                number={index + 1}
                threshold={event.threshold}
              />
            ))}
            <div class="columns">
              <Identity event={event} />
              <Context event={event} />
            </div>
            <Replay event={event} />
            <Elsewhere event={event} body={body} />
            {open === 'exclusion' ? (
              <ExclusionDialog
                event={event}
                suggested={suggestedExclusion}
                onClose={() => setOpen(undefined)}
              />
            ) : null}
            {open === 'triage' ? (
              <TriageDialog
                ids={[event.id]}
                triage={event.triage}
                onClose={() => setOpen(undefined)}
                onDone={() => {
                  setOpen(undefined);
                  answer.reload();
                }}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Missing() {
  return (
    <Page title="Event" back={{ href: '/dashboard/events', label: 'Events' }}>
      <Empty title="Event not found. It may have expired.">
        <a href="/dashboard/events">Back to events</a>
      </Empty>
    </Page>
  );
}

function headline(event: StoredEvent): string {
  const verb = event.decision === 'block' ? 'Blocked' : 'Would be blocked';
  return `${verb}: ${titleOf(event.category)}`;
}

/** What was blocked and why, in a sentence, and how sure that is. */
function Summary({ event }: { readonly event: StoredEvent }) {
  const [strongest] = event.findings;
  return (
    <Card>
      <p class="because">
        <DecisionBadge decision={event.decision} />{' '}
        {strongest === undefined ? (
          'The request could not be screened completely, and its policy blocks such requests.'
        ) : (
          <Because finding={strongest} />
        )}
      </p>
      <ScoreMeter score={event.score} threshold={event.threshold} />
      <Coverage coverage={event.coverage} />
    </Card>
  );
}

function Because({ finding }: { readonly finding: EventFinding }) {
  const { pointer, where, decoded, message } = finding;
  return (
    <>
      {where === 'name' ? 'The name of the field ' : 'The value of '}
      <code>
        <Inert text={pointer || 'the request'} />
      </code>
      {decoded.length === 0 ? '' : `, after ${decodings(decoded)},`} {message}.
    </>
  );
}

function FindingCard(props: {
  readonly finding: EventFinding;
  readonly number: number;
  readonly threshold: number;
}) {
  const { finding, number, threshold } = props;
  // Why it was found stands in the summary.
  const isStrongest = number === 1;
  return (
    <Card title={isStrongest ? 'The strongest finding' : `Finding ${number}`}>
      <p class="finding-head">
        <strong>{titleOf(finding.category)}</strong> in{' '}
        <code>
          <Inert text={finding.pointer || 'the request'} />
        </code>{' '}
        <SeverityBadge severity={finding.severity} /> <span>score {finding.score}</span>{' '}
        {finding.score < threshold ? (
          <span class="badge did-not-count">did not count: below the threshold of {threshold}</span>
        ) : null}{' '}
        <a href={`/dashboard/rules?q=${encodeURIComponent(finding.rule)}`}>{finding.rule}</a>{' '}
        <span class="faint">{finding.cwe}</span>
      </p>
      {isStrongest ? null : (
        <p>
          <Because finding={finding} />
        </p>
      )}
      {finding.redacted === true ? (
        <p class="faint">
          The text was not stored: the name of the field says that its values are secret.
        </p>
      ) : finding.steps.length === 0 ? (
        <p class="faint">This finding is about the field itself: there is no text to show.</p>
      ) : (
        <Steps steps={finding.steps} span={finding.span} />
      )}
    </Card>
  );
}
