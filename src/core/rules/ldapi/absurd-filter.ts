import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A whole filter around a constant comparison, or around a secret attribute with a wildcard. */
export const absurdFilter: ValueRule = {
  id: 'ldapi.absurd-filter',
  cwe: 'CWE-90',
  severity: 'high',
  score: confidence.likely,
  message: 'is a filter made to be always true or to read a password attribute',
  trigger: {
    classes: charClass.paren | charClass.equals,
    literals: [
      ['(&(', '(|(', '(!('],
      ['(1=', '(0=', 'password=', '(objectclass=*)'],
    ],
  },
  examples: [
    '(&(uid=x)(!(&(1=0)(userPassword=z))))',
    '(|(cn=*)(userPassword=*))',
    '(&(1=1)(cn=a))',
    { body: { filter: '(|(objectClass=*)(uid=*))' } },
    '(&(mail=a)(|(ou=b)(objectclass=*)))',
  ],
  lookalikes: [
    '(&(objectClass=person)(mail=anna@example.org))',
    '(|(department=IT)(department=HR))',
    '(!(disabled=TRUE))',
    '(&(objectClass=*)(uid=anna))',
  ],
  judge(subject): Match | undefined {
    if (!compound.test(subject.text)) return undefined;
    return foundBy(constantComparison.exec(subject.text));
  },
};

/** RFC 4515, 3: and, or, not. */
const compound = /\([&|!]\(/;
/** The last is true for every entry, so that nothing beside it counts. */
const constantComparison =
  /\([01]=[01]\)|\([uU]ser[pP]assword=[^)]|\(\|(?:\([A-Za-z][\w-]{0,40}=[^()]{1,80}\)){0,4}\(object[cC]lass=\*\)/;
