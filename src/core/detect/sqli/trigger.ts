import type { Trigger } from '../rule.ts';

/** What every injected piece of SQL holds at least one of, and honest text seldom. */
export const sqlTrigger: Trigger = {
  literals: [
    [
      '=',
      '<',
      '>',
      '--',
      '#',
      '/*',
      '||',
      '&&',
      ';',
      'select',
      'between',
      'order by',
      'by ',
      'union',
      "'",
      '"',
      '`',
      '(',
      '@@',
    ],
  ],
};
