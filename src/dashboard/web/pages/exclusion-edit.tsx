import { useState } from 'preact/hooks';
import { categories } from '../../../contract/category.ts';
import type { Exclusion } from '../../../contract/policy.ts';
import { isWide } from '../../../contract/wide-exclusion.ts';
import type { SessionState } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { AcceptWide } from './exclusion-effect.tsx';
import { MethodAndPath, narrowedTo, type Place } from './exclusion-place.tsx';

const categoryOptions = [
  { value: '', label: 'One rule' },
  ...categories.map((value) => ({ value, label: `All of ${titleOf(value)}` })),
] as const;

/** Texts of the form; '' is not given. */
interface Draft extends Place {
  readonly pointer: string;
  readonly category: (typeof categoryOptions)[number]['value'];
  readonly rule: string;
  readonly reason: string;
  readonly expires: string;
}

/** Adds an exclusion to a policy that is being edited or to a candidate, or changes one. */
export function ExclusionEdit(props: {
  readonly exclusion: Exclusion | undefined;
  /** What a new one is to allow. */
  readonly suggested?: Pick<Exclusion, 'pointer' | 'rule'>;
  readonly to?: 'policy' | 'candidate';
  readonly onClose: () => void;
  readonly onSave: (exclusion: Exclusion) => void;
}) {
  const { exclusion, suggested, to = 'policy', onClose, onSave } = props;
  const session = useResource<SessionState>('/session');
  const [draft, setDraft] = useState(() => draftOf(exclusion ?? suggested));
  const [accepted, setAccepted] = useState(false);
  const set =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      setDraft((before) => ({ ...before, [name]: value }));
  const fault = pointerFault(draft.pointer);
  // Of those of a policy it is asked when it is saved.
  const asksWide = to === 'candidate' && isWide({ pointer: draft.pointer, ...narrowedTo(draft) });
  const author = exclusion?.author ?? session.data?.user?.name ?? 'an administrator';
  return (
    <Dialog
      title={exclusion === undefined ? 'Add an exclusion' : 'Edit an exclusion'}
      onClose={onClose}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(exclusionOf(draft, exclusion, author));
        }}
      >
        <Target draft={draft} set={set} fault={fault} />
        <TextField
          label="Why is it harmless?"
          value={draft.reason}
          onInput={set('reason')}
          required
          maxLength={1_000}
        />
        <TextField
          label="Until (your time)"
          type="datetime-local"
          value={draft.expires}
          onInput={set('expires')}
          hint="Empty: until it is removed."
        />
        <AcceptWide isWide={asksWide} accepted={accepted} onChange={setAccepted} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            needs="editor"
            kind="primary"
            type="submit"
            disabled={fault !== undefined || (asksWide && !accepted)}
          >
            {exclusion === undefined ? `Add to the ${to}` : 'Change it'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

type Set = <Name extends keyof Draft>(name: Name) => (value: Draft[Name]) => void;

/** What is allowed, and where. */
function Target(props: {
  readonly draft: Draft;
  readonly set: Set;
  readonly fault: string | undefined;
}) {
  const { draft, set, fault } = props;
  return (
    <>
      <TextField
        label="In which field"
        value={draft.pointer}
        onInput={set('pointer')}
        required
        error={fault}
        placeholder="/articles/*/html"
        hint="A JSON pointer. * matches one segment, ** at the end everything below."
      />
      <Select
        label="What to allow"
        value={draft.category}
        options={categoryOptions}
        onChange={set('category')}
      />
      {draft.category === '' ? (
        <TextField
          label="Id of the rule"
          value={draft.rule}
          onInput={set('rule')}
          required
          placeholder="sqli.tautology"
        />
      ) : null}
      <MethodAndPath place={draft} set={set} />
      <TextField
        label="Only for the clients"
        value={draft.clients}
        onInput={set('clients')}
        placeholder="all clients"
        hint="Addresses and networks, such as 203.0.113.7, 2001:db8::/32. Clients whose address is unknown stay screened."
      />
    </>
  );
}

function pointerFault(pointer: string): string | undefined {
  if (pointer === '' || pointer.startsWith('/')) return undefined;
  return `Begin with a slash: /${pointer.replace(/^[$.]+/, '')}`;
}

function draftOf(exclusion: Partial<Exclusion> | undefined): Draft {
  return {
    pointer: exclusion?.pointer ?? '',
    category: exclusion?.category ?? '',
    rule: exclusion?.rule ?? '',
    method: exclusion?.method ?? '',
    path: exclusion?.path ?? '',
    clients: exclusion?.clients?.join(', ') ?? '',
    reason: exclusion?.reason ?? '',
    expires: exclusion?.expiresAt === undefined ? '' : localOf(exclusion.expiresAt),
  };
}

function exclusionOf(draft: Draft, before: Exclusion | undefined, author: string): Exclusion {
  const { pointer, category, rule, reason, expires } = draft;
  return {
    id: before?.id ?? newId(),
    pointer,
    ...narrowedTo(draft),
    ...(category === '' ? { rule } : { category }),
    reason,
    author,
    createdAt: before?.createdAt ?? new Date().toISOString(),
    ...(expires === '' ? {} : { expiresAt: new Date(expires).toISOString() }),
  };
}

/** Without `randomUUID`, which browsers have on secure origins only. */
function newId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** As the control wants it: the time of the user, to the minute. */
function localOf(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
