import { useState } from 'preact/hooks';
import type { EventSummary } from '../../../contract/event.ts';
import type { Key } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { CreateKeyDialog } from './key-create.tsx';

const dismissed = 'sallyport-first-steps';

/** A service with older blocks is in use. */
const newMs = 86_400_000;

/** Once an explanation was read there is nothing left to lead to. */
export function endFirstSteps(): void {
  localStorage.setItem(dismissed, 'done');
}

/** Leads a newcomer from a key to a block, its explanation and an exclusion. */
export function FirstSteps(props: {
  readonly keys: readonly Key[];
  readonly firstBlock: EventSummary | undefined;
  readonly onCreated: () => void;
}) {
  const { keys, firstBlock, onCreated } = props;
  const [creating, setCreating] = useState(false);
  const [isDone, setDone] = useState(localStorage.getItem(dismissed) === 'done');
  const isOld = firstBlock !== undefined && Date.now() - Date.parse(firstBlock.at) > newMs;
  if (isDone || isOld) return null;
  const live = keys.filter(({ kind, state }) => kind === 'live' && state === 'active');
  const hasKey = live.length > 0;
  const dismiss = () => {
    endFirstSteps();
    setDone(true);
  };
  return (
    <Card
      title="First steps"
      actions={
        <Button kind="quiet" onClick={dismiss}>
          Hide this
        </Button>
      }
    >
      <ol class="first-steps">
        <li class={hasKey ? 'done' : 'next'}>
          <strong>{hasKey ? 'You have a key' : 'Create a key'}</strong>
          <p>Your application sends it with each request to screen.</p>
          <Button
            kind={hasKey ? 'secondary' : 'primary'}
            icon="keys"
            onClick={() => setCreating(true)}
          >
            {hasKey ? 'Create another key' : 'Create a key'}
          </Button>
        </li>
        <li class={firstBlock === undefined ? (hasKey ? 'next' : '') : 'done'}>
          <strong>{firstBlock === undefined ? 'Send an attack' : 'You blocked an attack'}</strong>
          <p>Paste the curl command that comes with the key into a terminal. The answer is 403.</p>
        </li>
        <li class={firstBlock === undefined ? '' : 'next'}>
          <strong>See why it was blocked</strong>
          <p>
            {firstBlock === undefined ? (
              'The block appears here at once, with a link to its explanation.'
            ) : (
              <a href={`/dashboard/events/${firstBlock.id}`}>
                Open the latest block. From there you can also exclude a false positive.
              </a>
            )}
          </p>
        </li>
      </ol>
      {creating ? (
        <CreateKeyDialog onClose={() => setCreating(false)} onCreated={onCreated} />
      ) : null}
    </Card>
  );
}
