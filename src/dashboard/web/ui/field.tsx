import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A label, its control, a hint and an error, wired for screen readers. */
export function Field(props: FieldProps & { readonly children: (wiring: Wiring) => JSX.Element }) {
  const { label, hint, children } = props;
  const id = useId();
  const [fault, setFault] = useState<string | undefined>(undefined);
  const error = props.error ?? fault;
  const described = [
    hint === undefined ? '' : `${id}-hint`,
    error === undefined ? '' : `${id}-error`,
  ].filter((part) => part !== '');
  return (
    <div
      class="field"
      onInput={() => setFault(undefined)}
      onInvalidCapture={(event) => {
        // The text below the field takes the place of the browser's bubble.
        event.preventDefault();
        if (isControl(event.target)) setFault(faultOf(event.target));
      }}
    >
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isControl(target: EventTarget | null): target is Control {
  return target instanceof HTMLElement && 'validity' in target;
}

/** What is wrong with a field, in words. Also gives the focus to the first such field of a form. */
function faultOf(control: Control): string {
  const { validity } = control;
  const first = control.form?.querySelector('input:invalid, textarea:invalid, select:invalid');
  if (first === control) control.focus();
  if (validity.valueMissing) return 'Fill in this field.';
  const least = control.getAttribute('minlength') ?? control.getAttribute('min');
  if (validity.tooShort) return `Use at least ${least} characters.`;
  if (validity.rangeUnderflow) return `Use at least ${least}.`;
  if (validity.rangeOverflow) return `Use at most ${control.getAttribute('max')}.`;
  return control.validationMessage;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'datetime-local';
  readonly autoComplete?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

export function TextField({ label, hint, error, onInput, type, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          {...input}
          // The types know each kind of input apart, and none that is chosen while it runs.
          type={(type ?? 'text') as 'text'}
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface AreaProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly code?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string;
}

export function TextArea({ label, hint, error, onInput, code = false, ...area }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <textarea
          {...wiring}
          {...area}
          class={code ? 'code' : ''}
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, error, value, options, onChange } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface Choice<Value extends string> extends Option<Value> {
  readonly hint?: string;
}

/** A few choices of which one holds, all of them visible. */
export function Choices<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{props.label}</legend>
      {props.choices.map(({ value, label, hint }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            name={name}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>
            <strong>{label}</strong>
            {hint === undefined ? null : <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Checkbox(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}
