import { useState } from 'preact/hooks';
import type { CustomRule, Exclusion, Policy } from '../../../contract/policy.ts';
import { titleOf } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty } from '../ui/notice.tsx';
import { Card, Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { CustomRuleDialog } from './custom-rule-dialog.tsx';
import { ExclusionEdit } from './exclusion-edit.tsx';

/** A part of the form of a policy. */
export interface FormProps {
  readonly document: Policy;
  readonly onChange: (document: Policy) => void;
}

/** What is allowed although a rule finds it. */
export function Exclusions({ document, onChange }: FormProps) {
  const { exclusions } = document;
  const [editing, setEditing] = useState<Exclusion | 'new' | undefined>(undefined);
  const save = (made: Exclusion) => {
    const others = exclusions.map((old) => (old.id === made.id ? made : old));
    onChange({ ...document, exclusions: editing === 'new' ? [...exclusions, made] : others });
    setEditing(undefined);
  };
  return (
    <Card
      title="Exclusions"
      actions={
        <Button needs="editor" icon="plus" onClick={() => setEditing('new')}>
          Add an exclusion
        </Button>
      }
    >
      {exclusions.length === 0 ? (
        <Empty title="Nothing is excluded.">
          <p>
            Open the event of a false positive; its page offers the narrowest exclusion and shows
            what it would do.
          </p>
        </Empty>
      ) : (
        <Table caption="Exclusions" columns={['Field', 'What', 'Why', 'Until', 'Actions']}>
          {exclusions.map((exclusion) => (
            <ExclusionRow
              key={exclusion.id}
              exclusion={exclusion}
              onEdit={() => setEditing(exclusion)}
              onRemove={() =>
                onChange({
                  ...document,
                  exclusions: exclusions.filter(({ id }) => id !== exclusion.id),
                })
              }
            />
          ))}
        </Table>
      )}
      {editing === undefined ? null : (
        <ExclusionEdit
          exclusion={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSave={save}
        />
      )}
    </Card>
  );
}

function ExclusionRow(props: {
  readonly exclusion: Exclusion;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { exclusion } = props;
  return (
    <tr>
      <th scope="row">
        <code>
          <Inert text={exclusion.pointer} />
        </code>
        <small>
          <Inert text={[exclusion.method, exclusion.path].filter(Boolean).join(' ')} />
        </small>
        {exclusion.clients === undefined ? null : (
          <small>
            for <Inert text={exclusion.clients.join(', ')} />
          </small>
        )}
      </th>
      <td>
        {exclusion.rule ??
          (exclusion.category === undefined ? 'all rules' : titleOf(exclusion.category))}
      </td>
      <td>
        <Inert text={exclusion.reason} />
        <small>
          {exclusion.author}, <Time at={exclusion.createdAt} />
        </small>
      </td>
      <td>
        {exclusion.expiresAt === undefined ? 'no end date' : <Time at={exclusion.expiresAt} />}
      </td>
      <td class="row-actions">
        <Button
          needs="editor"
          label={`Edit the exclusion for ${exclusion.pointer}`}
          onClick={props.onEdit}
        >
          Edit
        </Button>
        <Button
          needs="editor"
          label={`Remove the exclusion for ${exclusion.pointer}`}
          onClick={props.onRemove}
        >
          Remove
        </Button>
      </td>
    </tr>
  );
}

/** Rules that users write. */
export function CustomRules({ document, onChange }: FormProps) {
  const { customRules } = document;
  const [editing, setEditing] = useState<number | 'new' | undefined>(undefined);
  const save = (rule: CustomRule) => {
    onChange({
      ...document,
      customRules:
        editing === 'new'
          ? [...customRules, rule]
          : customRules.map((old, index) => (index === editing ? rule : old)),
    });
    setEditing(undefined);
  };
  return (
    <Card
      title="Custom rules"
      actions={
        <Button needs="editor" icon="plus" onClick={() => setEditing('new')}>
          Add a rule
        </Button>
      }
    >
      {customRules.length === 0 ? (
        <Empty title="No custom rules. The built-in rules always apply." />
      ) : (
        <Table caption="Custom rules" columns={['Rule', 'Finds', 'Score', 'Actions']}>
          {customRules.map((rule, index) => (
            <tr key={rule.id}>
              <th scope="row">
                {rule.id}
                <small>{titleOf(rule.category)}</small>
              </th>
              <td class="clip">
                <code>
                  <Inert text={rule.pattern ?? (rule.literals ?? []).join(' or ')} />
                </code>
              </td>
              <td class="number">{rule.score}</td>
              <td class="row-actions">
                <Button needs="editor" label={`Edit ${rule.id}`} onClick={() => setEditing(index)}>
                  Edit
                </Button>
                <Button
                  needs="editor"
                  label={`Remove ${rule.id}`}
                  onClick={() =>
                    onChange({
                      ...document,
                      customRules: customRules.filter((old) => old !== rule),
                    })
                  }
                >
                  Remove
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {editing === undefined ? null : (
        <CustomRuleDialog
          rule={editing === 'new' ? undefined : customRules[editing]}
          onClose={() => setEditing(undefined)}
          onSave={save}
        />
      )}
    </Card>
  );
}
