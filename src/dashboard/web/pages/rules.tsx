import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { categories } from '../../../contract/category.ts';
import type { RuleDescription, RuleExample } from '../../../contract/management.ts';
import { withQuery } from '../api/client.ts';
import { useResource } from '../hooks/use-resource.ts';
import { SeverityBadge, titleOf } from '../ui/badge.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { counted, exampleText } from '../ui/format.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

export function RulesPage() {
  const rules = useResource<{ readonly rules: readonly RuleDescription[] }>('/rules');
  return (
    <Page
      title="Rules"
      intro="What Sallyport looks for. The examples and near misses of each rule are its tests: they run before every release."
    >
      <Loaded resource={rules} lines={14}>
        {(data) => <RuleBrowser rules={data.rules} />}
      </Loaded>
    </Page>
  );
}

const categoryOptions = [
  { value: '', label: 'Any' },
  ...categories.map((category) => ({ value: category as string, label: titleOf(category) })),
];

function RuleBrowser({ rules }: { readonly rules: readonly RuleDescription[] }) {
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
      <div class="rules">
        {found.map((rule) => (
          <Rule key={rule.id} rule={rule} isOpen={found.length === 1} />
        ))}
      </div>
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

function Rule({ rule, isOpen }: { readonly rule: RuleDescription; readonly isOpen: boolean }) {
  return (
    <details class="rule" open={isOpen}>
      <summary>
        <span class="rule-name">{rule.id}</span>
        <span class="rule-message">{rule.message}</span>
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
        </p>
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
