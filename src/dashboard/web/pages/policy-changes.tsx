import { useEffect, useState } from 'preact/hooks';
import type { PolicyChange } from '../../../contract/policies.ts';
import type { Policy } from '../../../contract/policy.ts';
import { ApiError, api } from '../api/client.ts';
import { Inert } from '../ui/inert.tsx';

const typingMs = 400;

/** What a document would change, as the server says once the typing pauses. */
export interface Changes {
  /** Undefined while it is not known. */
  readonly list: readonly PolicyChange[] | undefined;
  /** Whether an exclusion is new that counts in every field of every request. */
  readonly isWide: boolean;
  readonly error: ApiError | undefined;
}

interface Answer {
  readonly changes: readonly PolicyChange[];
  readonly isWide: boolean;
}

const unknown: Changes = { list: undefined, isWide: false, error: undefined };

/** Asks what a document would change; undefined is none that could be asked about. */
export function useChanges(policyId: string, document: Policy | undefined): Changes {
  const [changes, setChanges] = useState<Changes>(unknown);
  const wanted = document === undefined ? undefined : JSON.stringify({ document });
  useEffect(() => {
    setChanges(unknown);
    if (wanted === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(async () => {
      try {
        const body: unknown = JSON.parse(wanted);
        const path = `/policies/${encodeURIComponent(policyId)}/diff`;
        const answer = await api<Answer>('POST', path, { body, signal });
        setChanges({ list: answer.changes, isWide: answer.isWide, error: undefined });
      } catch (error) {
        if (error instanceof ApiError) setChanges({ ...unknown, error });
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [policyId, wanted]);
  return changes;
}

/** Differences between two documents, old and new side by side. */
export function ChangeList({ changes }: { readonly changes: readonly PolicyChange[] }) {
  return (
    <ul class="diff">
      {changes.map((change) => (
        <li key={`${change.op} ${change.pointer}`}>
          <code>
            <Inert text={change.pointer || 'the whole document'} />
          </code>
          {change.op === 'add' ? null : <Side kind="removed" value={change.from} />}
          {change.op === 'remove' ? null : <Side kind="added" value={change.to} />}
        </li>
      ))}
    </ul>
  );
}

function Side({ kind, value }: { readonly kind: 'added' | 'removed'; readonly value: unknown }) {
  // The line ends are ours: only what stands between them is shown as it is stored.
  const lines = (JSON.stringify(value, undefined, 2) ?? '').split('\n');
  return (
    <pre class={kind}>
      <span class="sr-only">{kind}: </span>
      {lines.map((line) => (
        <>
          <Inert text={line} />
          {'\n'}
        </>
      ))}
    </pre>
  );
}
