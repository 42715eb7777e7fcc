import { nearest } from '../../config/nearest.ts';
import { categories } from '../../contract/category.ts';
import type { Detector } from '../../core/rules/rule.ts';
import { type Command, UsageError } from '../command.ts';

/** The operand for a table of all rules. */
const everything = 'list';

export const rules: Command = {
  name: 'rules',
  summary: 'List the detection rules with their examples.',
  operands: '[list | <id> | <category>]',
  operandsMax: 1,
  operandValues: [everything, ...categories],
  options: [
    { name: 'json', help: 'print JSON, with examples and near misses' },
    { name: 'brief', help: 'print a table: the same as rules list' },
  ],
  settings: [],
  async run(input, terminal) {
    const { detectors } = await import('../../core/rules/registry.ts');
    const [wanted = everything] = input.positionals;
    const chosen = choose(detectors, wanted);
    if (input.isOn('json')) {
      const { describeRules } = await import('../../core/rules/describe.ts');
      terminal.out(`${JSON.stringify(describeRules(chosen), null, 2)}\n`);
      return 0;
    }
    const { rulesDocument, rulesSection, rulesTable } = await import('../rules-document.ts');
    const document = input.positionals.length === 0 ? rulesDocument : rulesSection;
    const isBrief = input.isOn('brief') || input.positionals[0] === everything;
    terminal.out(isBrief ? rulesTable(chosen) : document(chosen));
    const count = chosen.reduce((sum, detector) => sum + detector.rules.length, 0);
    if (isBrief) terminal.err(`${count} rules in ${chosen.length} categories.\n`);
    return 0;
  },
};

/** The detectors with those of their rules that a word names: an id, a category, or all. */
function choose(detectors: readonly Detector[], wanted: string): readonly Detector[] {
  const chosen = detectors
    .map((detector) => ({
      ...detector,
      rules: detector.rules.filter(({ id }) =>
        [everything, id, detector.category].includes(wanted),
      ),
    }))
    .filter((detector) => detector.rules.length > 0);
  if (chosen.length > 0) return chosen;
  const names = detectors.flatMap((one) => [one.category, ...one.rules.map(({ id }) => id)]);
  const near = nearest(wanted, names);
  const hint = near === undefined ? '`sallyport rules list` shows all.' : `Did you mean ${near}?`;
  throw new UsageError(`There is no rule and no category ${wanted}. ${hint}`);
}
