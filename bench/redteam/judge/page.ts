import type { Circumstances } from '../../lib/record.ts';
import type { Family } from './families.ts';

/** Families in a page; the record has more. */
const familiesShown = 12;

/** The title of a page, and how its record was made. */
export function headOf(title: string, circumstances: Circumstances): string[] {
  const { startedAt, commit, isDirty, node, seconds, options } = circumstances;
  return [
    `# ${title}, ${startedAt.slice(0, 10)}, ${commit}${isDirty ? ' with changes' : ''}`,
    '',
    `\`${['npm run bench:redteam --', ...options].join(' ')}\`, Node ${node}, ${seconds} s.`,
  ];
}

/** The heaviest families, each with its example; nothing where there is none. */
export function familySection(
  title: string,
  families: readonly Family[],
  count = families.length,
): string[] {
  if (families.length === 0) return [];
  const rest = count - familiesShown;
  return [
    '',
    `### ${title}`,
    '',
    ...families.slice(0, familiesShown).map(familyLine),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

function familyLine({ name, count, example }: Family): string {
  const { context, names, values } = example;
  const shown = names.map((one, index) => `${one}=${values[index] ?? ''}`).join(' & ');
  const text = JSON.stringify(shown.slice(0, 160)).replaceAll('`', '\\u0060');
  return `- ${count} × ${name} (${context}): \`${text}\``;
}
