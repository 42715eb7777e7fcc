import { charClass } from '../../text/char-class.ts';
import { confidence } from '../confidence.ts';
import { isSignInMember } from '../member.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A whole filter where the name of somebody was expected, or nothing but the marks of one. */
export const filterValue: ValueRule = {
  id: 'ldapi.filter-value',
  category: 'ldapi',
  cwe: 'CWE-90',
  severity: 'high',
  score: confidence.likely,
  message: 'is an LDAP filter instead of a name, or probes with the punctuation of one',
  trigger: { classes: charClass.paren },
  examples: [
    { body: { username: '(objectClass=*)' } },
    { body: { uid: '(|(sAMAccountName=*)(mail=*))' } },
    { body: { user: '!(uid=*)' } },
    { body: { login: '(&(objectCategory=person)(adminCount=1))' } },
    "*()|&'",
    '|(uid=*)',
    '&(cn=anna)(sn=*)',
    '(sn=*)',
    '*)(|&',
  ],
  lookalikes: [
    { body: { filter: '(&(objectClass=person)(uid=anna))' } },
    { body: { username: '(anna)', nickname: 'anna (=^.^=)' } },
    { body: { name: 'Anna (Bonn) & Bob' } },
    '(*_*)',
    { body: { search_filter: '(objectClass=*)' } },
    '|(a or b)',
    '(x=2*)',
    '(&)',
  ],
  judge(subject): Match | undefined {
    if (subject.where === 'name' || subject.text.length > filterCharsMax) return undefined;
    const text = subject.text.trim();
    const end = subject.text.length;
    const isProbe = onlyMarks.test(text) && text.includes('*') && text.includes('(');
    const isFilter = !isProbe && wholeFilter.test(text) && isSignInMember(subject.member);
    if (isProbe || isFilter || headlessFilter.test(text)) return { start: 0, end };
    const isPresence = presence.test(text) && !queryMember.test(subject.member);
    return isPresence ? { start: 0, end, score: confidence.likely } : undefined;
  },
};

const filterCharsMax = 300;
/** `*()|&'`: no component, and each mark that a filter is made of. */
const onlyMarks = /^(?=[^|&]{0,12}[|&])[*()|&!'=]{5,12}$/;
/** `|(uid=*)`: the mark of a compound filter without the parenthesis in front of it. */
const headlessFilter = /^[|&]\([A-Za-z][\w-]{1,40}[~<>]?=[^()\s]{1,120}\)[()&|!\w=*.@:,-]{0,200}$/;
/** `(sn=*)`: whatever has the attribute. */
const presence = /^\([A-Za-z][\w-]{1,40}=\*\)$/;
/** Where directories are asked for by filters. */
const queryMember = /filter|ldap|query|search|base|acl/i;
const wholeFilter =
  /^!?\((?:[&|!]\()?[A-Za-z][\w-]{0,40}(?::[\w.]{1,40}:)?[~<>]?=[^()]{1,120}\)[()&|!\w=*.@:, -]{0,200}$/;
