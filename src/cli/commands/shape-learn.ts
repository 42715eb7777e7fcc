import { type Command, CommandError } from '../command.ts';
import { policyOption } from '../shape-options.ts';

export const shapeLearn: Command = {
  name: 'shape learn',
  summary: 'Learn the shape of the traffic of a policy, to be proposed.',
  options: [
    policyOption,
    { name: 'off', help: 'stop learning; what was learnt is kept' },
    { name: 'reset', help: 'forget what was learnt, and go on as it is set' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: `Learning refuses nothing and stores no values of secrets: it counts types, lengths and
formats by route and field. "shape learnt" shows what would be declared.`,
  async run(input, terminal) {
    const { forgetLearnt, setLearning } = await import('../shape-store.ts');
    if (input.isOn('reset')) {
      const { name } = await forgetLearnt(input);
      terminal.err(`What was learnt of ${name} is forgotten.\n`);
      return 0;
    }
    const isOn = !input.isOn('off');
    const policy = await setLearning(input, isOn);
    if (policy === undefined)
      throw new CommandError('The policy was changed meanwhile; try again.');
    const what = isOn ? 'learns the shape of its traffic' : 'learns no more';
    terminal.err(`Version ${policy.version} of ${policy.name} ${what}.\n`);
    return 0;
  },
};
