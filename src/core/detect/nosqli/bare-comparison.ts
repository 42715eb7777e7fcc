import type { Match, ValueRule } from '../rule.ts';

/** A value that is nothing but an always-true continuation of a script condition. */
export const bareComparison: ValueRule = {
  id: 'nosqli.bare-comparison',
  category: 'nosqli',
  cwe: 'CWE-943',
  severity: 'high',
  score: 75,
  message: 'goes on with an always-true comparison of a query script',
  trigger: { literals: [['||', '&&'], ['==']] },
  examples: ['|| 2==2', ' || 1 === 1 //', '&& 3==3%00'],
  lookalikes: ['a || b == c', 'if (x == 1 || y == 2)', '|| col 1 || col 2 == total'],
  judge(subject): Match | undefined {
    const found = comparison.exec(subject.text);
    if (found === null || found[1] !== found[2]) return undefined;
    return { start: 0, end: found[0].length };
  },
};

const comparison = /^ ?(?:\|\||&&) ?(\d{1,9}) ?={2,3} ?(\d{1,9})/;
