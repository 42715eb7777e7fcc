import type { Command } from '../command.ts';
import { policyOption } from '../shape-options.ts';

export const shapeShow: Command = {
  name: 'shape show',
  summary: 'Print the declared shape of a policy.',
  alsoCalled: ['shape list', 'shape get', 'shape export'],
  options: [policyOption, { name: 'json', help: 'print it as JSON, to be edited and imported' }],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { shapeOfPolicy, shapeText } = await import('../shape-file.ts');
    const { findPolicy } = await import('../shape-store.ts');
    const shape = shapeOfPolicy(await findPolicy(input));
    terminal.out(input.isOn('json') ? `${JSON.stringify(shape, null, 2)}\n` : shapeText(shape));
    return 0;
  },
};
