import { ldap } from '../../bench/redteam/grammar/ldap.ts';
import { slapd } from '../../bench/redteam/oracle/slapd.ts';
import { ldapRewriters } from '../../bench/redteam/rewrite/ldap.ts';
import { testOracle, testRewriters } from './laws.ts';

testOracle(slapd, {
  'log-in, and': [
    ['admin', '*'],
    ['*', '*'],
  ],
  'log-in, three': [['admin', '*)(uid=*']],
  'log-in, password first': [['admin', '*']],
  'log-in, or': [['*', '*']],
  'log-in, first filter': [
    ['admin)(uid=*))(|(uid=*', 'x'],
    ['admin))(&(a=', ''],
  ],
  alone: [['*'], ['c*']],
  'exact, or': [['*'], ['x)(objectClass=*']],
  'exact, matching rule': [['x)(uid=*']],
  'exact, first filter': [['*))(|(cn=*']],
  'contains, first filter': [['))(&(a=']],
  'inner and': [['x))(uid=*)(&(a=b']],
  'inner and, contains': [['x))(objectClass=*)(&(a=b']],
});

testRewriters(slapd, ldap, ldapRewriters);
