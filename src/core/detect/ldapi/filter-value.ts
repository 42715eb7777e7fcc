import { charClass } from '../../text/char-class.ts';
import { isSignInMember } from '../member.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A whole filter where the name of somebody was expected, or nothing but the marks of one. */
export const filterValue: ValueRule = {
  id: 'ldapi.filter-value',
  category: 'ldapi',
  cwe: 'CWE-90',
  severity: 'high',
  score: 76,
  message: 'is an LDAP filter in the place of a name, or probes with the marks of one',
  trigger: { classes: charClass.paren },
  examples: [
    { body: { username: '(objectClass=*)' } },
    { body: { uid: '(|(sAMAccountName=*)(mail=*))' } },
    { body: { user: '!(uid=*)' } },
    { body: { login: '(&(objectCategory=person)(adminCount=1))' } },
    "*()|&'",
    '*)(|&',
  ],
  lookalikes: [
    { body: { filter: '(&(objectClass=person)(uid=anna))' } },
    { body: { username: '(anna)', nickname: 'anna (=^.^=)' } },
    { body: { name: 'Anna (Bonn) & Bob' } },
    '(*_*)',
    '(&)',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    if (subject.where === 'name' || text.length > filterCharsMax) return undefined;
    const isProbe = onlyMarks.test(text) && text.includes('*') && text.includes('(');
    const isFilter = !isProbe && wholeFilter.test(text) && isSignInMember(subject.member);
    return isProbe || isFilter ? { start: 0, end: text.length } : undefined;
  },
};

const filterCharsMax = 300;
/** `*()|&'`: no component, and each mark that a filter is made of. */
const onlyMarks = /^(?=[^|&]{0,12}[|&])[*()|&!'=]{5,12}$/;
const wholeFilter =
  /^!?\((?:[&|!]\()?[A-Za-z][\w-]{0,40}(?::[\w.]{1,40}:)?[~<>]?=[^()]{1,120}\)[()&|!\w=*.@:, -]{0,200}$/;
