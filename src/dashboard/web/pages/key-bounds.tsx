import type { KeyScope } from '../../../contract/key-bounds.ts';
import { Checkbox, TextArea } from '../ui/field.tsx';

const scopes: readonly { readonly scope: KeyScope; readonly label: string }[] = [
  { scope: 'screen', label: 'Screen: an application asks about its requests' },
  { scope: 'forward', label: 'Forward: a reverse proxy asks about each request' },
  { scope: 'manage', label: 'Manage: a script edits policies and lists, never keys or users' },
];

/** What a key may do and from where, as it is typed. */
export interface BoundsInput {
  readonly scopes: readonly KeyScope[];
  /** Lines or commas. */
  readonly networks: string;
}

/** The members of a body that say so; an administrator key has no scopes. */
export function boundsBody(input: BoundsInput, kind: 'live' | 'admin') {
  const networks = input.networks.split(/[\s,]+/).filter((one) => one !== '');
  return { networks, ...(kind === 'live' ? { scopes: input.scopes } : {}) };
}

/** Fields for what a key may do and from where. */
export function BoundsFields(props: {
  readonly kind: 'live' | 'admin';
  readonly value: BoundsInput;
  readonly onChange: (value: BoundsInput) => void;
}) {
  const { kind, value, onChange } = props;
  const toggle = (scope: KeyScope, wanted: boolean) => {
    const others = value.scopes.filter((one) => one !== scope);
    onChange({ ...value, scopes: wanted ? [...others, scope] : others });
  };
  return (
    <>
      {kind === 'live' ? (
        <fieldset class="choices">
          <legend>What it may do</legend>
          {scopes.map(({ scope, label }) => (
            <Checkbox
              key={scope}
              label={label}
              checked={value.scopes.includes(scope)}
              onChange={(wanted) => toggle(scope, wanted)}
            />
          ))}
        </fieldset>
      ) : null}
      <TextArea
        label="From where (optional)"
        value={value.networks}
        onInput={(networks) => onChange({ ...value, networks })}
        rows={2}
        code
        placeholder="10.0.0.0/8"
        hint="Addresses and networks of your servers, one per line. Empty: from everywhere."
      />
    </>
  );
}
