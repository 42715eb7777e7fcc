import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Two filter components side by side, one of them negated or a presence test, as a whole value. */
export const siblingFilters: ValueRule = {
  id: 'ldapi.sibling-filters',
  cwe: 'CWE-90',
  severity: 'high',
  score: confidence.likely,
  message: 'is two filter components in a row, which widen the filter that they are put into',
  trigger: { classes: charClass.paren | charClass.equals, literals: [[')(']] },
  examples: ['(!(cn=zz))(sn=*)', '(uid=*)(mail=*)', '(cn=*)(!(ou=x))'],
  lookalikes: ['(x=1)(y=2)', '(a=b)(c=d)', '(&(uid=anna)(ou=it))', 'f(a)(b=*)'],
  judge(subject): Match | undefined {
    const found = siblings.exec(subject.text);
    return found === null ? undefined : { start: 0, end: found[0].length };
  },
};

const siblings =
  /^(?:\(!\([A-Za-z][\w-]{0,40}=[^()]{0,80}\)\)\([A-Za-z][\w-]{0,40}=|\([A-Za-z][\w-]{0,40}=\*\)\((?:!\()?[A-Za-z][\w-]{0,40}=)/;
