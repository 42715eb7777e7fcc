import type { BadKeysState, Overview, UnscreenedState } from '../api/types.ts';
import { count, counted } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Notice } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

/** Bad keys of longer ago are history. */
const shownMs = 24 * 60 * 60 * 1_000;

/** What to do, by the code that clients report. */
const advice: Readonly<Record<string, string>> = {
  unreachable: 'Sallyport could not be reached. Check its address and the network.',
  timeout: 'No answer in time. Add workers, or raise timeoutMs in the client.',
  'circuit-open': 'The client had stopped asking after failures. See the other reasons.',
  'key-refused': 'The key was refused. Compare it with the list of keys.',
  'rate-limited': 'The rate limit of the policy was reached. Raise it.',
  unavailable: 'Sallyport was overloaded or restarting. Add workers.',
  'not-acceptable': 'Sallyport did not accept the request. onError of the client says why.',
  'not-understood': 'Something else answered. Correct the url of the client.',
  incomplete: 'Only a part could be inspected. onIncomplete of the client decides.',
  defect: 'A defect. The log of the application names it.',
};

/** Requests that reach an application without a verdict, and what to do; nothing without any. */
export function Unprotected({ overview }: { readonly overview: Overview }) {
  const { badKeys, now } = overview;
  const age = badKeys.lastAt === undefined ? shownMs : Date.parse(now) - Date.parse(badKeys.lastAt);
  const passed = (overview.unscreened ?? []).filter((one) => totalOf(one.passed) > 0);
  if (age >= shownMs && passed.length === 0) return null;
  return (
    <Card title="Applications without protection">
      {age < shownMs ? <BadKeys badKeys={badKeys} /> : null}
      {passed.map((one) => (
        <Unscreened key={one.keyId} report={one} />
      ))}
    </Card>
  );
}

function BadKeys({ badKeys }: { readonly badKeys: BadKeysState }) {
  const { total, lastAt, lastAddress } = badKeys;
  return (
    <Notice kind="warning">
      <strong>{counted(total, 'request')} without a valid key since the start.</strong>
      <p>
        The latest came {lastAt === undefined ? null : <Time at={lastAt} relatively />}
        {lastAddress === undefined ? null : (
          <>
            {' '}
            from <Inert text={lastAddress} />
          </>
        )}
        . An application with a bad key is not protected. Compare its key with{' '}
        <a href="/dashboard/keys">the list of keys</a>: is it there, live and complete?
      </p>
    </Notice>
  );
}

function Unscreened({ report }: { readonly report: UnscreenedState }) {
  const { keyName, passed, lastAt } = report;
  const reasons = Object.entries(passed).sort(([, a], [, b]) => b - a);
  return (
    <Notice kind="warning">
      <strong>
        <Inert text={keyName} />: {counted(totalOf(passed), 'request')} passed unscreened in the
        last hour.
      </strong>
      <ul>
        {reasons.map(([reason, requests]) => (
          <li key={reason}>
            {count(requests)} × <code>{reason}</code> {advice[reason] ?? ''}
          </li>
        ))}
      </ul>
      <p class="faint">
        Reported <Time at={lastAt} relatively />
      </p>
    </Notice>
  );
}

function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}
