import { confidence } from '../../placement/confidence.ts';
import { isSignInMember } from '../../placement/member.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';
import { pathMember } from './break-out.ts';

/** `//user/password` where somebody's name was expected. */
export const pathValue: ValueRule = {
  id: 'xpathi.path-value',
  cwe: 'CWE-643',
  severity: 'high',
  score: confidence.likely,
  message: 'is a path through the nodes of a document in the place of a value',
  trigger: { classes: charClass.slash, literals: [['//']] },
  examples: [
    { body: { username: '//user/password' } },
    { body: { login: '//*' } },
    { body: { user: '//account[1]/pin' } },
    '//user/password',
    '//@*',
    "//user[starts-with(password,'a')]",
    { body: { node: '//*' } },
  ],
  lookalikes: [
    { body: { share: '//server/plans', user: '//anna//' } },
    { body: { selector: '//div/span' } },
    { body: { xpath: '//*' } },
    { body: { page: '//div/span' } },
    "//div[contains(@class,'pass')]",
    '//reset/password/',
    { body: { email: '//anna@example.com' } },
    { body: { user: 'https://example.com/anna' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where === 'name' || subject.text.length > pathCharsMax) return undefined;
    const text = subject.text.trim();
    if (isSignInMember(subject.member) && path.test(text))
      return { start: 0, end: subject.text.length };
    const isSought =
      secretPath.test(text) || (anyNode.test(text) && !pathMember.test(subject.member));
    return isSought ? { start: 0, end: subject.text.length, score: confidence.likely } : undefined;
  },
};

const pathCharsMax = 200;
const anyNode = /^\/\/@?\*$/;
/** The nodes that a stranger wants to read, at the end of the path or in its condition. */
const secretPath =
  /^\/\/(?:\w{1,30}\/){0,4}\w{1,30}(?:\[[^\]]{1,40}\])?\/@?(?:password|passwd|pass|pwd|pin|secret|ssn|token)$|^\/\/\w{1,30}\[(?:contains|starts-with|ends-with|matches)\((?:\.\/)?@?(?:password|passwd|pass|pwd|pin|secret|ssn|token),/i;
const path = /^\/\/(?:\*|@\*|[a-z]{1,30}(?:\[[^\]]{1,40}\])?\/@?(?:[a-z]{1,30}|\*|\.\.))$/i;
