import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { categories } from '../../../contract/category.ts';
import type { RuleDescription, RuleExample } from '../../../contract/management.ts';
import { withQuery } from '../api/client.ts';
import type { RuleUse } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { SeverityBadge, titleOf } from '../ui/badge.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { counted, exampleText } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

export function RulesPage() {
  const rules = useResource<{ readonly rules: readonly RuleDescription[] }>('/rules');
  const use = useResource<RuleUse>('/rules/use');
  return (
    <Page
      title="Rules"
      intro="What Sallyport looks for. The examples and near misses of each rule are its tests: they run before every release."
    >
      <Loaded resource={rules} lines={14}>
        {(data) => <RuleBrowser rules={data.rules} use={use.data} />}
      </Loaded>
      <ErrorNotice error={use.error} onRetry={use.reload} />
    </Page>
  );
}

const categoryOptions = [
  { value: '', label: 'Any' },
  ...categories.map((category) => ({ value: category as string, label: titleOf(category) })),
];

function RuleBrowser(props: {
  readonly rules: readonly RuleDescription[];
  readonly use: RuleUse | undefined;
}) {
  const { rules, use } = props;
  const { query, route } = useLocation();
  const [q, category] = [query['q'] ?? '', query['category'] ?? ''];
  const found = useMemo(() => search(rules, q, category), [rules, q, category]);
  const go = (wanted: { readonly q: string; readonly category: string }) =>
    route(withQuery('/dashboard/rules', wanted), true);
  return (
    <>
      <div class="filters">
        <div class="filter-row">
          <TextField
            label="Search"
            type="search"
            value={q}
            onInput={(value) => go({ q: value, category })}
            placeholder="name, message, CWE or example"
          />
          <Select
            label="Category"
            value={category}
            options={categoryOptions}
            onChange={(value) => go({ q, category: value })}
          />
          <p class="filter-count" role="status">
            {counted(found.length, 'rule')}
          </p>
        </div>
      </div>
      {found.length === 0 ? <Empty title="No rule fits." /> : null}
      {[...Map.groupBy(found, (rule) => rule.category)].map(([group, members]) => (
        <section key={group} aria-label={titleOf(group)}>
          <h2 class="rule-group">
            {titleOf(group)} <small>{counted(members.length, 'rule')}</small>
          </h2>
          <div class="rules">
            {members.map((rule) => (
              <Rule key={rule.id} rule={rule} use={use} isOpen={found.length === 1} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function search(
  rules: readonly RuleDescription[],
  q: string,
  category: string,
): readonly RuleDescription[] {
  const words = q.toLowerCase().split(/\s+/);
  return rules.filter((rule) => {
    if (category !== '' && rule.category !== category) return false;
    const text = JSON.stringify([rule, titleOf(rule.category)]).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function Rule(props: {
  readonly rule: RuleDescription;
  readonly use: RuleUse | undefined;
  readonly isOpen: boolean;
}) {
  const { rule, use, isOpen } = props;
  const found = use?.events.find((one) => one.rule === rule.id)?.count ?? 0;
  const off = (use?.off ?? []).filter((one) => one.rule === rule.id);
  return (
    <details class="rule" open={isOpen}>
      <summary>
        <span class="rule-name">{rule.id}</span>
        <span class="rule-message">
          {rule.message}
          {off.length === 0 ? null : (
            <small> · off in {off.map(({ policyName }) => policyName).join(', ')}</small>
          )}
        </span>
        <span class="rule-found" title="in the last 7 days">
          {found > 0 && use?.estimated === true ? 'about ' : ''}
          {found === 0 ? '' : counted(found, 'event')}
        </span>
        <SeverityBadge severity={rule.severity} />
        <span class="number">{rule.score}</span>
      </summary>
      <div class="rule-body">
        <p>
          {titleOf(rule.category)},{' '}
          <a href={cweAddress(rule.cwe)} rel="noreferrer" target="_blank">
            {rule.cwe}
          </a>
          .{' '}
          <a href={`/dashboard/events?rule=${encodeURIComponent(rule.id)}`}>Events of this rule</a>
          {use === undefined ? null : `: ${counted(found, 'event')} in the last 7 days`}.
        </p>
        {off.length === 0 ? null : (
          <p>
            Off in{' '}
            {off.map(({ policyId, policyName }, index) => (
              <span key={policyId}>
                {index === 0 ? '' : ', '}
                <a href={`/dashboard/policies/${policyId}`}>{policyName}</a>
              </span>
            ))}
            .
          </p>
        )}
        <h3>Finds</h3>
        <Examples examples={rule.examples} kind="attack" />
        <h3>Lets pass</h3>
        <Examples examples={rule.lookalikes} kind="benign" />
      </div>
    </details>
  );
}

function Examples(props: { readonly examples: readonly RuleExample[]; readonly kind: string }) {
  return (
    <ul class={`examples ${props.kind}`}>
      {props.examples.map((example) => (
        <li key={exampleText(example)}>
          <code>
            <Inert text={exampleText(example)} />
          </code>
        </li>
      ))}
    </ul>
  );
}

function cweAddress(cwe: string): string {
  return `https://cwe.mitre.org/data/definitions/${cwe.replace('CWE-', '')}.html`;
}
