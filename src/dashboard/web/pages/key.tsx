import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { withQuery } from '../api/client.ts';
import type { Key, KeyUsage } from '../api/types.ts';
import { useRange } from '../hooks/use-range.ts';
import { useResource } from '../hooks/use-resource.ts';
import { KeyStateBadge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { count, share } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Card, Page } from '../ui/page.tsx';
import { iso, type Range } from '../ui/range.ts';
import { RangePicker } from '../ui/range-picker.tsx';
import { Time } from '../ui/time.tsx';
import { KeyActions, KeyDialogs, type OpenKey } from './key-dialogs.tsx';

const notFound = 404;
const rangeDefault = '7d';
const back = { href: '/dashboard/keys', label: 'Keys' };

/** One key: what it may do, from where, and how much it is used. */
export function KeyPage() {
  const { params } = useRoute();
  const path = `/keys/${encodeURIComponent(params['id'] ?? '')}`;
  const answer = useResource<{ readonly key: Key }>(path);
  const [open, setOpen] = useState<OpenKey | undefined>(undefined);
  const key = answer.data?.key;
  if (answer.error?.status === notFound) return <Missing />;
  return (
    <Page
      title={key === undefined ? 'Key' : `Key ${key.name}`}
      back={back}
      actions={key === undefined ? null : <KeyActions apiKey={key} onOpen={setOpen} />}
    >
      <Loaded resource={answer} lines={12}>
        {({ key: shown }) => (
          <>
            <div class="columns">
              <Facts apiKey={shown} />
              <Bounds apiKey={shown} />
            </div>
            {shown.kind === 'admin' ? null : <Usage apiKey={shown} />}
          </>
        )}
      </Loaded>
      <KeyDialogs open={open} onOpen={setOpen} onChanged={answer.reload} />
    </Page>
  );
}

function Facts({ apiKey: key }: { readonly apiKey: Key }) {
  return (
    <Card title="The key">
      <dl class="facts">
        <dt>Key</dt>
        <dd>
          <code>{key.prefix}••••••••</code>
        </dd>
        <dt>Id</dt>
        <dd class="with-copy">
          <code>{key.id}</code> <CopyButton text={key.id} what="key id" />
        </dd>
        <dt>State</dt>
        <dd>
          <KeyStateBadge state={key.state} />
          {key.rotation === undefined || key.state === 'revoked' ? null : (
            <>
              {' '}
              old secret ends <Time at={key.rotation.sunsetAt} relatively />
            </>
          )}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={key.createdAt} wholly />
        </dd>
        <dt>Expires</dt>
        <dd>{key.expiresAt === undefined ? 'never' : <Time at={key.expiresAt} wholly />}</dd>
        <dt>Last used</dt>
        <dd>{key.lastUsedAt === undefined ? 'never' : <Time at={key.lastUsedAt} relatively />}</dd>
        <dt>Last client</dt>
        <dd>
          <LastClient client={key.lastClient} />
        </dd>
      </dl>
    </Card>
  );
}

/** It leads to the events of that client. */
function LastClient({ client }: { readonly client: string | undefined }) {
  if (client === undefined) return <>none yet</>;
  if (client === 'unix') return <>a Unix socket</>;
  return (
    <a href={withQuery('/dashboard/events', { client })}>
      <Inert text={client} />
    </a>
  );
}

function Bounds({ apiKey: key }: { readonly apiKey: Key }) {
  return (
    <Card title="What it may do">
      <dl class="facts">
        <dt>Scopes</dt>
        <dd>{key.kind === 'admin' ? 'all of the management API' : key.scopes.join(', ')}</dd>
        <dt>Networks</dt>
        <dd>
          {key.networks.length === 0 ? 'everywhere' : null}
          {key.networks.map((network) => (
            <div key={network}>
              <code>{network}</code>
            </div>
          ))}
        </dd>
        {key.kind === 'admin' ? null : (
          <>
            <dt>Policy</dt>
            <dd>
              <a href={`/dashboard/policies/${key.policyId}`}>{key.policyName}</a>
            </dd>
            <dt>Events</dt>
            <dd>
              <a href={withQuery('/dashboard/events', { keyId: key.id })}>All events of this key</a>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Usage({ apiKey: key }: { readonly apiKey: Key }) {
  const { range, now, query, change } = useRange(rangeDefault, false);
  const usage = useResource<KeyUsage>(usagePath(key.id, range));
  useEffect(() => void usage.reload(), [now]);
  return (
    <Card title="Use">
      <div class="range-row">
        <RangePicker
          query={query}
          fallback={rangeDefault}
          onChange={(wish) => change({ ...wish })}
        />
      </div>
      <Loaded resource={usage}>
        {(data) => (
          <>
            <Totals usage={data} />
            <UsageChart
              keyId={key.id}
              usage={data}
              words={range.words}
              onZoom={(from, to) => change({ range: undefined, from: iso(from), to: iso(to) })}
            />
          </>
        )}
      </Loaded>
      <p class="faint">
        Of all nodes, by the hour, for 90 days; the latest requests come within seconds.
      </p>
    </Card>
  );
}

function usagePath(id: string, { from, to, stepSeconds }: Range): string {
  return withQuery(`/keys/${id}/usage`, {
    from: iso(from),
    to: to === undefined ? undefined : iso(to),
    stepSeconds: String(stepSeconds),
  });
}

function Totals({ usage: { totals } }: { readonly usage: KeyUsage }) {
  const { requests, blocks, wouldBlocks, errors } = totals;
  const ofAll = (part: number) => (requests === 0 ? '' : ` (${share(part / requests)})`);
  return (
    <dl class="facts across">
      <div>
        <dt>Requests</dt>
        <dd>{count(requests)}</dd>
      </div>
      <div>
        <dt>Blocked</dt>
        <dd>
          {count(blocks)}
          {ofAll(blocks)}
        </dd>
      </div>
      <div>
        <dt>Would block</dt>
        <dd>{count(wouldBlocks)}</dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd>{count(errors)}</dd>
      </div>
    </dl>
  );
}

function UsageChart(props: {
  readonly keyId: string;
  readonly usage: KeyUsage;
  readonly words: string;
  readonly onZoom: (from: number, to: number) => void;
}) {
  const { keyId, usage, words, onZoom } = props;
  const { requests, blocks, wouldBlocks, errors } = usage.series;
  const counted = [blocks, wouldBlocks, errors];
  const allowed = requests.map((all, step) =>
    counted.reduce((rest, one) => rest - (one[step] ?? 0), all),
  );
  return (
    <Chart
      label={`Requests of this key in ${words}: ${count(usage.totals.requests)}`}
      from={Date.parse(usage.from)}
      stepSeconds={usage.stepSeconds}
      onZoom={onZoom}
      hrefOf={(from, to) => withQuery('/dashboard/events', { keyId, from: iso(from), to: iso(to) })}
      series={[
        { label: 'Allowed', colour: '--chart-1', values: allowed },
        { label: 'Blocked', colour: '--chart-2', values: blocks },
        { label: 'Would block', colour: '--chart-3', values: wouldBlocks },
        { label: 'Errors', colour: '--faint', values: errors },
      ]}
    />
  );
}

function Missing() {
  return (
    <Page title="No such key" back={back}>
      <Empty title="There is no key with this id.">
        <p>Keys are never deleted: check the id, or look for it in the list.</p>
      </Empty>
    </Page>
  );
}
