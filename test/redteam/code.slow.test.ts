import {
  phpGrammar,
  pythonGrammar,
  rubyGrammar,
  vmGrammar,
} from '../../bench/redteam/grammar/code.ts';
import {
  phpOracle,
  pythonOracle,
  rubyOracle,
  vmOracle,
} from '../../bench/redteam/oracle/code/code.ts';
import { codeRewriters } from '../../bench/redteam/rewrite/code.ts';
import { testOracle, testRewriters } from './laws.ts';

const rewritersOf = (language: string) => codeRewriters.filter((one) => one.language === language);

testOracle(pythonOracle, {
  expression: [["__import__('os').system('id')"], ["open('/etc/passwd').read()"], ['config']],
  argument: [["__import__('subprocess').getoutput('id')"]],
  'string, single quotes': [["'+str(__import__('os').listdir('/'))+'"]],
  'string, double quotes': [['"+__import__("os").popen("id").read()+"']],
});
testRewriters(pythonOracle, pythonGrammar, rewritersOf('python'));

testOracle(phpOracle, {
  expression: [["system('id')"], ['`id`'], ['$config']],
  argument: [["file_get_contents('/etc/passwd')"]],
  'string, single quotes': [["'.system('id').'"]],
  'string, double quotes': [['$' + "{system('id')}"]],
});
testRewriters(phpOracle, phpGrammar, rewritersOf('php'));

testOracle(rubyOracle, {
  expression: [["system('id')"], ['`id`'], ['config'], ["File.read('/etc/passwd')"]],
  argument: [["IO.popen('id')"]],
  'string, single quotes': [["'+`id`+'"]],
  'string, double quotes': [['#{`id`}']],
});
testRewriters(rubyOracle, rubyGrammar, rewritersOf('ruby'));

const out = "this.constructor.constructor('return process')()";
testOracle(vmOracle, {
  expression: [[`${out}.mainModule.require('child_process').execSync('id')`], ['config']],
  argument: [[`${out}.exit()`]],
  'string, single quotes': [["'+discount.constructor('return process')().exit()+'"]],
  'string, double quotes': [['"+discount.constructor("return process")().exit()+"']],
});
testRewriters(vmOracle, vmGrammar, rewritersOf('vm'));
