import { useState } from 'preact/hooks';
import { type Triage, type TriageVerdict, triageVerdicts } from '../../../contract/event.ts';
import { api } from '../api/client.ts';
import { type Action, useAction } from '../hooks/use-resource.ts';
import { triageNames } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Choices, TextArea, TextField } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { useSay } from '../ui/page.tsx';

/** As many as one call takes. */
const atOnce = 500;

export interface TriageWish {
  readonly verdict: TriageVerdict;
  readonly note?: string;
  readonly owner?: string;
}

/** Marks events, and says so. */
export function useTriage(
  ids: readonly string[],
  onDone: () => void,
): Action<readonly [wish: TriageWish]> {
  const say = useSay();
  return useAction(async (wish: TriageWish) => {
    for (let from = 0; from < ids.length; from += atOnce) {
      const body = { ids: ids.slice(from, from + atOnce), ...wish };
      await api('POST', '/events/triage', { body });
    }
    say(`${counted(ids.length, 'event')} marked: ${triageNames[wish.verdict]}.`);
    onDone();
  });
}

/** Marks one or many events, with a note and an owner. */
export function TriageDialog(props: {
  readonly ids: readonly string[];
  /** What one event has; of many, what is left empty stays. */
  readonly triage?: Triage | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { ids, triage, onClose, onDone } = props;
  const isOne = ids.length === 1;
  const [verdict, setVerdict] = useState<TriageVerdict>(triage?.verdict ?? 'open');
  const [note, setNote] = useState(triage?.note ?? '');
  const [owner, setOwner] = useState(triage?.owner ?? '');
  const mark = useTriage(ids, onDone);
  const kept = (text: string) => isOne || text !== '';
  return (
    <Dialog title={`Triage of ${counted(ids.length, 'event')}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void mark.run({
            verdict,
            ...(kept(note) ? { note } : {}),
            ...(kept(owner) ? { owner } : {}),
          });
        }}
      >
        <Choices
          label="Verdict"
          value={verdict}
          choices={triageVerdicts.map((value) => ({ value, label: triageNames[value] }))}
          onChange={setVerdict}
        />
        <TextArea label="Note" value={note} onInput={setNote} rows={3} />
        <TextField label="Owner" value={owner} onInput={setOwner} maxLength={100} />
        {isOne ? null : <p class="hint">What you leave empty stays as it is.</p>}
        <ErrorNotice error={mark.error} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button needs="editor" kind="primary" type="submit" busy={mark.busy}>
            Save
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What can be done with the events that are selected. */
export function BulkTriage(props: {
  readonly ids: ReadonlySet<string>;
  /** Selects all that fit the filters, where there are more of them than the list shows. */
  readonly onSelectAll: (() => Promise<void>) | undefined;
  readonly onDone: () => void;
}) {
  const ids = [...props.ids];
  const [isOpen, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    props.onDone();
  };
  const mark = useTriage(ids, done);
  const { onSelectAll } = props;
  const select = useAction(async () => await onSelectAll?.());
  if (ids.length === 0) return null;
  return (
    <section class="bulk" aria-label="Selected events">
      <strong>{counted(ids.length, 'event')} selected</strong>
      {onSelectAll === undefined ? null : (
        <Button kind="quiet" busy={select.busy} onClick={() => void select.run()}>
          Select all that fit the filters
        </Button>
      )}
      <Button
        needs="editor"
        busy={mark.busy}
        onClick={() => void mark.run({ verdict: 'true-positive' })}
      >
        True positive
      </Button>
      <Button
        needs="editor"
        busy={mark.busy}
        onClick={() => void mark.run({ verdict: 'false-positive' })}
      >
        False positive
      </Button>
      <Button needs="editor" onClick={() => setOpen(true)}>
        Note and owner
      </Button>
      <ErrorNotice error={mark.error ?? select.error} />
      {isOpen ? <TriageDialog ids={ids} onClose={() => setOpen(false)} onDone={done} /> : null}
    </section>
  );
}
