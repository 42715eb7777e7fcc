import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A wildcard followed at once by a compound filter: `*(|(cn=*))`. */
export const nestedFilter: ValueRule = {
  id: 'ldapi.nested-filter',
  cwe: 'CWE-90',
  severity: 'high',
  score: confidence.likely,
  message: 'appends a compound filter to a wildcard',
  trigger: { classes: charClass.paren | charClass.equals, literals: [['*(|(', '*(&(', '*(!(']] },
  examples: ['*(|(pager=*))', 'x*(&(cn=a)(sn=b))', '*(!(mail=*))'],
  lookalikes: ['2*(|(x)|+1)', 'a*(!(b==c))', 'rate 5*(great)'],
  judge(subject): Match | undefined {
    return foundBy(wildcardThenFilter.exec(subject.text));
  },
};

const wildcardThenFilter = /\*\([|&!]\([A-Za-z][A-Za-z0-9-]{0,40}=[^=]/;
