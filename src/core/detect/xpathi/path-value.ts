import { charClass } from '../../text/char-class.ts';
import { isSignInMember } from '../member.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `//user/password` where somebody's name was expected. */
export const pathValue: ValueRule = {
  id: 'xpathi.path-value',
  category: 'xpathi',
  cwe: 'CWE-643',
  severity: 'high',
  score: 75,
  message: 'is a path through the nodes of a document in the place of a name',
  trigger: { classes: charClass.slash, literals: [['//']] },
  examples: [
    { body: { username: '//user/password' } },
    { body: { login: '//*' } },
    { body: { user: '//account[1]/pin' } },
  ],
  lookalikes: [
    { body: { share: '//server/plans', user: '//anna//' } },
    { body: { selector: '//div/span' } },
    { body: { email: '//anna@example.com' } },
    { body: { user: 'https://example.com/anna' } },
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    if (subject.where === 'name' || !isSignInMember(subject.member)) return undefined;
    return path.test(text) ? { start: 0, end: text.length } : undefined;
  },
};

const path = /^\/\/(?:\*|@\*|[a-z]{1,30}(?:\[[^\]]{1,40}\])?\/@?(?:[a-z]{1,30}|\*|\.\.))$/i;
