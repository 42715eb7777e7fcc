import { pollution as grammar } from '../../bench/redteam/grammar/pollution.ts';
import { pollution } from '../../bench/redteam/oracle/pollution.ts';
import { pollutionRewriters } from '../../bench/redteam/rewrite/pollution.ts';
import { testOracle, testRewriters } from './laws.ts';

const json = '{"__proto__":{"isAdmin":true}}';
const byConstructor = '{"constructor":{"prototype":{"isAdmin":true}}}';

testOracle(pollution, {
  'merge, JSON text': [[json], [byConstructor]],
  'merge, list of JSON': [[`[${json}]`]],
  'merge, JSON by concatenation': [['x","__proto__":{"a":"b"},"c":"d']],
  'merge, JSON': [{ names: ['body.__proto__.isAdmin'], values: ['true'] }],
  'merge, name removed': [['{"____proto__proto__":{"a":1}}'], [byConstructor]],
  'assign, gate': [[json]],
  'clone, gate': [[json]],
  'unflatten, JSON text': [['{"__proto__.isAdmin":true}']],
  'set by path': [
    ['__proto__.isAdmin', '1'],
    ['constructor.prototype.isAdmin', '1'],
  ],
  'set by path, brackets': [['a[__proto__]["isAdmin"]', '1']],
  'set by path, a step before': [['__proto__.isAdmin', '1']],
  'set by path, name refused': [['constructor.prototype.isAdmin', '1']],
  'query string': [['__proto__[isAdmin]=1'], ['a=1&constructor[prototype][isAdmin]=1']],
  form: [{ names: ['body.__proto__[isAdmin]'], values: ['1'] }],
});

testRewriters(pollution, grammar, pollutionRewriters);
