import { categoryTitle } from '../../contract/category.ts';
import type { Command } from '../command.ts';
import { table } from '../help.ts';
import { rulesDocument } from '../rules-document.ts';

export const rules: Command = {
  name: 'rules',
  summary: 'List the detection rules with their examples.',
  options: [
    { name: 'json', help: 'print JSON, with examples and look-alikes' },
    { name: 'brief', help: 'print a table, a line a rule' },
  ],
  settings: [],
  async run(input, terminal) {
    const { detectors } = await import('../../core/detect/registry.ts');
    if (input.isOn('json')) {
      const { describeRules } = await import('../../core/detect/describe.ts');
      const list = describeRules(detectors);
      terminal.out(`${JSON.stringify(list, null, 2)}\n`);
      return 0;
    }
    if (!input.isOn('brief')) {
      terminal.out(rulesDocument(detectors));
      return 0;
    }
    const rows = detectors.flatMap((detector) =>
      detector.rules.map(({ id, cwe, severity, score, message }) => [
        id,
        cwe,
        severity,
        String(score),
        message,
      ]),
    );
    const titles = detectors
      .filter((detector) => detector.rules.length > 0)
      .map(({ category }) => `${category} (${categoryTitle[category]})`);
    terminal.out(`${table([['RULE', 'CWE', 'SEVERITY', 'SCORE', 'FINDS'], ...rows])}\n`);
    terminal.err(`${rows.length} rules in ${titles.length} categories.\n`);
    return 0;
  },
};
