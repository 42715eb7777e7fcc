import type { FindingStep } from '../../../contract/explanation.ts';
import { decodings } from './decodings.ts';
import { Inert } from './inert.tsx';
import { Scrolled } from './scrolled.tsx';

/** From the raw value to the evidence: a text for each decoding, with a mark in the last. */
export function Steps(props: {
  readonly steps: readonly FindingStep[];
  readonly span: readonly [number, number];
}) {
  const { steps, span } = props;
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={`${index} ${step.decoder}`}>
          <StepText
            number={index + 1}
            step={step}
            {...(index === steps.length - 1 ? { span } : {})}
          />
        </li>
      ))}
    </ol>
  );
}

function StepText(props: {
  readonly number: number;
  readonly step: FindingStep;
  readonly span?: readonly [number, number];
}) {
  const { number, step, span } = props;
  const name = step.decoder === '' ? 'As received' : `After ${decodings([step.decoder])}`;
  const mark: [number, number] | undefined =
    span === undefined ? undefined : [span[0] - step.start, span[1] - step.start];
  return (
    <>
      <span class="step-name">
        {name}
        {span === undefined ? '' : ', with the evidence marked'}
      </span>
      <Scrolled kind="text" label={`Step ${number}: ${name}`}>
        <pre>
          {step.start > 0 ? <span class="faint">… </span> : null}
          {mark === undefined ? (
            <Inert text={step.text} />
          ) : (
            <Inert text={step.text} mark={[Math.max(0, mark[0]), Math.max(0, mark[1])]} />
          )}
          {step.truncated ? <span class="faint"> …</span> : null}
        </pre>
      </Scrolled>
    </>
  );
}
