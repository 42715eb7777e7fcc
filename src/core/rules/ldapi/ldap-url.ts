import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * An LDAP URL with attributes, scope and filter (RFC 4516): a query that the value brings along.
 */
export const ldapUrl: ValueRule = {
  id: 'ldapi.ldap-url',
  cwe: 'CWE-90',
  severity: 'high',
  score: confidence.strong,
  message: 'is an LDAP URL with a search of its own',
  trigger: { literals: [['ldap://', 'ldaps://', 'ldapi://'], ['?']] },
  examples: ['ldap://a.test/dc=x?mail?sub?(cn=*)', 'LDAPS://a.test/??one?(|(a=b)(c=d))'],
  lookalikes: [
    'ldap://ldap.example.org:389 is the server, isn’t it? (cn=x)',
    'Is ldap://host/ right?',
  ],
  judge(subject): Match | undefined {
    return foundBy(search.exec(subject.text));
  },
};

const search = /ldap[si]?:\/\/[^ ?]{0,120}\?[\w,*-]{0,80}\?(?:base|one|sub)?\?\(/i;
