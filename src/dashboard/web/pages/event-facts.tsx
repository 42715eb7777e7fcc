import type { EventContext, StoredEvent } from '../../../contract/event.ts';
import type { Coverage as CoverageFacts } from '../../../contract/verdict.ts';
import { CopyButton } from '../ui/button.tsx';
import { bytes } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Card } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

/** Whether all of the request was screened. */
export function Coverage({ coverage }: { readonly coverage: CoverageFacts }) {
  if (coverage.complete) {
    return <p class="faint">The whole request ({bytes(coverage.bytes)}) was screened.</p>;
  }
  return (
    <p class="warn-text">
      Only a part of the request ({bytes(coverage.bytes)}) was screened. Limit reached:{' '}
      {coverage.reasons.join(', ')}.
    </p>
  );
}

export function Identity({ event }: { readonly event: StoredEvent }) {
  return (
    <Card title="The decision">
      <dl class="facts">
        <dt>When</dt>
        <dd>
          <Time at={event.at} />
        </dd>
        <dt>Decision id</dt>
        <dd class="with-copy">
          <code>{event.id}</code> <CopyButton text={event.id} what="decision id" />
        </dd>
        <dt>Request id</dt>
        <dd>
          <code>
            <Inert text={event.requestId} />
          </code>
        </dd>
        {event.traceId === undefined ? null : (
          <>
            <dt>Trace id</dt>
            <dd class="with-copy">
              <code>{event.traceId}</code> <CopyButton text={event.traceId} what="trace id" />
            </dd>
          </>
        )}
        <dt>Key</dt>
        <dd>
          {event.keyName} <code>{event.keyId}</code>
        </dd>
        <dt>Policy</dt>
        <dd>
          <a href={`/dashboard/policies/${event.policyId}`}>{event.policyId}</a>, version{' '}
          {event.policyVersion}
        </dd>
      </dl>
    </Card>
  );
}

const contextNames: Readonly<Record<keyof EventContext, string>> = {
  method: 'Method',
  proto: 'Protocol',
  host: 'Host',
  uri: 'Path and query',
  client: 'Client address',
  origin: 'Origin',
  referer: 'Referer',
  secFetchSite: 'Sec-Fetch-Site',
  contentType: 'Content type',
};

export function Context({ event }: { readonly event: StoredEvent }) {
  const parts = Object.entries(event.context).filter(([, value]) => value !== '');
  return (
    <Card title="The client’s request">
      {parts.length === 0 ? (
        <p class="faint">
          The application sent no details of the client’s request. The x-forwarded-… headers carry
          them and enable the CSRF checks.
        </p>
      ) : (
        <dl class="facts">
          {parts.map(([name, value]) => (
            <div key={name}>
              <dt>{contextNames[name as keyof EventContext] ?? name}</dt>
              <dd>
                <Inert text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}
