import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { durationFamilies, families } from '../../src/telemetry/metrics/families.ts';
import { processFamilies } from '../../src/telemetry/metrics/process-families.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';

const rules = fileURLToPath(new URL('../../src/deploy/alerts.yml', import.meta.url));
const dashboard = fileURLToPath(new URL('../../src/deploy/grafana.json', import.meta.url));
const ruleTests = fileURLToPath(new URL('./alerts.tests.yml', import.meta.url));

/** All series that a scrape holds: `test/telemetry/metrics/scrape.test.ts` compares them with a real one. */
const series = new Set([
  ...[...families, ...processFamilies()].map(({ name }) => name),
  ...durationFamilies.flatMap(({ name }) => ['_bucket', '_sum', '_count'].map((end) => name + end)),
]);
const labelsOf = new Map(
  [...families, ...processFamilies()].map(({ name, labels = [] }) => [name, new Set(labels)]),
);

/** What Prometheus and Grafana add. */
const targetLabels = new Set(['instance', 'job', 'le']);

interface Panel {
  readonly title: string;
  readonly id: number;
  readonly targets?: readonly { readonly expr: string }[];
}

function checkNames(text: string, where: string): void {
  const used = text.match(/\b(?:sallyport|nodejs|process)_[a-z_0-9]+/g) ?? [];
  assert.ok(used.length > 0, `${where} uses no metric`);
  for (const name of used) assert.ok(series.has(name), `${where}: there is no ${name}`);
  for (const [, name = '', selectors = ''] of text.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
    for (const [, label = ''] of selectors.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)) {
      const isKnown = targetLabels.has(label) || labelsOf.get(name)?.has(label) === true;
      assert.ok(isKnown, `${where}: ${name} has no label ${label}`);
    }
  }
}

test('the alert rules use metrics and labels that are there', () => {
  const expressions = readFileSync(rules, 'utf8').replace(/^ *(?:summary|description):.*$/gm, '');
  checkNames(expressions, 'alerts.yml');
});

test('the dashboard for Grafana uses metrics and labels that are there', () => {
  const { panels, templating, annotations } = JSON.parse(readFileSync(dashboard, 'utf8'));
  const ids = (panels as readonly Panel[]).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, 'an id of a panel stands twice');
  let targets = 0;
  for (const { title, targets: own = [] } of panels as readonly Panel[]) {
    for (const { expr } of own) {
      checkNames(expr, title);
      targets += 1;
    }
  }
  assert.ok(targets > 30);
  checkNames(templating.list[1].query.query, 'the variable');
  checkNames(annotations.list[0].expr, 'the annotation');
});

test('every metric but what only tables hold is on the dashboard', () => {
  const text = readFileSync(dashboard, 'utf8');
  const missing = [...series].filter(
    (name) => !/_(?:sum|count)$/.test(name) && !text.includes(name),
  );
  assert.deepEqual(missing, []);
});

test('promtool accepts the rules, and they fire when they should', (t) => {
  if (!requireTool(t, 'promtool')) return;
  const checked = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  const path = join(tempDir(), 'tests.yml');
  writeFileSync(path, readFileSync(ruleTests, 'utf8').replace('RULES', rules));
  const tried = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' });
  assert.equal(tried.status, 0, tried.stdout + tried.stderr);
});

test('promtool can read every expression of the dashboard', (t) => {
  if (!requireTool(t, 'promtool')) return;
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8'));
  const expressions = (panels as readonly Panel[]).flatMap(({ targets = [] }) => targets);
  const asRules = expressions.map(({ expr }, index) => {
    const plain = expr.replace(/\$__\w+/g, '5m').replaceAll('$instance', '.*');
    return { record: `panel:${index}`, expr: plain };
  });
  const path = join(tempDir(), 'rules.yml');
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }));
  const checked = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
});
