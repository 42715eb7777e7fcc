import { useState } from 'preact/hooks';
import type { StoredEvent } from '../../../contract/event.ts';
import { api } from '../api/client.ts';
import type { PolicySummary, Replay as ReplayAnswer } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { DecisionBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { policyOptions } from './key-create.tsx';

/** Screens the stored parts of the event again, with a current policy. */
export function Replay({ event }: { readonly event: StoredEvent }) {
  const policies = useResource<{ readonly policies: readonly PolicySummary[] }>('/policies');
  const [policyId, setPolicyId] = useState(event.policyId);
  const [answer, setAnswer] = useState<ReplayAnswer | undefined>(undefined);
  const replay = useAction(async () => {
    setAnswer(undefined);
    const path = `/events/${event.id}/replay`;
    setAnswer(await api<ReplayAnswer>('POST', path, { body: { policyId } }));
  });
  return (
    <Card title="Screen it again">
      <p class="faint">
        Screens the stored parts of this request with a policy as it is now. Nothing is counted.
      </p>
      <div class="filter-row">
        <Select
          label="Policy"
          value={policyId}
          options={policyOptions(policies.data?.policies)}
          onChange={setPolicyId}
        />
        <div class="filter-buttons">
          <Button needs="editor" busy={replay.busy} onClick={replay.run}>
            Screen again
          </Button>
        </div>
      </div>
      <ErrorNotice error={replay.error} />
      <p role="status">
        {answer === undefined ? null : (
          <>
            <DecisionBadge decision={answer.after.decision} /> with score {answer.after.score},
            threshold {answer.after.threshold}. Before: {answer.before.decision}, score{' '}
            {answer.before.score}.
          </>
        )}
      </p>
    </Card>
  );
}
