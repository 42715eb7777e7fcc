import { type Command, CommandError } from '../command.ts';
import { policyOption } from '../shape-options.ts';

export const shapeRemove: Command = {
  name: 'shape remove',
  summary: 'Remove the declared shape of a policy: the detectors alone screen what comes in.',
  alsoCalled: ['shape delete', 'shape rm'],
  options: [policyOption],
  settings: ['dataDir', 'databaseUrl', 'config'],
  isDestructive: true,
  async run(input, terminal) {
    const { shapeOfPolicy } = await import('../shape-file.ts');
    const { changeShape, findPolicy } = await import('../shape-store.ts');
    shapeOfPolicy(await findPolicy(input));
    const wish = {
      shape: undefined,
      comment: 'Removed the declared shape',
      target: 'policy',
    } as const;
    const policy = await changeShape(input, wish);
    if (policy === undefined)
      throw new CommandError('The policy was changed meanwhile; try again.');
    terminal.err(`Version ${policy.version} of ${policy.name} declares no shape.\n`);
    return 0;
  },
};
