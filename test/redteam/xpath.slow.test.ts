import { xpath as grammar } from '../../bench/redteam/grammar/xpath.ts';
import { xpath } from '../../bench/redteam/oracle/xpath.ts';
import { xpathRewriters } from '../../bench/redteam/rewrite/xpath.ts';
import { testOracle, testRewriters } from './laws.ts';

testOracle(xpath, {
  'log-in, single quotes': [
    ["admin' or '1'='1", ''],
    ["' or true() or '", ''],
  ],
  'log-in, double quotes': [['admin" or "1"="1', '']],
  'text, single quotes': [["x' or '1'='1"], ["x']|//password|//x['"]],
  'text, double quotes': [['x" or ""="']],
  attribute: [["x' or 1=1 or 'a'='"]],
  'attribute, last': [['x" or "1"="1'], ['x"]|//user["1"="1']],
  number: [['0 or 1=1'], ['0]|//user[1']],
  position: [['1]/../*[last()']],
  contains: [["x') or 1=1 or contains(title,'x"], ["x')]|//password|//x[contains(.,'"]],
  'starts-with': [['x") or 1=1 or starts-with(title,"x']],
  'nested function': [["x','a','b'))]|//user|//x[contains(.,translate('"]],
  'string function': [["x']/title|//password|//x['"]],
  step: [['../../..//password'], ['ancestor::*']],
  'name of an element': [['1=1 or 2=2 or title']],
});

testRewriters(xpath, grammar, xpathRewriters);
