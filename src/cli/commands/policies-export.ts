import { type Command, CommandError } from '../command.ts';

export const policiesExport: Command = {
  name: 'policies export',
  summary: 'Print a policy as JSON, to be kept, edited and applied.',
  alsoCalled: ['policies get', 'policies dump', 'policies download'],
  operands: '<id or name>',
  operandsMin: 1,
  operandsMax: 1,
  options: [{ name: 'output', value: '<file>', help: 'write it to a file' }],
  settings: ['dataDir', 'databaseUrl', 'config'],
  async run(input, terminal) {
    const { policyIdOf } = await import('../key-ring.ts');
    const { openPolicies, policyFileText, writePolicyFile } = await import('../policy-file.ts');
    const { createSqlPolicyStore } = await import('../../policies/sql-policy-store.ts');
    const { requireDatabase, withDatabase } = await import('../stored.ts');
    requireDatabase(input.config);
    const found = await withDatabase(input.config, async ({ database }) => {
      const id = await policyIdOf(createSqlPolicyStore(database), input.positionals[0] ?? '');
      return openPolicies(database).find(id);
    });
    if (found === undefined) {
      throw new CommandError(
        'No policy is stored yet: the first start of the service stores the default one.',
      );
    }
    const output = input.text('output');
    if (output === undefined) {
      terminal.out(policyFileText(found));
    } else {
      writePolicyFile(output, policyFileText(found));
      terminal.err(`Version ${found.version} of ${found.name} is in ${output}.\n`);
    }
    return 0;
  },
};
