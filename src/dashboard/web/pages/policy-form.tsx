import type { ComponentChildren } from 'preact';
import { categories } from '../../../contract/category.ts';
import { limits as bounds } from '../../../contract/limits.ts';
import type { Policy } from '../../../contract/policy.ts';
import { type Sensitivity, thresholds } from '../../../contract/policy.ts';
import { titleOf } from '../ui/badge.tsx';
import { Checkbox, Choices, TextArea, TextField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { Card } from '../ui/page.tsx';
import { CustomRules, Exclusions, type FormProps } from './policy-lists.tsx';

const modes = [
  { value: 'block', label: 'Block', hint: 'Requests with a threat get 403.' },
  {
    value: 'monitor',
    label: 'Monitor',
    hint: 'Every request gets 200; events show what would be blocked. Begin here.',
  },
  { value: 'off', label: 'Off', hint: 'Nothing is screened.' },
] as const;

const sensitivityHints: Readonly<Record<Sensitivity, string>> = {
  1: 'Only what cannot be benign',
  2: 'Everyday use',
  3: 'Also what is probably an attack: closed user groups',
  4: 'Anything odd: research, honeypots',
};

/**
 * Per cent of attacks and of benign values blocked, bench/record/detection-2026-11-24.md: 32,314 and
 * 41,510 items.
 */
const measured: Readonly<Record<Sensitivity, readonly [attacks: string, benign: string]>> = {
  1: ['86.5', '0.002'],
  2: ['99.2', '0.03'],
  3: ['99.4', '0.26'],
  4: ['99.4', '3.2'],
};

function priceOf([attacks, benign]: readonly [string, string]): string {
  return `Measured: ${attacks}% of attacks blocked, ${benign}% of benign values.`;
}

const sensitivities = ([1, 2, 3, 4] as const).map((level) => ({
  value: String(level),
  label: `${level}: blocked from a score of ${thresholds[level]}`,
  hint: `${sensitivityHints[level]}. ${priceOf(measured[level])}`,
}));

/** A policy as a form. */
export function PolicyForm(
  props: FormProps & { readonly name: string; readonly onName: (name: string) => void },
) {
  const { document, onChange, name, onName } = props;
  return (
    <>
      <Card title="What happens">
        <TextField label="Name" value={name} onInput={onName} required maxLength={100} />
        <Choices
          label="Mode"
          value={document.mode}
          choices={modes}
          onChange={(mode) => onChange({ ...document, mode })}
        />
        <Choices
          label="Sensitivity"
          value={String(document.sensitivity)}
          choices={sensitivities}
          onChange={(level) => onChange({ ...document, sensitivity: Number(level) as Sensitivity })}
        />
      </Card>
      <CategoryChoice document={document} onChange={onChange} />
      <Exclusions document={document} onChange={onChange} />
      <CustomRules document={document} onChange={onChange} />
      <Answers document={document} onChange={onChange} />
      <Bounds document={document} onChange={onChange} />
    </>
  );
}

function CategoryChoice({ document, onChange }: FormProps) {
  const off = new Set(document.categoriesOff);
  return (
    <Card title="Categories to detect">
      <fieldset class="check-grid">
        <legend class="sr-only">Categories</legend>
        {categories.map((category) => (
          <Checkbox
            key={category}
            label={titleOf(category)}
            checked={!off.has(category)}
            onChange={(checked) =>
              onChange({
                ...document,
                categoriesOff: categories.filter((other) =>
                  other === category ? !checked : off.has(other),
                ),
              })
            }
          />
        ))}
      </fieldset>
    </Card>
  );
}

const incompleteChoices = [
  { value: 'block', label: 'Block it', hint: 'Recommended: nothing passes uninspected.' },
  { value: 'allow', label: 'Let it pass', hint: 'The verdict is marked as incomplete.' },
] as const;

const outageChoices = [
  { value: 'allow', label: 'Let it pass' },
  { value: 'block', label: 'Block it' },
] as const;

const detailChoices = [
  { value: 'minimal', label: 'Minimal', hint: 'Id, decision and score.' },
  { value: 'standard', label: 'Standard', hint: 'Also category, rule and field.' },
  { value: 'full', label: 'Full', hint: 'Also the evidence itself.' },
] as const;

function Answers({ document, onChange }: FormProps) {
  return (
    <Card title="Answers and origins">
      <Choices
        label="A request that is too large or too nested to be screened completely"
        value={document.onIncomplete}
        choices={incompleteChoices}
        onChange={(onIncomplete) => onChange({ ...document, onIncomplete })}
      />
      <Choices
        label="A request of a proxy that could not be screened: overload, rate limit, defect"
        value={document.onOutage}
        choices={outageChoices}
        onChange={(onOutage) => onChange({ ...document, onOutage })}
      />
      <Choices
        label="What a block says to the application"
        value={document.detail}
        choices={detailChoices}
        onChange={(detail) => onChange({ ...document, detail })}
      />
      <TextArea
        label="Trusted origins"
        value={document.trustedOrigins.join('\n')}
        onInput={(text) => onChange({ ...document, trustedOrigins: lines(text) })}
        rows={3}
        hint="One per line, such as https://app.example.com. They may send state-changing requests."
      />
    </Card>
  );
}

/** Lines as typed; an empty one stays while it is being typed in. */
function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function Bounds({ document, onChange }: FormProps) {
  const { limits, rateLimit } = document;
  const limit = (name: keyof Policy['limits']) => (text: string) => {
    const { [name]: _old, ...others } = limits;
    onChange({ ...document, limits: text === '' ? others : { ...others, [name]: Number(text) } });
  };
  return (
    <Card title="Limits">
      <Row>
        <Count
          label="Max body (bytes)"
          value={limits.bodyBytes}
          onInput={limit('bodyBytes')}
          unset={count(bounds.bodyBytesMax)}
        />
        <Count
          label="Max depth"
          value={limits.depth}
          onInput={limit('depth')}
          unset={count(bounds.jsonDepthMax)}
        />
        <Count
          label="Max fields"
          value={limits.members}
          onInput={limit('members')}
          unset={count(bounds.jsonMembersMax)}
        />
      </Row>
      <RateLimit rateLimit={rateLimit} document={document} onChange={onChange} />
    </Card>
  );
}

function RateLimit(props: FormProps & { readonly rateLimit: Policy['rateLimit'] }) {
  const { rateLimit, document, onChange } = props;
  const setOn = (isOn: boolean) => {
    const { rateLimit: _old, ...others } = document;
    onChange(isOn ? { ...others, rateLimit: { requests: 1_000, perSeconds: 1 } } : others);
  };
  return (
    <>
      <Checkbox
        label="Limit the rate of each key"
        checked={rateLimit !== undefined}
        onChange={setOn}
      />
      {rateLimit === undefined ? null : (
        <Row>
          <Count
            label="Requests"
            value={rateLimit.requests}
            onInput={(text) =>
              onChange({ ...document, rateLimit: { ...rateLimit, requests: Number(text) } })
            }
          />
          <Count
            label="Per seconds"
            value={rateLimit.perSeconds}
            onInput={(text) =>
              onChange({ ...document, rateLimit: { ...rateLimit, perSeconds: Number(text) } })
            }
          />
          <Count
            label="Burst"
            value={rateLimit.burst}
            onInput={(text) => {
              const { burst: _old, ...others } = rateLimit;
              onChange({
                ...document,
                rateLimit: text === '' ? others : { ...others, burst: Number(text) },
              });
            }}
          />
        </Row>
      )}
    </>
  );
}

function Row({ children }: { readonly children: ComponentChildren }) {
  return <div class="filter-row">{children}</div>;
}

function Count(props: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onInput: (text: string) => void;
  /** What holds where nothing is typed. */
  readonly unset?: string;
}) {
  return (
    <TextField
      label={props.label}
      type="number"
      min={1}
      value={props.value === undefined ? '' : String(props.value)}
      onInput={props.onInput}
      placeholder={props.unset ?? ''}
    />
  );
}
