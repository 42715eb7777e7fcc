import { useState } from 'preact/hooks';
import { canonicalAddress } from '../../../contract/address.ts';
import type { EventFinding, StoredEvent } from '../../../contract/event.ts';
import { api } from '../api/client.ts';
import type { ExclusionDraft, PolicyDetail } from '../api/types.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Checkbox, type Choice, Choices, Select, TextField } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { AcceptWide, Effect, usePreview } from './exclusion-effect.tsx';
import { MethodAndPath, narrowedTo, type Place } from './exclusion-place.tsx';

interface ExclusionDialogProps {
  readonly event: StoredEvent;
  readonly suggested: { readonly pointer: string; readonly rule: string };
  readonly onClose: () => void;
}

const lives = [
  { value: '', label: 'until it is removed' },
  { value: '7', label: 'for a week' },
  { value: '30', label: 'for 30 days' },
  { value: '90', label: 'for 90 days' },
] as const;

const dayMs = 86_400_000;

/** Allows what was blocked wrongly: as narrowly as can be, and only after its price was shown. */
export function ExclusionDialog({ event, suggested, onClose }: ExclusionDialogProps) {
  const left = leftByScope(event, suggested);
  // The wider one only where it, and not the narrower, lets the request pass.
  const needsMore = left.rule.length > 0 && left.category.length === 0;
  const [scope, setScope] = useState<Scope>(needsMore ? 'category' : 'rule');
  const [pointer, setPointer] = useState(suggested.pointer);
  const [reason, setReason] = useState('');
  const [days, setDays] = useState<(typeof lives)[number]['value']>('');
  const [isSaved, setSaved] = useState(false);
  const [place, setPlace] = useState<Place>({ method: '', path: '', clients: '' });
  const [accepted, setAccepted] = useState(false);
  const what: ExclusionDraft = {
    pointer,
    ...(scope === 'rule' ? { rule: suggested.rule } : { category: event.category }),
    ...narrowedTo(place),
  };
  const preview = usePreview(event.policyId, what);
  const isWide = preview.data?.isWide === true;
  const save = useAction(async () => {
    const end = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs) };
    const body = { ...what, reason, ...end, ...(isWide ? { acceptWide: accepted } : {}) };
    await api('POST', `/policies/${event.policyId}/exclusions`, { body });
    setSaved(true);
  });
  if (isSaved) return <Saved event={event} onClose={onClose} />;
  return (
    <Dialog title="Add an exclusion" onClose={onClose} wide>
      <form
        onSubmit={(submit) => {
          submit.preventDefault();
          void save.run();
        }}
      >
        <Concerned policyId={event.policyId} />
        <Choices
          label="What to allow"
          value={scope}
          onChange={setScope}
          choices={scopesOf(event, suggested.rule, left)}
        />
        <TextField
          label="In which field"
          value={pointer}
          onInput={setPointer}
          hint="A JSON pointer. * matches one segment, ** at the end everything below."
        />
        <PlaceFields event={event} place={place} onChange={setPlace} />
        <Effect preview={preview} isEverywhere={isWide} />
        <AcceptWide isWide={isWide} accepted={accepted} onChange={setAccepted} />
        <TextField
          label="Why is it harmless?"
          value={reason}
          onInput={setReason}
          required
          maxLength={1_000}
          placeholder="Editors write about SQL here"
        />
        <Select label="For how long" value={days} options={lives} onChange={setDays} />
        <ErrorNotice error={save.error} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.busy} disabled={isWide && !accepted}>
            Save the exclusion
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Which policy is changed, and whose requests that concerns. */
function Concerned({ policyId }: { readonly policyId: string }) {
  const id = encodeURIComponent(policyId);
  const { data } = useResource<{ readonly policy: PolicyDetail }>(`/policies/${id}`);
  const keys = data?.policy.keys.map(({ name }) => name) ?? [];
  return (
    <p>
      This changes the policy{' '}
      <a href={`/dashboard/policies/${policyId}`}>{data?.policy.name ?? policyId}</a>
      {data === undefined
        ? '.'
        : `, for ${counted(keys.length, 'key')}: ${keys.join(', ') || 'none'}.`}
    </p>
  );
}

function PlaceFields(props: {
  readonly event: StoredEvent;
  readonly place: Place;
  readonly onChange: (place: Place) => void;
}) {
  const { event, place, onChange } = props;
  // One that is no address may be any text that the client has sent.
  const client = canonicalAddress(event.client ?? '');
  return (
    <>
      <MethodAndPath
        place={place}
        set={(name) => (value) => onChange({ ...place, [name]: value })}
        anyMethod={event.context.method}
        anyPath={event.context.uri?.split('?')[0]}
      />
      {client === undefined ? null : (
        <Checkbox
          label={`Only for this client, ${client}`}
          checked={place.clients !== ''}
          onChange={(isOnly) => onChange({ ...place, clients: isOnly ? client : '' })}
        />
      )}
    </>
  );
}

type Scope = 'rule' | 'category';

type Left = Readonly<Record<Scope, readonly string[]>>;

/** What would still block the request with the suggested exclusion, and with the wider one. */
function leftByScope(
  event: StoredEvent,
  { pointer, rule }: ExclusionDialogProps['suggested'],
): Left {
  return {
    rule: leftBlocking(event, pointer, (one) => one.rule === rule),
    category: leftBlocking(event, pointer, (one) => one.category === event.category),
  };
}

function leftBlocking(
  event: StoredEvent,
  pattern: string,
  isExcluded: (finding: EventFinding) => boolean,
): readonly string[] {
  const isThere = ({ pointer }: EventFinding) => fits(pattern, pointer);
  const left = event.findings.filter(
    (one) => one.score >= event.threshold && !(isThere(one) && isExcluded(one)),
  );
  const names = left.map((one) => (isThere(one) ? one.rule : `${one.rule} in ${one.pointer}`));
  return [...new Set(names)];
}

/** Whether a suggested pattern, in which `*` stands for a segment, stands for a field. */
function fits(pattern: string, pointer: string): boolean {
  const segments = pointer.split('/');
  const wanted = pattern.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((one, at) => one === '*' || one === segments[at])
  );
}

function hintOf(left: readonly string[], enough: string): string {
  return left.length === 0
    ? enough
    : `Not enough for this request: ${left.join(', ')} would still block it.`;
}

function scopesOf(event: StoredEvent, rule: string, left: Left): readonly Choice<Scope>[] {
  return [
    {
      value: 'rule',
      label: `Only the rule ${rule}`,
      hint: hintOf(left.rule, 'The narrowest exclusion. All other rules still inspect this field.'),
    },
    {
      value: 'category',
      label: `All rules of ${titleOf(event.category)}`,
      hint: hintOf(
        left.category,
        'For a field that holds such text by design, such as code in a forum.',
      ),
    },
  ];
}

function Saved(props: { readonly event: StoredEvent; readonly onClose: () => void }) {
  return (
    <Dialog title="Exclusion saved" onClose={props.onClose}>
      <Notice kind="success">
        <p role="status">
          It takes effect within a second. You can remove it in the policy, or roll back to the
          version before it.
        </p>
      </Notice>
      <DialogButtons>
        <a class="button secondary" href={`/dashboard/policies/${props.event.policyId}`}>
          Go to the policy
        </a>
        <Button kind="primary" onClick={props.onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
