import { useEffect, useState } from 'preact/hooks';
import { type ApiError, api } from '../api/client.ts';
import type { ExclusionDraft, ExclusionPreview } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Checkbox } from '../ui/field.tsx';
import { counted, exampleText } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';

interface Preview {
  readonly data: ExclusionPreview | undefined;
  readonly error: ApiError | undefined;
}

const typingMs = 300;

/** What an exclusion would do, asked once the typing pauses. */
export function usePreview(policyId: string, exclusion: ExclusionDraft): Preview {
  const [data, setData] = useState<ExclusionPreview | undefined>(undefined);
  const ask = useAction(async (body: unknown, signal: AbortSignal) => {
    const answer = await api<ExclusionPreview>('POST', '/exclusions/preview', { body, signal });
    if (!signal.aborted) setData(answer);
  });
  const wanted = JSON.stringify({ policyId, exclusion });
  // The text holds all that is asked.
  useEffect(() => {
    setData(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => void ask.run(JSON.parse(wanted), controller.signal), typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted]);
  return { data, error: ask.error };
}

/** The price of an exclusion: what it frees, and which attacks it would let pass. */
export function Effect(props: { readonly preview: Preview; readonly isEverywhere: boolean }) {
  const { data, error } = props.preview;
  const where = props.isEverywhere ? 'in every field' : 'in this field';
  return (
    <section class="effect" aria-live="polite" aria-label="What this would do">
      <h3>What this would do</h3>
      <ErrorNotice error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={4} />
        ) : null
      ) : (
        <>
          {data.excludedBy === undefined ? null : (
            <p role="status">This is excluded already. Newer requests like it pass.</p>
          )}
          <Freed freed={data.freed} />
          <LetPass attacks={data.attacksLetPass} where={where} />
        </>
      )}
    </section>
  );
}

/** To be ticked for an exclusion that counts everywhere. */
export function AcceptWide(props: {
  readonly isWide: boolean;
  readonly accepted: boolean;
  readonly onChange: (accepted: boolean) => void;
}) {
  if (!props.isWide) return null;
  return (
    <Checkbox
      label="Allow this in every field of every request"
      checked={props.accepted}
      onChange={props.onChange}
    />
  );
}

function Freed({ freed }: { readonly freed: ExclusionPreview['freed'] }) {
  return (
    <details>
      <summary>
        {freed.count === 0
          ? 'None of the stored blocks would have passed.'
          : `${counted(freed.count, 'stored block')} would have passed.`}
        {freed.unsure === 0 ? '' : ` Of ${freed.unsure} not everything was decoded.`}
        {freed.complete ? '' : ' Only the newest ones were checked.'}
      </summary>
      <ul class="plain-list">
        {freed.events.map((event) => (
          <li key={event.id}>
            <Time at={event.at} /> {titleOf(event.category)}{' '}
            <code>
              <Inert text={event.evidence} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function LetPass(props: {
  readonly attacks: ExclusionPreview['attacksLetPass'];
  readonly where: string;
}) {
  const { attacks, where } = props;
  return (
    <details>
      <summary class={attacks.count === 0 ? '' : 'warn-text'}>
        {attacks.count === 0
          ? `All ${attacks.of} example attacks would still be blocked ${where}.`
          : `${attacks.count} of ${attacks.of} example attacks would pass ${where}.`}
      </summary>
      <ul class="plain-list">
        {attacks.examples.map(({ rule, example }) => (
          <li key={`${rule} ${exampleText(example)}`}>
            <span class="faint">{rule}</span>{' '}
            <code>
              <Inert text={exampleText(example)} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}
