import type { ExplainedView, Explanation } from '../../../contract/explanation.ts';
import type { Finding } from '../../../contract/verdict.ts';
import { DecisionBadge, SeverityBadge, titleOf } from '../ui/badge.tsx';
import { decodings } from '../ui/decodings.ts';
import { counted } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Notice } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { ScoreMeter } from '../ui/score.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import { Coverage } from './event-facts.tsx';

/** The verdict, then every field with each reading of it. */
export function Trace({ answer }: { readonly answer: Explanation }) {
  const { verdict, fields } = answer;
  return (
    <>
      <Card title="Verdict">
        <p class="because">
          <DecisionBadge decision={verdict.decision} />{' '}
          {verdict.findings.length === 0
            ? 'Nothing was found.'
            : `${counted(verdict.findings.length, 'finding')}.`}
        </p>
        <ScoreMeter score={verdict.score} threshold={verdict.threshold} />
        <Coverage coverage={verdict.coverage} />
        <ul class="plain-list">
          {verdict.findings.map((finding) => (
            <li key={`${finding.pointer} ${finding.rule}`}>
              <FindingLine finding={finding} />
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Step by step">
        <p class="faint">
          {counted(fields.length, 'value')} inspected, as received and after every decoding that
          applies.
        </p>
        {answer.truncated ? (
          <Notice kind="info">
            The trace is too long to show in full. The verdict is not affected.
          </Notice>
        ) : null}
        {fields.map((field) => (
          <Field
            key={`${field.pointer} ${field.where}`}
            field={field}
            findings={verdict.findings}
          />
        ))}
      </Card>
    </>
  );
}

function FindingLine({ finding }: { readonly finding: Finding }) {
  return (
    <>
      <strong>{titleOf(finding.category)}</strong> in{' '}
      <code>
        <Inert text={finding.pointer || 'the request'} />
      </code>
      : {finding.message}. <SeverityBadge severity={finding.severity} />{' '}
      <a href={`/dashboard/rules?q=${encodeURIComponent(finding.rule)}`}>{finding.rule}</a>, score{' '}
      {finding.score}
    </>
  );
}

function Field(props: {
  readonly field: Explanation['fields'][number];
  readonly findings: readonly Finding[];
}) {
  const { field, findings } = props;
  const found = field.views.some((view) => view.findings.length > 0);
  return (
    <details class="trace-field" open={found}>
      <summary>
        <code>
          <Inert text={field.pointer || '/'} />
        </code>{' '}
        <span class="faint">{field.where}</span>
        {found ? <span class="badge block">found</span> : null}
      </summary>
      <ol class="steps">
        {field.views.map((view) => (
          <li key={view.decoded.join(' ')}>
            <View view={view} findings={findings} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function View(props: { readonly view: ExplainedView; readonly findings: readonly Finding[] }) {
  const { view, findings } = props;
  const own = view.findings.flatMap((index) => findings[index] ?? []);
  const name = view.decoded.length === 0 ? 'As received' : `After ${decodings(view.decoded)}`;
  return (
    <>
      <span class="step-name">{name}</span>
      <Scrolled kind="text" label={name}>
        <pre>
          <Inert text={view.text} {...(own[0] === undefined ? {} : { mark: own[0].span })} />
        </pre>
      </Scrolled>
      <p class="faint">
        {view.rulesAsked.length === 0
          ? 'No rule had to inspect this text: nothing in it can be an attack.'
          : `Inspected by: ${view.rulesAsked.join(', ')}.`}
      </p>
      {own.map((finding) => (
        <p key={finding.rule} class="found">
          <FindingLine finding={finding} />
        </p>
      ))}
    </>
  );
}
