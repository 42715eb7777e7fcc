import { useState } from 'preact/hooks';
import { type Category, categories } from '../../../contract/category.ts';
import type { CustomRule } from '../../../contract/policy.ts';
import type { Severity } from '../../../contract/verdict.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../ui/field.tsx';

const categoryOptions = categories.map((value) => ({ value, label: titleOf(value) }));
const severityOptions = (['low', 'medium', 'high', 'critical'] as const).map((value) => ({
  value,
  label: value,
}));
const finders = [
  { value: 'literals', label: 'one of these texts' },
  { value: 'pattern', label: 'a regular expression' },
] as const;

/** Texts of the form; the numbers and lists are made of them when it is sent. */
interface Draft {
  readonly name: string;
  readonly category: Category;
  readonly cwe: string;
  readonly severity: Severity;
  readonly score: string;
  readonly message: string;
  readonly pointer: string;
  readonly finder: 'literals' | 'pattern';
  readonly finds: string;
  readonly examples: string;
  readonly lookalikes: string;
}

export function CustomRuleDialog(props: {
  readonly rule: CustomRule | undefined;
  readonly onClose: () => void;
  readonly onSave: (rule: CustomRule) => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(props.rule));
  const set =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      setDraft((before) => ({ ...before, [name]: value }));
  return (
    <Dialog
      title={props.rule === undefined ? 'Add a rule' : `Edit ${props.rule.id}`}
      onClose={props.onClose}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onSave(ruleOf(draft));
        }}
      >
        <Identity draft={draft} set={set} />
        <Select label="Find by" value={draft.finder} options={finders} onChange={set('finder')} />
        <TextArea
          label={draft.finder === 'literals' ? 'Texts, one per line' : 'Pattern'}
          value={draft.finds}
          onInput={set('finds')}
          rows={draft.finder === 'literals' ? 3 : 1}
          code
          required
          hint={
            draft.finder === 'literals'
              ? undefined
              : 'It must run in linear time; one that cannot is refused with the reason.'
          }
        />
        <TextArea
          label="Attacks that it must find, one per line"
          value={draft.examples}
          onInput={set('examples')}
          rows={3}
          code
          required
        />
        <TextArea
          label="Near misses that must pass, one per line"
          value={draft.lookalikes}
          onInput={set('lookalikes')}
          rows={3}
          code
          required
        />
        <DialogButtons>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button needs="editor" kind="primary" type="submit">
            {props.rule === undefined ? 'Add rule' : 'Update rule'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Identity(props: {
  readonly draft: Draft;
  readonly set: <Name extends keyof Draft>(name: Name) => (value: Draft[Name]) => void;
}) {
  const { draft, set } = props;
  return (
    <>
      <div class="filter-row">
        <TextField
          label="Name"
          value={draft.name}
          onInput={set('name')}
          required
          autoFocus
          placeholder="internal-host"
          hint="Becomes custom.<name>."
        />
        <Select
          label="Category"
          value={draft.category}
          options={categoryOptions}
          onChange={set('category')}
        />
        <TextField label="CWE" value={draft.cwe} onInput={set('cwe')} required />
      </div>
      <div class="filter-row">
        <Select
          label="Severity"
          value={draft.severity}
          options={severityOptions}
          onChange={set('severity')}
        />
        <TextField
          label="Score"
          type="number"
          min={1}
          max={100}
          value={draft.score}
          onInput={set('score')}
          required
        />
        <TextField
          label="Only in field (optional)"
          value={draft.pointer}
          onInput={set('pointer')}
          placeholder="/comment"
        />
      </div>
      <TextField
        label="What the evidence does"
        value={draft.message}
        onInput={set('message')}
        required
        hint="The end of a sentence: “The value of /comment …”"
        placeholder="names a host of the internal network"
      />
    </>
  );
}

function draftOf(rule: CustomRule | undefined): Draft {
  return {
    name: rule?.id.replace(/^custom\./, '') ?? '',
    category: rule?.category ?? 'other',
    cwe: rule?.cwe ?? 'CWE-20',
    severity: rule?.severity ?? 'high',
    score: String(rule?.score ?? 80),
    message: rule?.message ?? '',
    pointer: rule?.pointer ?? '',
    finder: rule?.pattern === undefined ? 'literals' : 'pattern',
    finds: rule?.pattern ?? (rule?.literals ?? []).join('\n'),
    examples: (rule?.examples ?? []).join('\n'),
    lookalikes: (rule?.lookalikes ?? []).join('\n'),
  };
}

function ruleOf(draft: Draft): CustomRule {
  const { category, cwe, severity, message } = draft;
  return {
    id: `custom.${draft.name}`,
    category,
    cwe,
    severity,
    score: Number(draft.score),
    message,
    ...(draft.pointer === '' ? {} : { pointer: draft.pointer }),
    ...(draft.finder === 'pattern' ? { pattern: draft.finds } : { literals: lines(draft.finds) }),
    examples: lines(draft.examples),
    lookalikes: lines(draft.lookalikes),
  };
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
