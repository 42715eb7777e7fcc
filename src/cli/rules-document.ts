import { categoryTitle } from '../contract/category.ts';
import {
  type Detector,
  type Example,
  type InCategory,
  inCategory,
  type Rule,
} from '../core/rules/rule.ts';
import { table } from './table.ts';

/** The rules as a Markdown document, made from the objects that detect. */
export function rulesDocument(detectors: readonly Detector[]): string {
  const count = detectors.reduce((sum, detector) => sum + detector.rules.length, 0);
  return [
    '# Rules',
    '',
    `The ${count} rules of the detector core, written by \`sallyport rules\`.`,
    'A request is blocked when its score reaches the threshold of the sensitivity: 90, 70 (the default), 50 or 30.',
    '',
    ...detectors.flatMap(describeCategory),
  ].join('\n');
}

/** Some of the rules, without the words about all of them. */
export function rulesSection(detectors: readonly Detector[]): string {
  return detectors.flatMap(describeCategory).join('\n');
}

function describeCategory(detector: Detector): string[] {
  const title = `## ${categoryTitle[detector.category]} (\`${detector.category}\`)`;
  return [title, '', ...detector.rules.map(inCategory).flatMap(describeRule)];
}

function describeRule(rule: InCategory<Rule>): string[] {
  return [
    `### \`${rule.id}\``,
    '',
    `A match ${rule.message}. ${rule.cwe}, ${rule.severity}, score ${rule.score}.`,
    '',
    'Finds:',
    '',
    ...fenced(rule.examples),
    '',
    'Lets pass:',
    '',
    ...fenced(rule.lookalikes),
    '',
  ];
}

/** Examples one a line; a fence longer than any run of backticks inside keeps them inert. */
function fenced(examples: readonly Example[]): string[] {
  const lines = examples.map((one) => shorten(JSON.stringify(textOf(one))));
  return ['````````text', ...lines, '````````'];
}

function textOf(example: Example): unknown {
  return typeof example === 'string' ? example : example.body;
}

const lineChars = 160;

function shorten(line: string): string {
  return line.length > lineChars ? `${line.slice(0, lineChars)}…` : line;
}

/** The rules as a table of plain text, a line each. */
export function rulesTable(detectors: readonly Detector[]): string {
  const rows = detectors.flatMap((detector) =>
    detector.rules
      .map(inCategory)
      .map(({ id, cwe, severity, score, message }) => [id, cwe, severity, String(score), message]),
  );
  return `${table([['RULE', 'CWE', 'SEVERITY', 'SCORE', 'FINDS'], ...rows])}\n`;
}
