import type { CommandOption } from './command.ts';

/** Options of the commands that read a document. */
export const readingOptions: readonly CommandOption[] = [
  { name: 'closed', help: 'refuse members and parameters that are not declared' },
  { name: 'lenient', help: 'leave out what cannot be enforced, and list it' },
  {
    name: 'unlisted',
    value: '<refuse|screen>',
    help: 'what becomes of requests without a route; refused by default',
    values: ['refuse', 'screen'],
  },
];

/** The option that names a policy. */
export const policyOption: CommandOption = {
  name: 'policy',
  value: '<id or name>',
  help: 'the policy; the default one when left out',
};
