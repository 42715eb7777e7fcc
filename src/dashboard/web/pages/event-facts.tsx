import { asTitle } from '../../../contract/as-number.ts';
import type { EventContext, StoredEvent } from '../../../contract/event.ts';
import {
  type Coverage as CoverageFacts,
  decidedText,
  limitsReached,
} from '../../../contract/verdict.ts';
import { withQuery } from '../api/client.ts';
import { triageNames } from '../ui/badge.tsx';
import { CopyButton } from '../ui/button.tsx';
import { bytes, countryName } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Card } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { type FilterName, filterLabels } from './event-query.ts';

/** Whether all of the request was screened. */
export function Coverage({ coverage }: { readonly coverage: CoverageFacts }) {
  if (coverage.complete) {
    return <p class="faint">The whole request ({bytes(coverage.bytes)}) was screened.</p>;
  }
  const reached = limitsReached(coverage);
  return (
    <>
      {coverage.reasons.includes('decided') ? <p class="faint">{decidedText}</p> : null}
      {reached.length === 0 ? null : (
        <p class="warn-text">
          Only a part of the request ({bytes(coverage.bytes)}) was screened. Limit reached:{' '}
          {reached.join(', ')}.
        </p>
      )}
    </>
  );
}

export function Identity({ event }: { readonly event: StoredEvent }) {
  return (
    <Card title="The decision">
      <dl class="facts">
        <dt>When</dt>
        <dd>
          <Time at={event.at} wholly />
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
          <Filter name="keyId" value={event.keyId} text={event.keyName} />{' '}
          <code>{event.keyId}</code>
        </dd>
        <dt>Policy</dt>
        <dd>
          <a href={`/dashboard/policies/${event.policyId}`}>{event.policyId}</a>, version{' '}
          {event.policyVersion} ·{' '}
          <Filter name="policyId" value={event.policyId} text="its events" />
        </dd>
        <dt>Rule</dt>
        <dd>
          <Filter name="rule" value={event.rule} />
        </dd>
        <dt>Field</dt>
        <dd>
          <Filter name="pointer" value={event.pointer} text={event.pointer || 'the request'} />
        </dd>
        <dt>Triage</dt>
        <dd>
          <TriageFacts event={event} />
        </dd>
      </dl>
    </Card>
  );
}

/** A fact that leads to all events with it. */
function Filter(props: {
  readonly name: FilterName;
  readonly value: string;
  readonly text?: string;
}) {
  const { name, value, text = value } = props;
  if (value === '') return <Inert text={text} />;
  return (
    <a
      href={withQuery('/dashboard/events', { [name]: value })}
      title={`All events with this ${filterLabels[name].toLowerCase()}`}
    >
      <Inert text={text} />
    </a>
  );
}

function TriageFacts({ event: { triage } }: { readonly event: StoredEvent }) {
  if (triage === undefined) return <>Open</>;
  const { verdict, note, owner, by, at } = triage;
  return (
    <>
      <strong>{triageNames[verdict]}</strong>
      {owner === '' ? '' : `, looked after by ${owner}`}
      {note === '' ? null : (
        <p>
          <Inert text={note} />
        </p>
      )}
      <p class="faint">
        {by}, <Time at={at} wholly />
      </p>
    </>
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

/** Parts of the context that events can be filtered by, and the value of the filter. */
function filterOf(name: string, event: StoredEvent): readonly [FilterName, string] | undefined {
  const { method, host, path, client } = event;
  const filters = { method, host, uri: path, client };
  const value = filters[name as keyof typeof filters];
  if (value === undefined) return undefined;
  return [name === 'uri' ? 'path' : (name as FilterName), value.split(/[?#]/)[0] ?? ''];
}

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
          {parts.map(([name, value]) => {
            const [filter, wanted = ''] = filterOf(name, event) ?? [];
            return (
              <div key={name}>
                <dt>{contextNames[name as keyof EventContext] ?? name}</dt>
                <dd>
                  {filter === undefined ? (
                    <Inert text={value} />
                  ) : (
                    <Filter name={filter} value={wanted} text={value} />
                  )}
                </dd>
              </div>
            );
          })}
          {event.country === undefined ? null : (
            <div>
              <dt>Country</dt>
              <dd>
                <Filter name="country" value={event.country} text={countryName(event.country)} />
              </dd>
            </div>
          )}
          {event.asn === undefined ? null : (
            <div>
              <dt>Network</dt>
              <dd>
                <Filter
                  name="asn"
                  value={String(event.asn)}
                  text={asTitle(event.asn, event.asName)}
                />
              </dd>
            </div>
          )}
        </dl>
      )}
    </Card>
  );
}
